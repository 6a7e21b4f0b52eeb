import SnapshotJSON

/// A reader's copy of a collection: a version and its contents.
///
/// A delta is applied only if it starts from the current version, and a snapshot replaces
/// everything; versions are compared only for equality. An answer that does not fit, or an
/// inconsistent delta, is refused and changes nothing.
///
/// ```swift
/// var replica = CollectionReplica()
/// let answer = try await client.delta(of: inbox, since: replica.version, wait: 25)
/// if case .updated(let update) = try replica.apply(answer.value) { show(update.delta) }
/// ```
public struct CollectionReplica: Sendable {
  /// The version; `nil` before the first snapshot and after a deletion.
  public private(set) var version: String?
  /// The sequence number of the version; 0 without a version.
  public private(set) var seq = 0
  /// The sections, in order.
  public private(set) var sections: [ReplicaSection] = []
  /// The collection's own content besides the sections, minified.
  public private(set) var meta: [UInt8]?
  /// Whether the next delta may contain merge patches of items.
  ///
  /// It may if the contents match the digest in the version token, so that an error would be
  /// detected.
  public private(set) var takesItemPatches = false
  /// How many items a view has, and which of them the sections are; `nil` without a view.
  public private(set) var view: ViewNumbers?

  /// Creates an empty replica.
  public init() {}

  /// The number of items in all sections.
  public var itemCount: Int { sections.reduce(0) { $0 + $1.items.count } }

  /// Applies an answer.
  ///
  /// - Returns: The change, for a view.
  /// - Throws: `ReplicaError`, without changing anything: `wrongBase` for a delta from another
  ///   version, `badDelta` for one that cannot be applied.
  /// - Complexity: O(*n*), where *n* is the number of items.
  @discardableResult
  public mutating func apply(_ answer: DeltaAnswer) throws(ReplicaError) -> ReplicaChange {
    switch answer {
    case .snapshot(let snapshot): return replace(by: snapshot)
    case .delta(let delta): return .updated(try apply(delta))
    case .unchanged(let version, let seq, let view):
      // A later version may show the same in a view.
      let isSame = version == self.version
      let isLater = view != nil || seq > self.seq
      guard isSame || isLater && Self.lineage(version) == self.version.map(Self.lineage)
      else { throw .wrongBase(held: self.version, from: version) }
      (self.version, self.seq) = (version, max(self.seq, seq))
      self.view = view ?? self.view
      return .unchanged
    case .deleted:
      self = CollectionReplica()
      return .deleted
    }
  }

  /// What the versions between a creation and a deletion have in common.
  private static func lineage(_ version: String) -> Substring { version.prefix { $0 != "." } }

  @discardableResult
  mutating func replace(by snapshot: WireSnapshot) -> ReplicaChange {
    version = snapshot.version
    seq = snapshot.seq
    sections = snapshot.sections
    meta = snapshot.meta
    view = snapshot.view
    takesItemPatches = Self.hasDigest(of: snapshot.version, sections, meta) == true
    return .replaced(by: sections, reset: snapshot.reset)
  }

  private mutating func apply(_ delta: WireDelta) throws(ReplicaError) -> ReplicaUpdate {
    guard delta.from == version else { throw .wrongBase(held: version, from: delta.from) }
    let update = try ReplicaUpdate(delta, from: sections)
    let meta: [UInt8]? =
      switch delta.meta {
      case .none: self.meta
      case .removed: nil
      case .changed(let meta): meta
      }
    guard delta.itemPatches.isEmpty || Self.hasDigest(of: delta.to, update.target, meta) != false
    else {
      throw .badDelta(step: nil, reason: "patched, the content is another than that of \(delta.to)")
    }
    version = delta.to
    seq = delta.seq
    sections = update.target
    view = delta.view
    self.meta = meta
    return update
  }

  /// Whether contents are those of a version, by the digest in its token; `nil` if that does not tell.
  private static func hasDigest(
    of version: String, _ sections: [ReplicaSection], _ meta: [UInt8]?
  ) -> Bool? {
    let meta = meta.flatMap {
      JSONReader(depthMax: 128, isPortable: true).root(of: $0)?.contentHash()
    }
    return VersionDigest(
      of: sections, meta: meta, lineage: version.prefix { $0 != "." }
    ).matches(version)
  }
}
