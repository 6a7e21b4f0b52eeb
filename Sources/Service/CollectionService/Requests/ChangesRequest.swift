public import VersionedCollections

/// An event in the feed of changes.
public enum ChangeEvent: Sendable {
  /// Collections that changed, each listed once.
  case changes([(mark: ChangeMark, change: CollectionChange)])
  /// The reader's position; there are no changes to send.
  case bookmark(ChangeMark)
  /// Some changes before this mark are no longer known, so the reader must read the
  /// collections.
  ///
  /// If the store knows the collections that changed, they are listed, each once; otherwise nil.
  case incomplete(ChangeMark, changed: [CollectionChange]?)
  /// A keep-alive.
  case ping
  /// The last event of the stream.
  case end(EndReason)
}

/// The sink for events of the feed; returns whether it can take more, see ``FollowSink``.
public typealias ChangeSink = @Sendable (ChangeEvent) -> Bool

/// A filter of the feed by collection.
public struct ChangeFilter: Hashable, Sendable {
  /// The client whose collections pass; nil for all clients.
  public var client: ResourceName?
  /// The required prefix of the name, or of `client/name` if `client` is nil.
  public var prefix: String

  /// Creates a filter; by default all collections pass.
  public init(client: ResourceName? = nil, prefix: String = "") {
    self.client = client
    self.prefix = prefix
  }

  func passes(_ key: CollectionKey) -> Bool {
    if let client {
      return client == key.client && key.name.text.hasPrefix(prefix)
    }
    return prefix.isEmpty || "\(key.client.text)/\(key.name.text)".hasPrefix(prefix)
  }
}

/// A request to follow the feed of changes.
public struct ChangesRequest: Sendable {
  /// The reader's position; nil to start with future changes.
  public var since: ChangeMark?
  /// The collections to report.
  public var filter: ChangeFilter
  /// The interval between keep-alives.
  public var ping: Duration
  /// The time after which the stream ends, to limit the age of connections.
  public var lifetime: Duration

  /// Creates a request.
  public init(
    since: ChangeMark?, filter: ChangeFilter = ChangeFilter(), ping: Duration, lifetime: Duration
  ) {
    self.since = since
    self.filter = filter
    self.ping = ping
    self.lifetime = lifetime
  }
}
