/// The answer to a request for a delta.
public enum DeltaAnswer: Hashable, Sendable {
  /// The whole contents: the initial load, or a reset.
  case snapshot(WireSnapshot)
  /// The changes from the requested version to the newest.
  case delta(WireDelta)
  /// The requested version is the newest, or, with the numbers of a view, shows the same as this newer one.
  case unchanged(version: String, seq: Int, view: ViewNumbers? = nil)
  /// The collection was deleted while the request waited.
  case deleted
}

/// The contents of a collection at one version.
public struct WireSnapshot: Hashable, Sendable {
  /// The reason a snapshot was sent in place of a delta.
  public struct Reset: Hashable, Sendable {
    /// `delta-too-large`, `history-compacted`, `diverged`, `lineage-changed` or `view-changed`.
    public var reason: String
    /// The version that the request named, if the answer repeats it.
    public var since: String?

    /// Creates a reset.
    public init(reason: String, since: String? = nil) {
      self.reason = reason
      self.since = since
    }
  }

  /// The collection's name.
  public var collection: String
  /// The version, as an opaque token.
  public var version: String
  /// The sequence number of the version.
  public var seq: Int
  /// The sections, in order.
  public var sections: [ReplicaSection]
  /// The collection's own content besides the sections, minified.
  public var meta: [UInt8]?
  /// The reason for the snapshot if a delta was requested but is not available.
  public var reset: Reset?
  /// The numbers of the view; `nil` without one.
  public var view: ViewNumbers?

  /// Creates a snapshot.
  public init(
    collection: String, version: String, seq: Int, sections: [ReplicaSection],
    meta: [UInt8]? = nil, reset: Reset? = nil
  ) {
    self.collection = collection
    self.version = version
    self.seq = seq
    self.sections = sections
    self.meta = meta
    self.reset = reset
  }

  /// The number of items in all sections.
  public var itemCount: Int { sections.reduce(0) { $0 + $1.items.count } }
}

/// The answer about several collections, at one moment.
public struct SyncAnswer: Hashable, Sendable {
  /// The answers about collections that changed, by name.
  public var collections: [String: DeltaAnswer]
  /// The names of collections that did not change.
  public var unchanged: [String]
  /// The names of collections that do not exist, and of which no version is held.
  public var missing: [String]
}

/// The answer to a write.
public struct WriteAnswer: Hashable, Sendable {
  /// The newest version after the write.
  public var version: String
  /// The sequence number of the version.
  public var seq: Int
  /// The preceding version; `nil` for the first.
  public var previous: String?
  /// Whether the contents changed; equal contents create no version.
  public var changed: Bool
  /// Whether the collection was created.
  public var created: Bool

  /// Creates an answer to a write.
  public init(version: String, seq: Int, previous: String?, changed: Bool, created: Bool) {
    self.version = version
    self.seq = seq
    self.previous = previous
    self.changed = changed
    self.created = created
  }
}
