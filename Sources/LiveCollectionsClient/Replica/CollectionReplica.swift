import SnapshotJSON

/// A reader's copy of a collection: a version and its content.
///
/// A delta is applied only when it starts from the current version, a snapshot replaces everything,
/// and versions are compared only for equality. An answer that does not fit, or a delta that is not
/// consistent, is refused and changes nothing.
///
/// ```swift
/// var replica = CollectionReplica()
/// let answer = try await client.delta(of: inbox, since: replica.version, wait: 25)
/// if case .updated(let update) = try replica.apply(answer) { show(update.delta) }
/// ```
public struct CollectionReplica: Sendable {
  /// The version; `nil` before the first snapshot and after the collection was deleted.
  public private(set) var version: String?
  /// The version's number; 0 without a version.
  public private(set) var seq = 0
  /// The sections, in order.
  public private(set) var sections: [ReplicaSection] = []
  /// The collection's own content beside the sections, minified.
  public private(set) var meta: [UInt8]?
  /// Whether the next delta may have merge patches of items: the content has the digest that its
  /// version says, so that a wrong one would be seen.
  public private(set) var takesItemPatches = false

  /// An empty replica.
  public init() {}

  /// The number of items in all sections.
  public var itemCount: Int { sections.reduce(0) { $0 + $1.items.count } }

  /// Applies an answer.
  ///
  /// - Returns: What changed, for a view.
  /// - Throws: `ReplicaError`, and nothing is changed: `wrongBase` for a delta from another
  ///   version, `badDelta` for one that cannot be applied.
  /// - Complexity: O(items).
  @discardableResult
  public mutating func apply(_ answer: DeltaAnswer) throws(ReplicaError) -> ReplicaChange {
    switch answer {
    case .snapshot(let snapshot): return replace(by: snapshot)
    case .delta(let delta): return .updated(try apply(delta))
    case .unchanged(let version, _):
      guard version == self.version else {
        throw .wrongBase(held: self.version, from: version)
      }
      return .unchanged
    case .deleted:
      self = CollectionReplica()
      return .deleted
    }
  }

  private mutating func replace(by snapshot: WireSnapshot) -> ReplicaChange {
    version = snapshot.version
    seq = snapshot.seq
    sections = snapshot.sections
    meta = snapshot.meta
    takesItemPatches = Self.hasDigest(of: snapshot.version, sections, meta)
    return .replaced(by: sections, reset: snapshot.reset)
  }

  private mutating func apply(_ delta: WireDelta) throws(ReplicaError) -> ReplicaUpdate {
    guard delta.from == version else { throw .wrongBase(held: version, from: delta.from) }
    if let id = delta.nested.first {
      throw .badDelta(step: nil, reason: "the list inside \"\(id)\" changed by itself")
    }
    let update = try ReplicaUpdate(delta, from: sections)
    let meta: [UInt8]? =
      switch delta.meta {
      case .none: self.meta
      case .removed: nil
      case .changed(let meta): meta
      }
    guard delta.itemPatches.isEmpty || Self.hasDigest(of: delta.to, update.target, meta) else {
      throw .badDelta(step: nil, reason: "patched, the content is another than that of \(delta.to)")
    }
    version = delta.to
    seq = delta.seq
    sections = update.target
    self.meta = meta
    return update
  }

  private static func hasDigest(
    of version: String, _ sections: [ReplicaSection], _ meta: [UInt8]?
  ) -> Bool {
    let meta = meta.flatMap { try? JSONReader(depthMax: 128).read($0).root.contentHash() }
    return VersionDigest(
      of: sections, meta: meta, lineage: version.prefix { $0 != "." }
    ).matches(version)
  }
}
