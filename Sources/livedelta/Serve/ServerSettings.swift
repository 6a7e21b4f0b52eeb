import CollectionService
import Configuration
import DeltaHTTP
import Glibc
import HTTP1
import SnapshotJSON
import SocketServer
import VersionedCollections

/// A numeric setting: its name, range, and property of the configuration.
///
/// Its default is the property's initial value.
struct ServerSetting {
  let key: SettingKey
  let range: ClosedRange<Int>
  let apply: (inout DeltaServerConfiguration, Int) -> Void

  /// Creates a setting for a number.
  init(
    _ name: String, _ path: WritableKeyPath<DeltaServerConfiguration, Int>,
    in range: ClosedRange<Int> = 0...countMax, isLive: Bool = false, _ help: String
  ) {
    self.range = range
    key = SettingKey(
      name, .int(DeltaServerConfiguration()[keyPath: path]), isLive: isLive, help)
    apply = { $0[keyPath: path] = $1 }
  }

  /// Creates a setting for a duration in whole seconds.
  init(
    _ name: String, seconds path: WritableKeyPath<DeltaServerConfiguration, Duration>,
    in range: ClosedRange<Int> = 0...countMax, _ help: String
  ) {
    self.range = range
    let fallback = DeltaServerConfiguration()[keyPath: path]
    key = SettingKey(name, .int(Int(fallback.components.seconds)), help)
    apply = { $0[keyPath: path] = .seconds($1) }
  }

  /// Creates a setting for a number of seconds.
  init(
    _ name: String, wholeSeconds path: WritableKeyPath<DeltaServerConfiguration, Int64>,
    in range: ClosedRange<Int> = 0...countMax, _ help: String
  ) {
    self.range = range
    key = SettingKey(name, .int(Int(DeltaServerConfiguration()[keyPath: path])), help)
    apply = { $0[keyPath: path] = Int64($1) }
  }
}

/// The upper bound of settings without one of their own.
let countMax = Int(Int32.max)

enum ServerSettings {
  /// The names of all numeric settings.
  static var keys: [SettingKey] { all.map(\.key) }

  /// Creates a configuration from the settings.
  static func configuration(_ settings: Settings) throws -> DeltaServerConfiguration {
    var configuration = DeltaServerConfiguration()
    let inherited = ListenAddress.inherited()
    configuration.listeners =
      inherited.isEmpty
      ? try settings.strings(.listen).map { try ListenAddress(text: $0) } : inherited
    configuration.operations = [try ListenAddress(text: try settings.string(.ops))]
    configuration.serviceLimits.tenants.separator = try settings.string(.tenantSeparator)
    configuration.serviceLimits.requiresPrecondition = try settings.bool(.requirePrecondition)
    configuration.crossOrigins = try settings.strings(.crossOrigins)
    for origin in configuration.crossOrigins { try Origin.check(origin) }
    configuration.allowsCredentials = try settings.bool(.crossCredentials)
    if configuration.allowsCredentials, configuration.crossOrigins.contains("*") {
      throw Failure.configuration("cors.credentials needs each origin by name, not *")
    }
    configuration.allowedHosts = try settings.strings(.allowedHosts)
    configuration.logsHashedNames =
      try settings.choice(.logNames, ["hashed": true, "plain": false])
    configuration.accessLog = try accessLog(settings)
    for setting in all {
      setting.apply(&configuration, try settings.int(setting.key, in: setting.range))
    }
    try check(configuration.serverLimits)
    return configuration
  }

  /// Returns the configured access log; `nil` for none.
  private static func accessLog(_ settings: Settings) throws -> AccessLog? {
    let format = try settings.choice(.logFormat, LogFormat.choices)
    let word = try settings.string(.logAccess)
    if word.hasPrefix("file:") {
      return try Failure.configuring {
        try AccessLog(path: String(word.dropFirst("file:".count)), format: format)
      }
    }
    let descriptor = try settings.choice(
      .logAccess, ["stdout": STDOUT_FILENO, "stderr": STDERR_FILENO, "off": -1, "file:PATH": -1])
    return descriptor < 0 ? nil : AccessLog(descriptor: descriptor, format: format)
  }

  /// Applies the settings that a running service can take to its configuration.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - next: The configuration made from them.
  ///   - configuration: The configuration that the service runs with.
  /// - Throws: `Failure` if a setting is invalid.
  static func applyLive(
    _ settings: Settings, _ next: DeltaServerConfiguration,
    to configuration: inout DeltaServerConfiguration
  ) throws {
    configuration.serviceLimits.requiresPrecondition = next.serviceLimits.requiresPrecondition
    configuration.crossOrigins = next.crossOrigins
    configuration.allowsCredentials = next.allowsCredentials
    for setting in all where setting.key.isLive {
      setting.apply(&configuration, try settings.int(setting.key, in: setting.range))
    }
  }

  /// Refuses limits that are valid individually but not in combination.
  private static func check(_ limits: ServerLimits) throws {
    let (target, header) = (limits.request.targetBytesMax, limits.request.headerBytesMax)
    guard target + header <= RequestLimits.headBytesMaxMax else {
      throw Failure.configuration(
        "limits.targetBytesMax is \(target) and limits.headerBytesMax \(header); "
          + "together they are at most \(RequestLimits.headBytesMaxMax)")
    }
    let room = BufferBudget.largeBytesMax(of: limits.bufferedBytesMax)
    guard limits.request.bodyBytesMax <= room else {
      throw Failure.configuration(
        "limits.bodyBytesMax is \(limits.request.bodyBytesMax); it is at most \(room), seven "
          + "eighths of limits.bufferedBytesMax, or no body of that size would ever have room")
    }
  }

  static var all: [ServerSetting] {
    general + content + collections + history + wire + database + timeouts
  }
}

extension ListenAddress {
  /// Parses `HOST:PORT`, `[ADDRESS]:PORT` or `unix:PATH`.
  init(text: String) throws {
    if text.hasPrefix("unix:") {
      self = .unix(path: String(text.dropFirst("unix:".count)))
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { throw Failure.configuration("\"\(text)\" is not HOST:PORT or unix:PATH") }
    var host = String(text[..<colon])
    if host.hasPrefix("[") && host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else {
      throw Failure.configuration("\"\(text)\" has no host; 0.0.0.0 means every address")
    }
    self = .tcp(host: host, port: port)
  }
}
