import Authentication
import CollectionService
import DeltaHTTP
import HTTP1
import SnapshotJSON
import SocketServer
import VersionedCollections

extension Setting {
  /// All settings, in the order of `docs/configuration.md`.
  static let all: [Setting] =
    general + database + outgoing + shares + limits + history

  private static let general: [Setting] = [
    Setting(
      "listen", \.listen,
      "Where clients connect: `HOST:PORT`, `[ADDRESS]:PORT` or `unix:PATH`; port 0 takes a free one."
    ),
    Setting("ops", \.ops, "Where health checks and metrics are."),
    Setting(
      "data", \.data,
      """
      The directory of the store, for one process at a time; `postgres://…` is a database, for any \
      number; `:memory:` keeps nothing.
      """),
    Setting(
      "durability", \.durability,
      """
      What an acknowledged write survives: `full`, the loss of power; `normal`, the end of the process.
      """),
    Setting("server", \.server, "The address of the service, for the other commands."),
    Setting(
      "caFile", \.caFile,
      """
      The file with the certificates of the authorities to trust, in PEM format, for all requests of the \
      service to others and of the other commands to it, in place of the system's; if empty, the file \
      that `SSL_CERT_FILE` names in the environment, or else the system's.
      """),
    Setting(
      "requirePrecondition", \.service.serviceLimits.requiresPrecondition, isLive: true,
      "Whether each write must name the version it is based on; 428 if not."),
    Setting(
      "allowedHosts", \.service.allowedHosts,
      """
      Host names that are served without authentication, besides addresses, `localhost` and \
      the names of the machine; `*` for all.
      """),
    Setting("eventLoops", \.service.loops, in: 1...256, "Threads that serve connections."),
    Setting(
      "shards", \.service.serviceLimits.shardCount, in: 1...4096,
      "Queues that clients are distributed over."),
    Setting(
      "log.level", \.log.level, isLive: true,
      """
      The least level that is logged to standard error: `trace`, `debug`, `info`, `notice`, `warning`, \
      `error` or `critical`.
      """),
    Setting(
      "log.access", \.log.access,
      """
      Where the access log goes: `stdout`, `stderr`, `off`, or `file:PATH`. A file that was moved away \
      is opened again.
      """),
    Setting(
      "log.format", \.log.format,
      """
      How the lines of both logs are written: `json`; `text` as `name=value`; `auto`, text if standard \
      output is a terminal.
      """),
    Setting(
      "log.names", \.log.names,
      "How clients and collections appear in the logs: `hashed` or `plain`."),
    Setting(
      "cors.origins", \.service.crossOrigins, isLive: true,
      """
      The origins whose pages may use the service from a browser: `https://app.example`, or `*` for \
      all.
      """),
    Setting(
      "cors.headers", \.service.crossOriginFields, isLive: true,
      """
      The request headers that those pages may send besides those of the protocol, such as `baggage` and \
      `sentry-trace`.
      """),
    Setting(
      "cors.credentials", \.service.allowsCredentials, isLive: true,
      "Whether those pages may send cookies; not with `*`."),
    Setting(
      "drain.delaySeconds", \.service.drainDelay,
      "How long to go on serving after SIGTERM while not ready."),
    Setting(
      "drain.windowSeconds", \.service.drainWindow,
      "The period over which waiting requests and streams are then released."),
  ]

  private static let database: [Setting] = [
    Setting(
      "database.notices", \.databaseNotices,
      """
      How replicas tell each other of writes, by `LISTEN` and `NOTIFY`: empty, in the database of \
      `data`; `postgres://…`, on a direct connection, if `data` leads to a pooler in transaction mode; \
      `off`, not at all: they ask once a second.
      """),
    Setting(
      "database.readersMax", \.service.serviceLimits.database.readersMax, in: 1...1000,
      "Connections to a database that read; two more write, one maintains and one listens."),
    Setting(
      "database.statementSeconds", \.service.serviceLimits.database.statementSeconds, in: 1...3600,
      """
      How long a database may take for a statement; it then cancels it. Three seconds later its \
      connection is given up.
      """),
  ]

  private static let outgoing: [Setting] = [
    Setting(
      "auth.mode", \.auth.mode,
      """
      How requests are authenticated. `auto`: require keys if any are configured, otherwise accept local \
      connections only; `keys`: always require them; `none`: never.
      """),
    Setting(
      "auth.keysFile", \.auth.keysFile,
      "The file with the keys; what is in it is read again when it changes."),
    Setting("auth.keys", \.auth.keys, "The contents of a keys file, in place of its path."),
    Setting(
      "auth.jwks", \.auth.jwks, "The keys that tokens are signed with: `file:PATH` or a URL."),
    Setting("auth.issuer", \.auth.issuer, "What the `iss` of tokens must be; anything if empty."),
    Setting(
      "auth.audience", \.auth.audience,
      "What the `aud` of tokens must contain; if empty, tokens must have none."),
    Setting(
      "auth.forward.url", \.auth.forwardURL,
      "The backend that decides about callers without a key or a token: a URL."),
    Setting(
      "auth.forward.cookies", \.auth.forwardCookies,
      """
      The cookies that are forwarded to that backend, by name, such as `session`; `*` for all. Empty: \
      none, and only `Authorization` is used.
      """),
    Setting(
      "auth.forward.connectionsMax", \.service.forwardConnectionsMax, in: 1...128,
      "Connections to that backend, each with one question at a time."),
    Setting(
      "webhook.url", \.webhook.url,
      "Where changes are pushed to as signed webhooks: a URL; nowhere if empty."),
    Setting(
      "webhook.secretFile", \.webhook.secretFile,
      "The file with the secrets that they are signed with: `whsec_…`, several for rotation."),
    Setting(
      "traces.url", \.traces.url,
      """
      Where traces of requests are exported to, by OTLP over HTTP as JSON: a URL such as \
      `http://127.0.0.1:4318/v1/traces`; nowhere if empty.
      """),
    Setting(
      "traces.headersFile", \.traces.headersFile,
      """
      The file with headers that the collector wants, such as a credential: one `Name: value` a line; \
      none if empty.
      """),
    Setting(
      "traces.ratio", \.traces.ratio,
      """
      The share of the requests without a `traceparent` that are traced, from 0 to 1; of the others, \
      those whose caller is.
      """),
  ]

  private static let shares: [Setting] = [
    Setting(
      "shares.requestsPerSecond", \.service.shares.requestsPerSecond, isLive: true,
      "Requests per second of one principal, without initial loads; 0: no limit."),
    Setting(
      "shares.snapshotsPerSecond", \.service.shares.snapshotsPerSecond, isLive: true,
      "Snapshots per second in the answers to one principal, whatever it asked for; 0: no limit."),
    Setting(
      "shares.viewMillisecondsPerSecond", \.service.shares.viewMillisecondsPerSecond, isLive: true,
      "Milliseconds of the processor per second for the views of one principal; 0: no limit."),
    Setting(
      "shares.waitingMax", \.service.shares.waitingMax, isLive: true,
      "Requests of one principal that wait; 0: no limit."),
    Setting(
      "shares.streamsMax", \.service.shares.streamsMax, isLive: true,
      "Event streams of one principal; 0: no limit."),
  ]

  private static let limits: [Setting] = [
    Setting(
      "limits.bodyBytesMax", \.service.serverLimits.request.bodyBytesMax,
      "Bytes of a body, also inflated."),
    // Offsets into contents are 32 bits wide, and a blob in the store is at most a gigabyte.
    Setting(
      "limits.collectionBytesMax", \.service.serviceLimits.collectionBytesMax,
      in: 1...512 << 20, isLive: true, "Bytes of the contents of a collection."),
    Setting(
      "limits.batchBytesMax", \.service.serviceLimits.batchBytesMax, in: 1...4 << 30,
      "Bytes of all contents that one batch writes."),
    Setting(
      "limits.itemsMax", \.service.serviceLimits.itemsMax, isLive: true, "Items of a snapshot."),
    Setting(
      "limits.sectionsMax", \.service.serviceLimits.sectionsMax, isLive: true,
      "Sections of a snapshot."),
    Setting(
      "limits.idBytesMax", \.service.serviceLimits.idBytesMax, in: 1...65_536, "Bytes of an id."),
    Setting(
      "limits.itemBytesMax", \.service.serviceLimits.itemBytesMax, isLive: true,
      "Bytes of an item, minified."),
    Setting(
      "limits.depthMax", \.service.serviceLimits.depthMax, in: 1...JSONReader.depthMaxMax,
      "Nesting of a JSON text."),
    Setting(
      "limits.editsMax", \.service.serviceLimits.editsMax, isLive: true,
      "Edits or operations of one request."),
    Setting(
      "limits.collectionsPerClientMax", \.service.serviceLimits.collectionsPerClientMax,
      isLive: true, "Collections of one client."),
    Setting(
      "limits.headerBytesMax", \.service.serverLimits.request.headerBytesMax,
      in: 1...RequestLimits.headBytesMaxMax, "Bytes of the fields of a request."),
    Setting(
      "limits.fieldsMax", \.service.serverLimits.request.fieldsMax, in: 1...16_000,
      "Fields of a request."),
    Setting(
      "limits.targetBytesMax", \.service.serverLimits.request.targetBytesMax,
      in: 1...RequestLimits.headBytesMaxMax, "Bytes of a request target."),
    Setting(
      "limits.connectionsMax", \.service.serverLimits.connectionsMax, in: 1...numberMax,
      "Connections."),
    Setting(
      "limits.connectionsPerAddressMax", \.service.serverLimits.connectionsPerAddressMax,
      in: 1...numberMax, "Connections of one address."),
    Setting(
      "limits.parkedMax", \.service.serviceLimits.parkedMax, isLive: true,
      "Readers that wait, streams included."),
    Setting(
      "limits.waitSecondsMax", \.service.serviceLimits.waitSecondsMax, isLive: true,
      "The longest wait of a long poll."),
    Setting(
      "limits.viewMillisecondsMax", \.service.serviceLimits.viewMillisecondsMax,
      in: 1...numberMax, isLive: true,
      "Milliseconds of the processor that the views of one request may take."),
    Setting(
      "limits.changesMax", \.service.serviceLimits.changesMax,
      "Collections in the feed of changes."),
    Setting(
      "limits.unusedSecondsMax", \.service.serviceLimits.unusedSecondsMax,
      "How long nobody may read or write a collection before it is removed; 0: for ever."),
    Setting(
      "limits.readStalenessSeconds", \.service.serviceLimits.readStaleness,
      "How old an answer may be of what another service has written to the same store."),
    Setting(
      "limits.memoryBytesMax", \.service.serviceLimits.memoryBytesMax, in: 0...Int.max,
      "Bytes of collections in memory; a hard limit without a store."),
    Setting(
      "limits.cacheBytesMax", \.service.serviceLimits.cacheBytesMax, "Bytes of cached answers."),
    Setting(
      "limits.bufferedBytesMax", \.service.serverLimits.bufferedBytesMax, in: 1 << 20...1 << 40,
      "Bytes held for all requests and answers."),
    Setting(
      "timeouts.idleSeconds", \.service.serverLimits.idleTimeout, in: 1...numberMax,
      "How long a connection may be idle; longer than any proxy in front keeps it."),
  ]

  private static let history: [Setting] = [
    Setting(
      "history.versionsMax", \.service.serviceLimits.retention.versionsMax,
      "Versions that are kept of a collection."),
    Setting(
      "history.secondsMax", \.service.serviceLimits.retention.seconds, "Their age."),
    Setting(
      "history.bytesMin", \.service.serviceLimits.retention.bytesMin,
      "Bytes of them that are kept in any case; more if the collection is larger."),
  ]
}
