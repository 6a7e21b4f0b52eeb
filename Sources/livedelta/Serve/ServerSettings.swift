import CollectionService
import Configuration
import DeltaHTTP
import Glibc
import HTTP1
import SnapshotJSON
import SocketServer

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
    in range: ClosedRange<Int> = 0...countMax
  ) {
    self.range = range
    key = SettingKey(name, .int(DeltaServerConfiguration()[keyPath: path]))
    apply = { $0[keyPath: path] = $1 }
  }

  /// Creates a setting for a duration in whole seconds.
  init(
    _ name: String, seconds path: WritableKeyPath<DeltaServerConfiguration, Duration>,
    in range: ClosedRange<Int> = 0...countMax
  ) {
    self.range = range
    let fallback = DeltaServerConfiguration()[keyPath: path]
    key = SettingKey(name, .int(Int(fallback.components.seconds)))
    apply = { $0[keyPath: path] = .seconds($1) }
  }

  /// Creates a setting for a number of seconds.
  init(_ name: String, wholeSeconds path: WritableKeyPath<DeltaServerConfiguration, Int64>) {
    range = 0...countMax
    key = SettingKey(name, .int(Int(DeltaServerConfiguration()[keyPath: path])))
    apply = { $0[keyPath: path] = Int64($1) }
  }
}

/// The upper bound of settings without one of their own.
private let countMax = Int(Int32.max)

enum ServerSettings {
  /// The names of all numeric settings.
  static var keys: [SettingKey] { all.map(\.key) }

  /// Creates a configuration from the settings.
  static func configuration(_ settings: Settings) throws -> DeltaServerConfiguration {
    var configuration = DeltaServerConfiguration()
    configuration.listeners = try settings.strings(.listen).map { try ListenAddress(text: $0) }
    configuration.operations = [try ListenAddress(text: try settings.string(.ops))]
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
    let output = try settings.choice(
      .logAccess, ["stdout": STDOUT_FILENO, "stderr": STDERR_FILENO, "off": -1])
    if output >= 0 { configuration.accessLog = AccessLog(descriptor: output) }
    for setting in all {
      setting.apply(&configuration, try settings.int(setting.key, in: setting.range))
    }
    try check(configuration.serverLimits)
    return configuration
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

  private static var all: [ServerSetting] {
    general + content + collections + history + wire + timeouts
  }

  private static var general: [ServerSetting] {
    [
      .init("eventLoops", \.loops, in: 1...256),
      .init("log.faultLinesPerSecondMax", \.faultLinesPerSecondMax),
      .init("shards", \.serviceLimits.shardCount, in: 1...4096),
      .init("drain.delaySeconds", seconds: \.drainDelay),
      .init("drain.windowSeconds", seconds: \.drainWindow),
      .init("drain.graceSeconds", seconds: \.drainGrace),
      .init("shares.requestsPerSecond", \.shares.requestsPerSecond),
      .init("shares.snapshotsPerSecond", \.shares.snapshotsPerSecond),
      .init("shares.waitingMax", \.shares.waitingMax),
      .init("shares.streamsMax", \.shares.streamsMax),
    ]
  }

  private static var content: [ServerSetting] {
    [
      .init("limits.itemsMax", \.serviceLimits.itemsMax),
      .init("limits.sectionsMax", \.serviceLimits.sectionsMax),
      .init("limits.idBytesMax", \.serviceLimits.idBytesMax, in: 1...65_536),
      .init("limits.itemBytesMax", \.serviceLimits.itemBytesMax),
      .init("limits.depthMax", \.serviceLimits.depthMax, in: 1...JSONReader.depthMaxMax),
      .init("limits.editsMax", \.serviceLimits.editsMax),
      .init("limits.changesMax", \.serviceLimits.changesMax),
      .init("limits.idempotencyKeysMax", \.serviceLimits.idempotencyKeysMax),
      .init("limits.idempotencySeconds", wholeSeconds: \.serviceLimits.idempotencySeconds),
      .init("limits.collectionsPerClientMax", \.serviceLimits.collectionsPerClientMax),
      .init("limits.parkedMax", \.serviceLimits.parkedMax),
      .init("limits.waitSecondsMax", \.serviceLimits.waitSecondsMax),
      .init("limits.dataCountAnimationThreshold", \.serviceLimits.dataCountAnimationThreshold),
      .init("limits.deltaCountAnimationThreshold", \.serviceLimits.deltaCountAnimationThreshold),
      .init("limits.inlineBodyBytesMax", \.serviceLimits.inlineBodyBytesMax),
      .init("limits.parsedBytesMax", \.serviceLimits.parsedBytesMax),
      .init("limits.syncBytesMax", \.serviceLimits.syncBytesMax, in: 1...(1 << 30)),
      .init("limits.cacheBytesMax", \.serviceLimits.cacheBytesMax),
      .init("limits.memoryBytesMax", \.serviceLimits.memoryBytesMax, in: 0...Int.max),
    ]
  }

  /// The limits on one collection and its settings.
  private static var collections: [ServerSetting] {
    [
      // Offsets into contents are 32 bits wide, and a blob in the store is at most a gigabyte.
      .init("limits.collectionBytesMax", \.serviceLimits.collectionBytesMax, in: 1...512 << 20),
      .init("limits.batchBytesMax", \.serviceLimits.batchBytesMax, in: 1...4 << 30),
      .init("limits.patchStepsMax", \.serviceLimits.patchStepsMax),
      .init("limits.settingsListMax", \.serviceLimits.settings.listMax, in: 1...1000),
      .init(
        "limits.settingsPointerBytesMax", \.serviceLimits.settings.pointerBytesMax, in: 16...65_536),
      .init(
        "limits.settingsPointerTokensMax", \.serviceLimits.settings.pointerTokensMax,
        in: 1...JSONReader.depthMaxMax),
      .init(
        "limits.animationsBytesMax", \.serviceLimits.settings.animationsBytesMax, in: 0...1 << 20),
      .init(
        "limits.retentionVersionsMax", \.serviceLimits.settings.retentionVersionsMax,
        in: 1...100_000),
      .init("limits.retentionSecondsMax", \.serviceLimits.settings.retentionSecondsMax),
      .init("limits.retentionBytesMax", \.serviceLimits.settings.retentionBytesMax),
      .init("limits.animationThresholdMax", \.serviceLimits.settings.animationThresholdMax),
    ]
  }

  private static var history: [ServerSetting] {
    [
      .init("history.versionsMax", \.serviceLimits.retention.versionsMax),
      .init("history.secondsMax", wholeSeconds: \.serviceLimits.retention.seconds),
      .init("history.bytesMin", \.serviceLimits.retention.bytesMin),
    ]
  }

  private static var wire: [ServerSetting] {
    [
      .init("limits.bodyBytesMax", \.serverLimits.request.bodyBytesMax),
      .init(
        "limits.headerBytesMax", \.serverLimits.request.headerBytesMax,
        in: 1...RequestLimits.headBytesMaxMax),
      .init("limits.fieldsMax", \.serverLimits.request.fieldsMax, in: 1...16_000),
      .init(
        "limits.targetBytesMax", \.serverLimits.request.targetBytesMax,
        in: 1...RequestLimits.headBytesMaxMax),
      .init("limits.chunkExtensionBytesMax", \.serverLimits.request.chunkExtensionBytesMax),
      .init("limits.trailerBytesMax", \.serverLimits.request.trailerBytesMax),
      .init("limits.connectionsMax", \.serverLimits.connectionsMax, in: 1...countMax),
      .init(
        "limits.connectionsPerAddressMax", \.serverLimits.connectionsPerAddressMax, in: 1...countMax
      ),
      .init("limits.bufferedBytesMax", \.serverLimits.bufferedBytesMax, in: 1 << 20...1 << 40),
      .init(
        "limits.requestsPerConnectionMax", \.serverLimits.requestsPerConnectionMax, in: 1...countMax
      ),
      .init("limits.pipelineDepthMax", \.serverLimits.pipelineDepthMax, in: 1...10_000),
      .init("limits.outputBytesMax", \.serverLimits.outputBytesMax),
      .init("limits.streamBytesMax", \.serverLimits.streamBytesMax),
      .init("limits.discardBytesMax", \.serverLimits.discardBytesMax),
      .init("limits.lingerBytesMax", \.serverLimits.lingerBytesMax),
      .init("limits.listenBacklog", \.serverLimits.listenBacklog, in: 1...countMax),
    ]
  }

  private static var timeouts: [ServerSetting] {
    [
      .init("timeouts.headerSeconds", seconds: \.serverLimits.headerTimeout, in: 1...countMax),
      .init("timeouts.bodySeconds", seconds: \.serverLimits.bodyTimeout, in: 1...countMax),
      .init("timeouts.bodyBytesPerSecondMin", \.serverLimits.bodyBytesPerSecondMin),
      .init("timeouts.stallSeconds", seconds: \.serverLimits.stallTimeout),
      .init("timeouts.idleSeconds", seconds: \.serverLimits.idleTimeout, in: 1...countMax),
      .init("timeouts.writeSeconds", seconds: \.serverLimits.writeTimeout, in: 1...countMax),
      .init("timeouts.lingerSeconds", seconds: \.serverLimits.lingerTimeout),
    ]
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
