/// The answer to a request for a delta.
public enum DeltaAnswer: Hashable, Sendable {
  /// The whole content: the initial load, or a reset.
  case snapshot(WireSnapshot)
  /// What turns the version asked about into the newest.
  case delta(WireDelta)
  /// The version asked about is the newest.
  case unchanged(version: String, seq: Int)
  /// The collection was deleted while the reader waited.
  case deleted
}

/// The whole content of a collection at one version.
public struct WireSnapshot: Hashable, Sendable {
  /// Why a reader who asked for a delta got a snapshot.
  public struct Reset: Hashable, Sendable {
    /// `delta-too-large`, `history-compacted`, `diverged` or `lineage-changed`.
    public var reason: String
    /// The version asked about, if the answer has it.
    public var since: String?

    /// A reason for a reset.
    public init(reason: String, since: String? = nil) {
      self.reason = reason
      self.since = since
    }
  }

  /// The collection's name.
  public var collection: String
  /// The version; an opaque token.
  public var version: String
  /// The version's number.
  public var seq: Int
  /// The sections, in order.
  public var sections: [ReplicaSection]
  /// The collection's own content beside the sections, minified.
  public var meta: [UInt8]?
  /// Set when a delta was asked for and could not be given.
  public var reset: Reset?

  /// A snapshot.
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

/// The answer to a write.
public struct WriteAnswer: Hashable, Sendable {
  /// The version that now is the newest.
  public var version: String
  /// Its number.
  public var seq: Int
  /// The version before it; `nil` for the first.
  public var previous: String?
  /// Whether the content differed; equal content makes no version.
  public var changed: Bool
  /// Whether the collection is new.
  public var created: Bool

  /// An answer to a write.
  public init(version: String, seq: Int, previous: String?, changed: Bool, created: Bool) {
    self.version = version
    self.seq = seq
    self.previous = previous
    self.changed = changed
    self.created = created
  }
}
