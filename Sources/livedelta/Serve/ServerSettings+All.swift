import Authentication
import DeltaHTTP
import HTTP1
import SnapshotJSON
import SocketServer
import Telemetry
import VersionedCollections

/// The numeric settings by theme.
extension ServerSettings {
  static var general: [ServerSetting] {
    [
      .init("eventLoops", \.loops, in: 1...256, "Threads that serve connections."),
      .init(
        "log.faultLinesPerSecondMax", \.faultLinesPerSecondMax,
        "Lines per second that are logged for one kind of fault."),
      .init(
        "shards", \.serviceLimits.shardCount, in: 1...4096,
        "Queues that clients are distributed over."),
      .init(
        "drain.delaySeconds", seconds: \.drainDelay,
        "How long to go on serving after SIGTERM while not ready."),
      .init(
        "drain.windowSeconds", seconds: \.drainWindow,
        "The period over which waiting requests and streams are then released."),
      .init(
        "drain.graceSeconds", seconds: \.drainGrace,
        "How long answers under way may take after that."),
      .init(
        "auth.forward.connectionsMax", \.forwardLimits.connectionsMax, in: 1...128,
        "Connections to that backend, each with one question at a time."),
      .init(
        "auth.forward.graceSeconds", wholeSeconds: \.forwardLimits.graceSeconds, in: 5...3600,
        "How long a stream goes on while that backend does not answer about it."),
      .init(
        "webhook.attemptsMax", \.webhookAttemptsMax, in: 1...1000,
        "Attempts of a delivery before it is given up, the last ones five minutes apart."),
      .init(
        "traces.queueSpansMax", \.traceLimits.queueSpansMax, in: 1...1_000_000,
        "Spans that wait to be exported; further ones are dropped and counted."),
      .init(
        "traces.batchSpansMax", \.traceLimits.batchSpansMax, in: 1...10_000,
        "Spans that are exported at once."),
      .init(
        "traces.intervalSeconds", seconds: \.traceLimits.interval, in: 1...3600,
        "How long fewer spans wait."),
      .init(
        "shares.requestsPerSecond", \.shares.requestsPerSecond, isLive: true,
        "Requests per second of one principal, without initial loads; 0: no limit."),
      .init(
        "shares.snapshotsPerSecond", \.shares.snapshotsPerSecond, isLive: true,
        "Snapshots per second in the answers to one principal, whatever it asked for; 0: no limit."),
      .init(
        "shares.waitingMax", \.shares.waitingMax, isLive: true,
        "Requests of one principal that wait; 0: no limit."),
      .init(
        "shares.streamsMax", \.shares.streamsMax, isLive: true,
        "Event streams of one principal; 0: no limit."),
      .init(
        "shares.storedBytesMax", \.serviceLimits.tenants.bytesMax, in: 0...1 << 50,
        "Bytes of contents of one tenant's collections; 0: no limit."),
      .init(
        "shares.collectionsMax", \.serviceLimits.tenants.collectionsMax,
        "Collections of one tenant; 0: no limit."),
    ]
  }

  static var content: [ServerSetting] {
    [
      .init("limits.itemsMax", \.serviceLimits.itemsMax, isLive: true, "Items of a snapshot."),
      .init(
        "limits.sectionsMax", \.serviceLimits.sectionsMax, isLive: true, "Sections of a snapshot."),
      .init("limits.idBytesMax", \.serviceLimits.idBytesMax, in: 1...65_536, "Bytes of an id."),
      .init(
        "limits.itemBytesMax", \.serviceLimits.itemBytesMax, isLive: true,
        "Bytes of an item, minified."),
      .init(
        "limits.depthMax", \.serviceLimits.depthMax, in: 1...JSONReader.depthMaxMax,
        "Nesting of a JSON text."),
      .init(
        "limits.editsMax", \.serviceLimits.editsMax, isLive: true,
        "Edits or operations of one request."),
      .init("limits.changesMax", \.serviceLimits.changesMax, "Collections in the feed of changes."),
      .init(
        "limits.idempotencyKeysMax", \.serviceLimits.idempotencyKeysMax,
        "Idempotency keys that are kept for a collection."),
      .init(
        "limits.idempotencySeconds", wholeSeconds: \.serviceLimits.idempotencySeconds,
        "How long an idempotency key is kept."),
      .init(
        "limits.collectionsPerClientMax", \.serviceLimits.collectionsPerClientMax, isLive: true,
        "Collections of one client."),
      .init(
        "limits.unusedSecondsMax", wholeSeconds: \.serviceLimits.unusedSecondsMax,
        "How long nobody may read or write a collection before it is removed; 0: for ever."),
      .init(
        "limits.readStalenessSeconds", seconds: \.serviceLimits.readStaleness,
        "How old an answer may be of what another service has written to the same store."),
      .init(
        "limits.parkedMax", \.serviceLimits.parkedMax, isLive: true,
        "Readers that wait, streams included."),
      .init(
        "limits.waitSecondsMax", \.serviceLimits.waitSecondsMax, isLive: true,
        "The longest wait of a long poll."),
      .init(
        "limits.dataCountAnimationThreshold", \.serviceLimits.dataCountAnimationThreshold,
        "Items of either version up to which a delta is animated."),
      .init(
        "limits.deltaCountAnimationThreshold", \.serviceLimits.deltaCountAnimationThreshold,
        "Changes up to which a delta is animated."),
      .init(
        "limits.inlineBodyBytesMax", \.serviceLimits.inlineBodyBytesMax,
        "Bytes of a body or collection that is handled without a worker."),
      .init(
        "limits.parsedBytesMax", \.serviceLimits.parsedBytesMax,
        "Bytes of bodies parsed and not answered yet; the others wait in line."),
      .init(
        "limits.syncBytesMax", \.serviceLimits.syncBytesMax, in: 1...(1 << 30), isLive: true,
        "Bytes of changes in the answer to one sync."),
      .init("limits.cacheBytesMax", \.serviceLimits.cacheBytesMax, "Bytes of cached answers."),
      .init(
        "limits.memoryBytesMax", \.serviceLimits.memoryBytesMax, in: 0...Int.max,
        "Bytes of collections in memory; a hard limit without a store."),
    ]
  }

  /// The limits on one collection and its settings.
  static var collections: [ServerSetting] {
    [
      // Offsets into contents are 32 bits wide, and a blob in the store is at most a gigabyte.
      .init(
        "limits.collectionBytesMax", \.serviceLimits.collectionBytesMax,
        in: 1...512 << 20, isLive: true, "Bytes of the contents of a collection."),
      .init(
        "limits.batchBytesMax", \.serviceLimits.batchBytesMax, in: 1...4 << 30,
        "Bytes of all contents that one batch writes."),
      .init(
        "limits.patchStepsMax", \.serviceLimits.patchStepsMax, isLive: true,
        "Steps of a JSON Patch: about one for each value visited, copied or moved."),
      .init(
        "limits.settingsListMax", \.serviceLimits.settings.listMax, in: 1...1000,
        "Entries of a list in the settings of a collection."),
      .init(
        "limits.settingsPointerBytesMax", \.serviceLimits.settings.pointerBytesMax, in: 16...65_536,
        "Bytes of a pointer in them."),
      .init(
        "limits.settingsPointerTokensMax", \.serviceLimits.settings.pointerTokensMax,
        in: 1...JSONReader.depthMaxMax, "Tokens of a pointer in them."),
      .init(
        "limits.animationsBytesMax", \.serviceLimits.settings.animationsBytesMax, in: 0...1 << 20,
        "Bytes of `animations` in them."),
      .init(
        "limits.retentionVersionsMax", \.serviceLimits.settings.retentionVersionsMax,
        in: 1...100_000, "The most that `retention.versions` in them may be."),
      .init(
        "limits.retentionSecondsMax", \.serviceLimits.settings.retentionSecondsMax,
        "The most that `retention.seconds` in them may be."),
      .init(
        "limits.retentionBytesMax", \.serviceLimits.settings.retentionBytesMax,
        "The most that `retention.bytes` in them may be."),
      .init(
        "limits.animationThresholdMax", \.serviceLimits.settings.animationThresholdMax,
        "The most that a threshold in them may be."),
    ]
  }

  static var history: [ServerSetting] {
    [
      .init(
        "history.versionsMax", \.serviceLimits.retention.versionsMax,
        "Versions that are kept of a collection."),
      .init("history.secondsMax", wholeSeconds: \.serviceLimits.retention.seconds, "Their age."),
      .init(
        "history.bytesMin", \.serviceLimits.retention.bytesMin,
        "Bytes of them that are kept in any case; more if the collection is larger."),
    ]
  }

  static var wire: [ServerSetting] {
    [
      .init(
        "limits.bodyBytesMax", \.serverLimits.request.bodyBytesMax,
        "Bytes of a body, also inflated."),
      .init(
        "limits.headerBytesMax", \.serverLimits.request.headerBytesMax,
        in: 1...RequestLimits.headBytesMaxMax, "Bytes of the fields of a request."),
      .init(
        "limits.fieldsMax", \.serverLimits.request.fieldsMax, in: 1...16_000,
        "Fields of a request."),
      .init(
        "limits.targetBytesMax", \.serverLimits.request.targetBytesMax,
        in: 1...RequestLimits.headBytesMaxMax, "Bytes of a request target."),
      .init(
        "limits.chunkExtensionBytesMax", \.serverLimits.request.chunkExtensionBytesMax,
        "Bytes of all chunk extensions of a request."),
      .init(
        "limits.trailerBytesMax", \.serverLimits.request.trailerBytesMax,
        "Bytes of the trailers of a request."),
      .init(
        "limits.connectionsMax", \.serverLimits.connectionsMax, in: 1...countMax, "Connections."),
      .init(
        "limits.connectionsPerAddressMax", \.serverLimits.connectionsPerAddressMax,
        in: 1...countMax, "Connections of one address."),
      .init(
        "limits.bufferedBytesMax", \.serverLimits.bufferedBytesMax, in: 1 << 20...1 << 40,
        "Bytes held for all requests and answers."),
      .init(
        "limits.requestsPerConnectionMax", \.serverLimits.requestsPerConnectionMax,
        in: 1...countMax, "Requests of one connection."),
      .init(
        "limits.pipelineDepthMax", \.serverLimits.pipelineDepthMax, in: 1...10_000,
        "Pipelined requests that are taken in one turn."),
      .init(
        "limits.outputBytesMax", \.serverLimits.outputBytesMax,
        "Bytes of answers not taken yet, before the next request is read."),
      .init(
        "limits.streamBytesMax", \.serverLimits.streamBytesMax,
        "Bytes of a stream not taken yet, before its next event is made."),
      .init(
        "limits.discardBytesMax", \.serverLimits.discardBytesMax,
        "Bytes of a refused body that are read and dropped."),
      .init(
        "limits.lingerBytesMax", \.serverLimits.lingerBytesMax,
        "Bytes that are read from a closed connection and dropped."),
      .init(
        "limits.listenBacklog", \.serverLimits.listenBacklog, in: 1...countMax,
        "Connections that the kernel keeps until they are accepted."),
    ]
  }

  static var database: [ServerSetting] {
    [
      .init(
        "database.readersMax", \.serviceLimits.database.readersMax, in: 1...1000,
        "Connections to a database that read; two more write, one maintains and one listens."),
      .init(
        "database.queuedMax", \.serviceLimits.database.queuedMax, in: 1...countMax,
        "Reads, and likewise writes, that wait for a connection to a database."),
      .init(
        "database.connectSeconds", \.serviceLimits.database.connectSeconds, in: 2...3600,
        "How long connecting to a database may take, if `data` does not say."),
      .init(
        "database.statementSeconds", \.serviceLimits.database.statementSeconds, in: 1...3600,
        "How long a database may take for a statement; it then cancels it."),
      .init(
        "database.answerSeconds", \.serviceLimits.database.answerSeconds, in: 1...3600,
        """
        How long a database may not answer before its connection is given up, and how long reads and \
        writes wait for a connection.
        """),
    ]
  }

  static var timeouts: [ServerSetting] {
    [
      .init(
        "timeouts.headerSeconds", seconds: \.serverLimits.headerTimeout, in: 1...countMax,
        "How long a head may take."),
      .init(
        "timeouts.bodySeconds", seconds: \.serverLimits.bodyTimeout, in: 1...countMax,
        "How long a body may make no progress."),
      .init(
        "timeouts.bodyBytesPerSecondMin", \.serverLimits.bodyBytesPerSecondMin,
        "The least rate of a body."),
      .init(
        "timeouts.stallSeconds", seconds: \.serverLimits.stallTimeout,
        "How long a peer may stall while there is no room."),
      .init(
        "timeouts.idleSeconds", seconds: \.serverLimits.idleTimeout, in: 1...countMax,
        "How long a connection may be idle."),
      .init(
        "timeouts.writeSeconds", seconds: \.serverLimits.writeTimeout, in: 1...countMax,
        "How long an answer may not be taken."),
      .init(
        "timeouts.lingerSeconds", seconds: \.serverLimits.lingerTimeout,
        "How long a closed connection is read from."),
    ]
  }
}
