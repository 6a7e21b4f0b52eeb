import Configuration

/// A setting's name in the configuration file, and its default.
///
/// The flag and the environment variable are derived from the name: `limits.itemsMax` in the file
/// is `LIVEDELTA_LIMITS_ITEMS_MAX` in the environment.
struct SettingKey: Sendable {
  var name: String
  var fallback: ConfigContent
  /// What it means, for `docs/configuration.md`.
  var help: String
  /// Whether a running service takes a new value on SIGHUP.
  var isLive = false

  init(_ name: String, _ fallback: ConfigContent, isLive: Bool = false, _ help: String) {
    self.name = name
    self.fallback = fallback
    self.isLive = isLive
    self.help = help
  }
}

extension SettingKey {
  static let listen = SettingKey(
    "listen", .stringArray(["127.0.0.1:8080"]),
    "Where clients connect: `HOST:PORT`, `[ADDRESS]:PORT` or `unix:PATH`; port 0 takes a free one.")
  static let ops = SettingKey(
    "ops", .string("127.0.0.1:8081"),
    "Where health checks and metrics are.")
  static let data = SettingKey(
    "data", .string("livedelta-data"),
    "The directory of the store, for one process at a time; `postgres://…` is a database, for any "
      + "number; `:memory:` keeps nothing.")
  static let databaseNotices = SettingKey(
    "database.notices", .string(""),
    """
    How replicas tell each other of writes, by `LISTEN` and `NOTIFY`: empty, in the database of `data`; \
    `postgres://…`, on a direct connection, if `data` leads to a pooler in transaction mode; `off`, not at \
    all: they ask once a second.
    """)
  static let durability = SettingKey(
    "durability", .string("full"),
    """
    What an acknowledged write survives: `full`, the loss of power; `normal`, the end of \
    the process.
    """)
  static let server = SettingKey(
    "server", .string("127.0.0.1:8080"),
    "The address of the service, for the other commands.")
  static let collection = SettingKey(
    "collection", .string("public/main"),
    "The collection that the other commands refer to.")
  static let requirePrecondition = SettingKey(
    "requirePrecondition", .bool(false), isLive: true,
    "Whether each write must name the version it is based on; 428 if not.")
  static let tenantSeparator = SettingKey(
    "tenantSeparator", .string(""),
    """
    What separates the tenant from the rest of a client's name, for `shares`; if empty, each client \
    is a tenant.
    """)
  static let logLevel = SettingKey(
    "log.level", .string("info"), isLive: true,
    """
    The least level that is logged to standard error: `trace`, `debug`, `info`, `notice`, \
    `warning`, `error` or `critical`.
    """)
  static let logLinesPerSecondMax = SettingKey(
    "log.linesPerSecondMax", .int(100), isLive: true,
    """
    Lines per second that are logged to standard error for one kind of message; the next one says how \
    many were `suppressed`. From 1 to 2147483647.
    """)
  static let logAccess = SettingKey(
    "log.access", .string("stdout"),
    """
    Where the access log goes: `stdout`, `stderr`, `off`, or `file:PATH`. A file that was moved \
    away is opened again.
    """)
  static let logFormat = SettingKey(
    "log.format", .string("json"),
    "How the lines of both logs are written: `json`, or `text` as `name=value`.")
  static let logNames = SettingKey(
    "log.names", .string("hashed"),
    "How clients and collections appear in the logs: `hashed` or `plain`.")
  static let crossOrigins = SettingKey(
    "cors.origins", .stringArray([]), isLive: true,
    """
    The origins whose pages may use the service from a browser: `https://app.example`, or \
    `*` for all.
    """)
  static let crossCredentials = SettingKey(
    "cors.credentials", .bool(false), isLive: true,
    "Whether those pages may send cookies; not with `*`.")
  static let allowedHosts = SettingKey(
    "allowedHosts", .stringArray([]),
    """
    Host names that are served without authentication, besides addresses, `localhost` and \
    the names of the machine; `*` for all.
    """)
  static let authMode = SettingKey(
    "auth.mode", .string("auto"),
    """
    Whether requests are authenticated: `keys`; `none`; `auto`, if there are keys, and \
    without them only this machine is served.
    """)
  static let keysFile = SettingKey(
    "auth.keysFile", .string(""),
    "The file with the keys; what is in it is read again when it changes.")
  static let keys = SettingKey(
    "auth.keys", .string(""),
    "The contents of a keys file, in place of its path.")
  static let jwks = SettingKey(
    "auth.jwks", .string(""),
    "The keys that tokens are signed with: `file:PATH` or a URL.")
  static let issuer = SettingKey(
    "auth.issuer", .string(""),
    "What the `iss` of tokens must be; anything if empty.")
  static let audience = SettingKey(
    "auth.audience", .string(""),
    "What the `aud` of tokens must contain; if empty, tokens must have none.")
  static let forward = SettingKey(
    "auth.forward.url", .string(""),
    "The backend that decides about callers without a key or a token: a URL.")
  static let forwardCookies = SettingKey(
    "auth.forward.cookies", .stringArray([]),
    """
    The cookies by which that backend knows callers, by name, such as `session`; others are neither sent \
    to it nor make a question. None if empty, so that only `Authorization` counts; `*` for all.
    """)
  static let ticketSecretFile = SettingKey(
    "auth.ticketSecretFile", .string(""),
    """
    The file with the secret that tickets are sealed with, at least 32 bytes; a random \
    secret if empty.
    """)
  static let webhookURL = SettingKey(
    "webhook.url", .string(""),
    "Where changes are pushed to as signed webhooks: a URL; nowhere if empty.")
  static let webhookSecretFile = SettingKey(
    "webhook.secretFile", .string(""),
    "The file with the secrets that they are signed with: `whsec_…`, several for rotation.")
  static let webhookPositionFile = SettingKey(
    "webhook.positionFile", .string(""),
    """
    The file that keeps what was delivered across restarts; if empty, `webhook-position` in the \
    directory of the store, and none without one. A database keeps it itself.
    """)
  static let tracesURL = SettingKey(
    "traces.url", .string(""),
    """
    Where traces of requests are exported to, by OTLP over HTTP as JSON: a URL such as \
    `http://127.0.0.1:4318/v1/traces`; nowhere if empty.
    """)
  static let tracesHeadersFile = SettingKey(
    "traces.headersFile", .string(""),
    """
    The file with headers that the collector wants, such as a credential: one `Name: value` a line; \
    none if empty.
    """)
  static let tracesRatio = SettingKey(
    "traces.ratio", .double(0.01),
    """
    The share of the requests without a `traceparent` that are traced, from 0 to 1; of the others, those \
    whose caller is.
    """)

  /// All settings.
  static var all: [SettingKey] {
    [
      listen, ops, data, databaseNotices, durability, server, collection, requirePrecondition,
      tenantSeparator, logLevel, logLinesPerSecondMax, logAccess, logFormat, logNames, crossOrigins,
      crossCredentials,
      allowedHosts, authMode, keysFile, keys, jwks, issuer, audience, ticketSecretFile, forward,
      forwardCookies,
      webhookURL, webhookSecretFile, webhookPositionFile, tracesURL,
      tracesHeadersFile, tracesRatio,
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
