import Configuration

/// A setting's name in the configuration file, and its default.
///
/// The flag and the environment variable are derived from the name: `limits.itemsMax` in the file
/// is `LIVEDELTA_LIMITS_ITEMS_MAX` in the environment.
struct SettingKey: Sendable {
  var name: String
  var fallback: ConfigContent

  init(_ name: String, _ fallback: ConfigContent) {
    self.name = name
    self.fallback = fallback
  }
}

extension SettingKey {
  /// The addresses that `serve` listens on.
  static let listen = SettingKey("listen", .stringArray(["127.0.0.1:8080"]))
  /// The address for health checks and metrics.
  static let ops = SettingKey("ops", .string("127.0.0.1:8081"))
  /// The directory of the store.
  static let data = SettingKey("data", .string("livedelta-data"))
  /// What an acknowledged write survives.
  static let durability = SettingKey("durability", .string("full"))
  /// The address of the service, for the other commands.
  static let server = SettingKey("server", .string("127.0.0.1:8080"))
  /// The collection that commands refer to.
  static let collection = SettingKey("collection", .string("public/main"))
  /// Whether each write must name the version it is based on.
  static let requirePrecondition = SettingKey("requirePrecondition", .bool(false))
  /// The minimum level that is logged.
  static let logLevel = SettingKey("log.level", .string("info"))
  /// The destination of the access log: `stdout`, `stderr` or `off`.
  static let logAccess = SettingKey("log.access", .string("stdout"))
  /// How clients and collections appear in the access log: `hashed` or `plain`.
  static let logNames = SettingKey("log.names", .string("hashed"))
  /// Origins whose pages may use the service.
  static let crossOrigins = SettingKey("cors.origins", .stringArray([]))
  /// Whether those pages may send cookies.
  static let crossCredentials = SettingKey("cors.credentials", .bool(false))
  static let allowedHosts = SettingKey("allowedHosts", .stringArray([]))
  /// Whether requests are authenticated: `auto`, `keys` or `none`.
  static let authMode = SettingKey("auth.mode", .string("auto"))
  /// The path of the keys file; empty for none.
  static let keysFile = SettingKey("auth.keysFile", .string(""))
  /// The contents of a keys file, in place of its path.
  static let keys = SettingKey("auth.keys", .string(""))
  /// The keys that tokens are signed with: `file:PATH` or a URL; empty for none.
  static let jwks = SettingKey("auth.jwks", .string(""))
  /// What the `iss` of tokens must be; empty for anything.
  static let issuer = SettingKey("auth.issuer", .string(""))
  /// What must be in their `aud`; empty for those without one.
  static let audience = SettingKey("auth.audience", .string(""))
  /// The backend that decides about callers without a key or a token: a URL; empty for none.
  static let forward = SettingKey("auth.forward.url", .string(""))
  /// The file with the secret that tickets are sealed with; empty for a random one.
  static let ticketSecretFile = SettingKey("auth.ticketSecretFile", .string(""))

  /// All settings.
  static var all: [SettingKey] {
    [
      listen, ops, data, durability, server, collection, requirePrecondition, logLevel, logAccess,
      logNames, crossOrigins, crossCredentials, allowedHosts, authMode, keysFile, keys, jwks,
      issuer, audience, ticketSecretFile, forward,
    ] + ServerSettings.keys
  }
}

/// The settings given on the command line.
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
