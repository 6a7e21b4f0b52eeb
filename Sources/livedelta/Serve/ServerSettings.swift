import CollectionService
import Configuration
import DeltaHTTP
import Glibc
import HTTP1
import SnapshotJSON
import SocketServer

/// The settings of the server that are numbers: where each is in its configuration.
///
/// Defaults are those of the configuration itself: no number stands twice.
struct ServerSetting {
  let key: SettingKey
  let range: ClosedRange<Int>
  let apply: (inout DeltaServerConfiguration, Int) -> Void

  /// A plain number.
  init(
    _ name: String, _ path: WritableKeyPath<DeltaServerConfiguration, Int>,
    in range: ClosedRange<Int> = 0...Int(Int32.max)
  ) {
    self.range = range
    key = SettingKey(name, .int(DeltaServerConfiguration()[keyPath: path]))
    apply = { $0[keyPath: path] = $1 }
  }

  /// A time in whole seconds.
  init(
    _ name: String, seconds path: WritableKeyPath<DeltaServerConfiguration, Duration>,
    in range: ClosedRange<Int> = 0...Int(Int32.max)
  ) {
    self.range = range
    let fallback = DeltaServerConfiguration()[keyPath: path]
    key = SettingKey(name, .int(Int(fallback.components.seconds)))
    apply = { $0[keyPath: path] = .seconds($1) }
  }

  /// A time in whole seconds, where it is kept as such.
  init(_ name: String, wholeSeconds path: WritableKeyPath<DeltaServerConfiguration, Int64>) {
    range = 0...Int(Int32.max)
    key = SettingKey(name, .int(Int(DeltaServerConfiguration()[keyPath: path])))
    apply = { $0[keyPath: path] = Int64($1) }
  }
}

enum ServerSettings {
  /// The names of all of them.
  static var keys: [SettingKey] { all.map(\.key) }

  /// A configuration as the settings say.
  static func configuration(_ settings: Settings) throws -> DeltaServerConfiguration {
    var configuration = DeltaServerConfiguration()
    configuration.listeners = try settings.strings(.listen).map { try ListenAddress(text: $0) }
    configuration.operations = [try ListenAddress(text: try settings.string(.ops))]
    configuration.serviceLimits.requiresPrecondition = try settings.bool(.requirePrecondition)
    configuration.crossOrigins = try settings.strings(.crossOrigins)
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

  /// Refuses numbers that are well each by itself, but not together.
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
      ServerSetting("eventLoops", \.loops, in: 1...256),
      ServerSetting("log.faultLinesPerSecondMax", \.faultLinesPerSecondMax),
      ServerSetting("shards", \.serviceLimits.shardCount, in: 1...4096),
      ServerSetting("drain.delaySeconds", seconds: \.drainDelay),
      ServerSetting("drain.windowSeconds", seconds: \.drainWindow),
      ServerSetting("drain.graceSeconds", seconds: \.drainGrace),
    ]
  }

  private static var content: [ServerSetting] {
    [
      ServerSetting("limits.itemsMax", \.serviceLimits.itemsMax),
      ServerSetting("limits.sectionsMax", \.serviceLimits.sectionsMax),
      ServerSetting("limits.idBytesMax", \.serviceLimits.idBytesMax, in: 1...65_536),
      ServerSetting("limits.itemBytesMax", \.serviceLimits.itemBytesMax),
      ServerSetting("limits.depthMax", \.serviceLimits.depthMax, in: 1...JSONReader.depthMaxMax),
      ServerSetting("limits.editsMax", \.serviceLimits.editsMax),
      ServerSetting("limits.changesMax", \.serviceLimits.changesMax),
      ServerSetting("limits.idempotencyKeysMax", \.serviceLimits.idempotencyKeysMax),
      ServerSetting(
        "limits.idempotencySeconds", wholeSeconds: \.serviceLimits.idempotencySeconds),
      ServerSetting("limits.collectionsPerClientMax", \.serviceLimits.collectionsPerClientMax),
      ServerSetting("limits.parkedMax", \.serviceLimits.parkedMax),
      ServerSetting("limits.waitSecondsMax", \.serviceLimits.waitSecondsMax),
      ServerSetting(
        "limits.dataCountAnimationThreshold", \.serviceLimits.dataCountAnimationThreshold),
      ServerSetting(
        "limits.deltaCountAnimationThreshold", \.serviceLimits.deltaCountAnimationThreshold),
      ServerSetting("limits.inlineBodyBytesMax", \.serviceLimits.inlineBodyBytesMax),
      ServerSetting("limits.parsedBytesMax", \.serviceLimits.parsedBytesMax),
      ServerSetting("limits.syncBytesMax", \.serviceLimits.syncBytesMax, in: 1...(1 << 30)),
      ServerSetting("limits.cacheBytesMax", \.serviceLimits.cacheBytesMax),
      ServerSetting(
        "limits.memoryBytesMax", \.serviceLimits.memoryBytesMax, in: 0...Int.max),
    ]
  }

  /// What one collection may hold, and what its settings may ask for.
  private static var collections: [ServerSetting] {
    [
      // Places of contents have 32 bits, and a store's blobs a gigabyte.
      ServerSetting(
        "limits.collectionBytesMax", \.serviceLimits.collectionBytesMax, in: 1...512 << 20),
      ServerSetting(
        "limits.batchBytesMax", \.serviceLimits.batchBytesMax, in: 1...4 << 30),
      ServerSetting("limits.patchStepsMax", \.serviceLimits.patchStepsMax),
      ServerSetting("limits.settingsListMax", \.serviceLimits.settings.listMax, in: 1...1000),
      ServerSetting(
        "limits.settingsPointerBytesMax", \.serviceLimits.settings.pointerBytesMax,
        in: 16...65_536),
      ServerSetting(
        "limits.settingsPointerTokensMax", \.serviceLimits.settings.pointerTokensMax,
        in: 1...JSONReader.depthMaxMax),
      ServerSetting(
        "limits.animationsBytesMax", \.serviceLimits.settings.animationsBytesMax,
        in: 0...1 << 20),
      ServerSetting(
        "limits.retentionVersionsMax", \.serviceLimits.settings.retentionVersionsMax,
        in: 1...100_000),
      ServerSetting(
        "limits.retentionSecondsMax", \.serviceLimits.settings.retentionSecondsMax),
      ServerSetting("limits.retentionBytesMax", \.serviceLimits.settings.retentionBytesMax),
      ServerSetting(
        "limits.animationThresholdMax", \.serviceLimits.settings.animationThresholdMax),
    ]
  }

  private static var history: [ServerSetting] {
    [
      ServerSetting("history.versionsMax", \.serviceLimits.retention.versionsMax),
      ServerSetting("history.secondsMax", wholeSeconds: \.serviceLimits.retention.seconds),
      ServerSetting("history.bytesMin", \.serviceLimits.retention.bytesMin),
    ]
  }

  private static var wire: [ServerSetting] {
    [
      ServerSetting("limits.bodyBytesMax", \.serverLimits.request.bodyBytesMax),
      ServerSetting(
        "limits.headerBytesMax", \.serverLimits.request.headerBytesMax,
        in: 1...RequestLimits.headBytesMaxMax),
      ServerSetting("limits.fieldsMax", \.serverLimits.request.fieldsMax, in: 1...16_000),
      ServerSetting(
        "limits.targetBytesMax", \.serverLimits.request.targetBytesMax,
        in: 1...RequestLimits.headBytesMaxMax),
      ServerSetting(
        "limits.chunkExtensionBytesMax", \.serverLimits.request.chunkExtensionBytesMax),
      ServerSetting("limits.trailerBytesMax", \.serverLimits.request.trailerBytesMax),
      ServerSetting("limits.connectionsMax", \.serverLimits.connectionsMax, in: 1...Int(Int32.max)),
      ServerSetting(
        "limits.connectionsPerAddressMax", \.serverLimits.connectionsPerAddressMax,
        in: 1...Int(Int32.max)),
      ServerSetting(
        "limits.bufferedBytesMax", \.serverLimits.bufferedBytesMax, in: 1 << 20...1 << 40),
      ServerSetting(
        "limits.requestsPerConnectionMax", \.serverLimits.requestsPerConnectionMax,
        in: 1...Int(Int32.max)),
      ServerSetting("limits.pipelineDepthMax", \.serverLimits.pipelineDepthMax, in: 1...10_000),
      ServerSetting("limits.outputBytesMax", \.serverLimits.outputBytesMax),
      ServerSetting("limits.streamBytesMax", \.serverLimits.streamBytesMax),
      ServerSetting("limits.discardBytesMax", \.serverLimits.discardBytesMax),
      ServerSetting("limits.lingerBytesMax", \.serverLimits.lingerBytesMax),
      ServerSetting("limits.listenBacklog", \.serverLimits.listenBacklog, in: 1...Int(Int32.max)),
    ]
  }

  private static var timeouts: [ServerSetting] {
    [
      ServerSetting(
        "timeouts.headerSeconds", seconds: \.serverLimits.headerTimeout, in: 1...Int(Int32.max)),
      ServerSetting(
        "timeouts.bodySeconds", seconds: \.serverLimits.bodyTimeout, in: 1...Int(Int32.max)),
      ServerSetting("timeouts.bodyBytesPerSecondMin", \.serverLimits.bodyBytesPerSecondMin),
      ServerSetting("timeouts.stallSeconds", seconds: \.serverLimits.stallTimeout),
      ServerSetting(
        "timeouts.idleSeconds", seconds: \.serverLimits.idleTimeout, in: 1...Int(Int32.max)),
      ServerSetting(
        "timeouts.writeSeconds", seconds: \.serverLimits.writeTimeout, in: 1...Int(Int32.max)),
      ServerSetting("timeouts.lingerSeconds", seconds: \.serverLimits.lingerTimeout),
    ]
  }
}

extension ListenAddress {
  /// Reads `HOST:PORT`, `[ADDRESS]:PORT` or `unix:PATH`.
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
