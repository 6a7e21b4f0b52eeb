import Synchronization

/// What the service counts, for `/metrics`.
public final class ServiceCounters: Sendable {
  /// Versions committed.
  public let versions = Counter()
  /// Writes of equal content.
  public let unchangedWrites = Counter()
  /// Writes refused, by a precondition, a limit or a fault in the body.
  public let refusedWrites = Counter()
  /// Items of snapshots that were taken as known, word for word, and not read.
  public let knownItems = Counter()
  /// Deltas computed for readers.
  public let deltas = Counter()
  /// Deltas that the simulator refused; each is a bug of the engine.
  public let refusedDeltas = Counter()
  /// Answers encoded; fewer than sent, since readers share them.
  public let encodings = Counter()
  /// Snapshots sent for want of a delta: over a threshold.
  public let tooLargeResets = Counter()
  /// Likewise: the version was no longer kept.
  public let compactedResets = Counter()
  /// Likewise: the version never was one of this collection.
  public let divergedResets = Counter()
  /// Likewise: the version was of another life of the collection.
  public let lineageResets = Counter()
  /// Readers that wait now.
  public let parked = Counter()
  /// Collections that exist now.
  public let collections = Counter()
  /// Collections that are in memory now.
  public let residentCollections = Counter()
  /// About how much memory those take.
  public let residentBytes = Counter()
  /// Collections brought back from the store.
  public let loads = Counter()
  /// Collections found to be damaged when they were to be brought back.
  public let damagedLoads = Counter()
  /// Writes that the store did not carry out.
  public let failedCommits = Counter()

  init() {}

  func count(_ reason: Reset.Reason) {
    switch reason {
    case .deltaTooLarge: tooLargeResets.add(1)
    case .historyCompacted: compactedResets.add(1)
    case .diverged: divergedResets.add(1)
    case .lineageChanged: lineageResets.add(1)
    }
  }
}

/// A number that many threads add to.
public struct Counter: ~Copyable, Sendable {
  private let number = Atomic<Int>(0)

  init() {}

  /// Its value now.
  public var value: Int { number.load(ordering: .relaxed) }

  /// Adds to it.
  ///
  /// - Returns: The new value.
  @discardableResult
  func add(_ amount: Int) -> Int { number.add(amount, ordering: .relaxed).newValue }
}
