import Synchronization

/// A collection's newest version in this process, for as long as it is that.
///
/// What readers are told of it may be told again while it is ``isCurrent``. Before a writer is answered, and before
/// any reader is told of what comes next, the head is withdrawn: by another version, other settings, a deletion, or
/// because the collection leaves memory.
public final class PublishedHead: Sendable {
  private let isWithdrawn = Atomic<Bool>(false)
  private let isUsed = Atomic<Bool>(false)

  package init() {}

  /// Whether what was told of it is still the answer; asked for each answer, when the request is there.
  public var isCurrent: Bool { !isWithdrawn.load(ordering: .acquiring) }

  /// Notes that something was told again without its shard, so that the collection counts as used.
  public func use() {
    if !isUsed.load(ordering: .relaxed) { isUsed.store(true, ordering: .relaxed) }
  }

  /// Ends what may be told again.
  func withdraw() { isWithdrawn.store(true, ordering: .releasing) }

  /// Whether it was used since this was asked last.
  func takeUse() -> Bool { isUsed.exchange(false, ordering: .relaxed) }
}

extension PublishedHead: Hashable {
  /// Heads are distinguished by what they are, not by what they have.
  public static func == (one: PublishedHead, other: PublishedHead) -> Bool { one === other }

  /// Hashes what distinguishes it.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
