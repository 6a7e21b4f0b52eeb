import Synchronization

/// The identity of a collection's newest version; answers created from it are valid while it is
/// ``isCurrent``.
///
/// The head is withdrawn when the collection has another version or other settings, is deleted, or
/// is evicted: before the writer is answered and before any reader sees what comes next.
public final class PublishedHead: Sendable {
  private let isWithdrawn = Atomic<Bool>(false)
  private let hasUse = Atomic<Bool>(false)

  package init() {}

  /// Whether answers created from this head are still valid; check it after the request has
  /// arrived.
  public var isCurrent: Bool { !isWithdrawn.load(ordering: .acquiring) }

  /// Marks the collection as used by an answer that its shard did not see.
  public func use() {
    if !isUsed { hasUse.store(true, ordering: .relaxed) }
  }

  /// Invalidates answers created from this head.
  package func withdraw() { isWithdrawn.store(true, ordering: .releasing) }

  /// Returns whether the head was used since the last call.
  package func takeUse() -> Bool { hasUse.exchange(false, ordering: .relaxed) }

  /// Whether the head was used since the last call of `takeUse()`.
  package var isUsed: Bool { hasUse.load(ordering: .relaxed) }
}

extension PublishedHead: Hashable {
  /// Compares by identity.
  public static func == (one: PublishedHead, other: PublishedHead) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
