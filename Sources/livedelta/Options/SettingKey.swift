import Configuration

/// A setting: its name in the file, its default.
///
/// The flag and the environment variable follow from the name: `limits.itemsMax` in the file is
/// `LIVEDELTA_LIMITS_ITEMS_MAX` in the environment.
struct SettingKey: Sendable {
  var name: String
  var fallback: ConfigContent

  init(_ name: String, _ fallback: ConfigContent) {
    self.name = name
    self.fallback = fallback
  }
}

extension SettingKey {
  /// Where `serve` listens.
  static let listen = SettingKey("listen", .stringArray(["127.0.0.1:8080"]))
  /// Where health and metrics are.
  static let ops = SettingKey("ops", .string("127.0.0.1:8081"))
  /// Where versions are kept.
  static let data = SettingKey("data", .string("livedelta-data"))
  /// What a write that was acknowledged outlasts.
  static let durability = SettingKey("durability", .string("full"))
  /// Where the other commands find the service.
  static let server = SettingKey("server", .string("127.0.0.1:8080"))
  /// Which collection they mean.
  static let collection = SettingKey("collection", .string("public/main"))
  /// Whether each write must name the version that it builds on.
  static let requirePrecondition = SettingKey("requirePrecondition", .bool(false))
  /// The least level that is logged.
  static let logLevel = SettingKey("log.level", .string("info"))
  /// Where a line for each request goes: `stdout`, `stderr` or `off`.
  static let logAccess = SettingKey("log.access", .string("stdout"))
  /// How clients and collections appear in it: `hashed` or `plain`.
  static let logNames = SettingKey("log.names", .string("hashed"))
  /// Origins whose pages may use the service.
  static let crossOrigins = SettingKey("cors.origins", .stringArray([]))
  static let allowedHosts = SettingKey("allowedHosts", .stringArray([]))
  /// Who has to say who they are: `auto`, `keys` or `none`.
  static let authMode = SettingKey("auth.mode", .string("auto"))
  /// The file with the keys; empty for none.
  static let keysFile = SettingKey("auth.keysFile", .string(""))
  /// Its text, in place of a file.
  static let keys = SettingKey("auth.keys", .string(""))

  /// Every setting there is.
  static var all: [SettingKey] {
    [
      listen, ops, data, durability, server, collection, requirePrecondition, logLevel, logAccess,
      logNames, crossOrigins, allowedHosts, authMode, keysFile, keys,
    ] + ServerSettings.keys
  }
}

/// Settings given on the command line; those that were not given are left out.
struct Flags {
  private(set) var values: [AbsoluteConfigKey: ConfigValue] = [:]

  mutating func set(_ key: SettingKey, _ text: String?) {
    set(key.name, text.map { .string($0) })
  }

  mutating func set(_ key: SettingKey, _ isGiven: Bool) {
    set(key.name, isGiven ? .bool(true) : nil)
  }

  mutating func set(_ key: SettingKey, _ texts: [String]) {
    set(key.name, texts.isEmpty ? nil : .stringArray(texts))
  }

  mutating func set(_ name: String, _ number: Int?) { set(name, number.map { .int($0) }) }

  private mutating func set(_ name: String, _ content: ConfigContent?) {
    guard let content else { return }
    values[AbsoluteConfigKey(ConfigKey(name))] = ConfigValue(content, isSecret: false)
  }
}
