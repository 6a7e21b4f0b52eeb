import Configuration
import SnapshotJSON

/// The settings of a JSON file: `{"listen":["127.0.0.1:8080"],"limits":{"itemsMax":1000}}`.
///
/// A name that no setting has is refused: a typing error must not pass for a default.
struct SettingsFile {
  let path: String
  private(set) var values: [AbsoluteConfigKey: ConfigValue] = [:]
  private let known = Set(SettingKey.all.map(\.name))

  /// Reads a file.
  ///
  /// - Throws: `InputError`, or a `Failure` that names what is wrong in it.
  init(_ path: String) throws {
    self.path = path
    let bytes = try InputFile.read(path)
    do {
      try collect(JSONReader().read(bytes).root, "")
    } catch let error as JSONError {
      throw Failure.configuration("\(path): \(error)")
    }
  }

  private mutating func collect(_ value: JSONValue, _ name: String) throws {
    guard value.kind == .object else {
      guard known.contains(name) else {
        throw Failure.configuration("\(path): there is no setting \"\(name)\"")
      }
      values[AbsoluteConfigKey(ConfigKey(name))] = ConfigValue(
        try content(value, name), isSecret: false)
      return
    }
    for (key, inner) in value.members { try collect(inner, name.isEmpty ? key : "\(name).\(key)") }
  }

  private func content(_ value: JSONValue, _ name: String) throws -> ConfigContent {
    if let string = value.string { return .string(string) }
    if let int = value.int { return .int(int) }
    if let bool = value.bool { return .bool(bool) }
    let strings = value.elements.map(\.string)
    guard value.kind == .array, !strings.contains(nil) else {
      throw Failure.configuration(
        "\(path): \(name) is neither a text, an integer, a boolean nor an array of texts")
    }
    return .stringArray(strings.compactMap(\.self))
  }
}
