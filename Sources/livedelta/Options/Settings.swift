import Configuration
import Glibc
import SnapshotJSON

/// The settings, combined from all sources.
///
/// In order of precedence: flags, the environment, the file, the defaults. An invalid value in any
/// of them is an error.
struct Settings {
  private let reader: ConfigReader

  /// Combines the sources.
  ///
  /// - Parameters:
  ///   - flags: The values from the command line.
  ///   - file: The path of the configuration file; if `nil`, that in `LIVEDELTA_CONFIG`, if any.
  /// - Throws: `InputError` or `Failure` for the file, `Failure` for the environment.
  init(flags: Flags, file: String?) throws {
    try SettingsEnvironment.check()
    let environment = EnvironmentVariablesProvider()
    var providers: [any ConfigProvider] = [
      InMemoryProvider(name: "flags", values: flags.values),
      environment.prefixKeys(with: "livedelta"),
    ]
    if let file = file ?? getenv(SettingsEnvironment.file).map({ String(cString: $0) }) {
      providers.append(InMemoryProvider(name: file, values: try SettingsFile(file).values))
    }
    reader = ConfigReader(providers: providers + [Self.defaults])
  }

  /// The defaults alone.
  init(defaults: Void) { reader = ConfigReader(providers: [Self.defaults]) }

  private static var defaults: InMemoryProvider {
    let values = SettingKey.all.map {
      (AbsoluteConfigKey(ConfigKey($0.name)), ConfigValue($0.fallback, isSecret: false))
    }
    return InMemoryProvider(name: "defaults", values: Dictionary(uniqueKeysWithValues: values))
  }

  func string(_ key: SettingKey) throws -> String {
    try read(key) { try reader.requiredString(forKey: $0) }
  }

  func strings(_ key: SettingKey) throws -> [String] {
    try read(key) { try reader.requiredStringArray(forKey: $0) }
  }

  func int(_ key: SettingKey, in range: ClosedRange<Int> = 0...Int.max) throws -> Int {
    let value = try read(key) { try reader.requiredInt(forKey: $0) }
    guard range.contains(value) else {
      throw Failure.configuration(
        "\(key.name) is \(value); it is at least \(range.lowerBound), at most \(range.upperBound)")
    }
    return value
  }

  func double(_ key: SettingKey, in range: ClosedRange<Double>) throws -> Double {
    let value = try read(key) { try reader.requiredDouble(forKey: $0) }
    guard range.contains(value) else {
      throw Failure.configuration(
        "\(key.name) is \(value); it is at least \(range.lowerBound), at most \(range.upperBound)")
    }
    return value
  }

  func bool(_ key: SettingKey) throws -> Bool {
    try read(key) { try reader.requiredBool(forKey: $0) }
  }

  /// Returns the value of a setting with a fixed set of choices.
  func choice<Value>(_ key: SettingKey, _ choices: KeyValuePairs<String, Value>) throws -> Value {
    let word = try string(key)
    guard let choice = choices.first(where: { $0.key == word }) else {
      let words = choices.map(\.key).joined(separator: ", ")
      throw Failure.configuration("\(key.name) is \"\(word)\"; it is one of \(words)")
    }
    return choice.value
  }

  private func read<Value>(
    _ key: SettingKey, _ value: (ConfigKey) throws -> Value
  ) throws -> Value {
    do {
      return try value(ConfigKey(key.name))
    } catch {
      throw Failure.configuration("\(key.name): \(error)")
    }
  }

  /// Returns all effective settings as a configuration file, without passwords.
  func file() throws -> String {
    var tree = SettingTree()
    for key in SettingKey.all { tree.set(key.name[...], try text(key, isShown: true)) }
    return tree.text(indent: "") + "\n"
  }

  /// Returns the JSON text of each setting, by name.
  func texts() throws -> [String: String] {
    try Dictionary(uniqueKeysWithValues: SettingKey.all.map { ($0.name, try text($0)) })
  }

  /// Returns the JSON text of a setting; without passwords if it is shown.
  func text(_ key: SettingKey, isShown: Bool = false) throws -> String {
    var writer = JSONWriter()
    func write(_ text: String) {
      writer.string(isShown ? ShownText.withoutPasswords(text) : text)
    }
    switch key.fallback {
    case .int: writer.number(try int(key))
    case .bool: writer.bool(try bool(key))
    case .double:
      let value = try double(key, in: -.greatestFiniteMagnitude ... .greatestFiniteMagnitude)
      writer.raw(Array("\(value)".utf8))
    case .stringArray:
      writer.beginArray()
      for text in try strings(key) { write(text) }
      writer.endArray()
    default: write(try string(key))
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// Settings with dotted names, arranged as nested objects.
struct SettingTree {
  private var values: [(name: Substring, text: String)] = []
  private var groups: [(name: Substring, tree: SettingTree)] = []

  mutating func set(_ name: Substring, _ text: String) {
    guard let dot = name.firstIndex(of: ".") else {
      values.append((name, text))
      return
    }
    let group = name[..<dot]
    let index = groups.firstIndex { $0.name == group }
    if index == nil { groups.append((group, SettingTree())) }
    groups[index ?? groups.count - 1].tree.set(name[name.index(after: dot)...], text)
  }

  func text(indent: String) -> String {
    let inner = indent + "  "
    let members =
      values.map { "\(inner)\"\($0.name)\": \($0.text)" }
      + groups.map { "\(inner)\"\($0.name)\": \($0.tree.text(indent: inner))" }
    return "{\n\(members.joined(separator: ",\n"))\n\(indent)}"
  }
}
