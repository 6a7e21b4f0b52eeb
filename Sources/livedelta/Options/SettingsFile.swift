import Configuration
import SnapshotJSON

/// The settings in a JSON file: `{"listen":["127.0.0.1:8080"],"limits":{"itemsMax":1000}}`.
///
/// Unknown names are refused, so that a typo is not silently ignored.
struct SettingsFile {
  private let file: SourceFile
  private(set) var values: [AbsoluteConfigKey: ConfigValue] = [:]
  private let known = SettingKey.all.map(\.name)

  /// Reads a file.
  ///
  /// - Throws: `InputError`, or a `Failure` with the position of the error.
  init(_ path: String) throws {
    file = try SourceFile(path)
    do {
      try collect(file.json(), "")
    } catch var failure as Failure {
      failure.status = .configuration
      throw failure
    }
  }

  private mutating func collect(_ value: JSONValue, _ name: String) throws {
    guard value.kind == .object else {
      guard known.contains(name) else { throw unknown(name, value) }
      guard values[AbsoluteConfigKey(ConfigKey(name))] == nil else {
        throw Failure.configuration(
          "\(name) is given twice", at: file.place(at: value.range.lowerBound))
      }
      values[AbsoluteConfigKey(ConfigKey(name))] = ConfigValue(
        try content(value, name), isSecret: false)
      return
    }
    guard name.isEmpty || known.contains(where: { $0.hasPrefix(name + ".") }) else {
      guard known.contains(name) else { throw unknown(name, value) }
      throw Failure.configuration(
        "\(name) is a value, not an object", at: file.place(at: value.range.lowerBound))
    }
    for (key, inner) in value.members { try collect(inner, name.isEmpty ? key : "\(name).\(key)") }
  }

  private func unknown(_ name: String, _ value: JSONValue) -> Failure {
    Failure.configuration(
      "there is no setting \"\(name)\"\(SettingKey.suggestion(for: name, among: known))",
      at: file.place(at: value.range.lowerBound))
  }

  private func content(_ value: JSONValue, _ name: String) throws -> ConfigContent {
    if case .double? = SettingKey.all.first(where: { $0.name == name })?.fallback {
      guard value.kind == .number, let double = Double(value.rawText) else {
        throw Failure.configuration(
          "\(name) is not a number", at: file.place(at: value.range.lowerBound))
      }
      return .double(double)
    }
    if let string = value.string { return .string(string) }
    if let int = value.int { return .int(int) }
    if let bool = value.bool { return .bool(bool) }
    let strings = value.elements.map(\.string)
    guard value.kind == .array, !strings.contains(nil) else {
      throw Failure.configuration(
        "\(name) is neither a text, an integer, a boolean nor an array of texts",
        at: file.place(at: value.range.lowerBound))
    }
    return .stringArray(strings.compactMap(\.self))
  }
}
