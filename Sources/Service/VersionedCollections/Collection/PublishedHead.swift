import Synchronization

/// The identity of a collection's newest version; answers created from it are valid while it is
/// ``isCurrent``.
///
/// The head is withdrawn when the collection has another version or other settings, is deleted, or
/// is evicted, and once a day if unused collections are removed: before the writer is answered and before any reader sees what comes next.
public final class PublishedHead: Sendable {
  private let isWithdrawn = Atomic<Bool>(false)

  package init() {}

  /// Whether answers created from this head are still valid; check it after the request has
  /// arrived.
  public var isCurrent: Bool { !isWithdrawn.load(ordering: .acquiring) }

  /// Invalidates answers created from this head.
  package func withdraw() { isWithdrawn.store(true, ordering: .releasing) }
}

extension PublishedHead: Hashable {
  /// Compares by identity.
  public static func == (one: PublishedHead, other: PublishedHead) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
