import SnapshotJSON

/// The settings in a JSON file: `{"listen":["127.0.0.1:8080"],"limits":{"itemsMax":1000}}`.
///
/// Unknown names are refused, so that a typo is not silently ignored.
struct SettingsFile {
  private let file: SourceFile
  private(set) var values: [(setting: Setting, content: SettingContent)] = []

  /// Reads a file; throws `InputError`, or a `Failure` with the position of the error.
  init(_ path: String) throws {
    file = try SourceFile(path)
    do throws(Failure) {
      try collect(file.json(), "")
    } catch {
      var failure = error
      failure.status = .configuration
      throw failure
    }
  }

  private mutating func collect(_ value: JSONValue, _ name: String) throws(Failure) {
    let setting = Setting.all.first { $0.name == name }
    guard setting == nil, value.kind == .object else { return try read(value, name, setting) }
    guard name.isEmpty || Setting.all.contains(where: { $0.name.hasPrefix(name + ".") }) else {
      throw unknown(name, value)
    }
    for (key, inner) in value.members { try collect(inner, name.isEmpty ? key : "\(name).\(key)") }
  }

  private mutating func read(
    _ value: JSONValue, _ name: String, _ setting: Setting?
  ) throws(Failure) {
    guard let setting else { throw unknown(name, value) }
    guard !values.contains(where: { $0.setting.name == name }) else {
      throw fault("\(name) is given twice", value)
    }
    guard let content = SettingContent(value, like: setting.fallback) else {
      throw fault("\(name) is not \(setting.fallback.kind)", value)
    }
    if let sentence = setting.fault(of: content) { throw fault(sentence, value) }
    values.append((setting, content))
  }

  private func unknown(_ name: String, _ value: JSONValue) -> Failure {
    let suggestion = Setting.suggestion(for: name, among: Setting.all.map(\.name))
    return fault("there is no setting \"\(name)\"\(suggestion)", value)
  }

  private func fault(_ sentence: String, _ value: JSONValue) -> Failure {
    Failure.configuration(sentence, at: file.place(at: value.range.lowerBound))
  }
}
