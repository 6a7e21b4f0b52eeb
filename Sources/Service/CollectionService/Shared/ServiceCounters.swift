import Synchronization
import VersionedCollections

/// The service's metrics, for `/metrics`.
public final class ServiceCounters: Sendable {
  /// Versions committed.
  public let versions = Counter()
  /// Writes that did not change the content.
  public let unchangedWrites = Counter()
  /// Writes refused because of a precondition, a limit or an invalid body.
  public let refusedWrites = Counter()
  /// Items of snapshots that were elided as unchanged.
  public let knownItems = Counter()
  /// Deltas computed for readers.
  public let deltas = Counter()
  /// Deltas rejected by the simulator; each is a bug in the engine.
  public let refusedDeltas = Counter()
  /// Answers encoded; lower than the number sent, because readers share them.
  public let encodings = Counter()
  /// Resets because a threshold was exceeded.
  public let tooLargeResets = Counter()
  /// Resets because the version is no longer retained.
  public let compactedResets = Counter()
  /// Resets because the collection never had the version.
  public let divergedResets = Counter()
  /// Resets because the version is of another lineage.
  public let lineageResets = Counter()
  /// Resets because the version was given under another restriction.
  public let viewResets = Counter()
  /// Waiting readers.
  public let parked = Counter()
  /// The approximate size of their views in bytes.
  public let parkedViewBytes = Counter()
  /// Existing collections.
  public let collections = Counter()
  /// Collections in memory.
  public let residentCollections = Counter()
  /// Their approximate size in bytes.
  public let residentBytes = Counter()
  /// Collections loaded from the store.
  public let loads = Counter()
  /// Collections found damaged while loading.
  public let damagedLoads = Counter()
  /// Collections removed because nobody used them.
  public let unusedRemovals = Counter()
  /// Writes that the store failed to commit.
  public let failedCommits = Counter()
  /// How long the store took for each write.
  public let commitTimes = Histogram()
  /// How long it took to compute and to judge each delta.
  public let deltaTimes = Histogram()
  /// Steps of deltas computed.
  public let deltaSteps = Counter()
  /// Moves in them, of items and sections.
  public let deltaMoves = Counter()
  /// Changes in them, moves included.
  public let deltaChanges = Counter()
  /// Bytes by which deltas computed were shorter than the contents.
  public let savedBytes = Counter()
  /// Lookups in the cache of answers that found one.
  public let cacheHits = Counter()
  /// Lookups that did not.
  public let cacheMisses = Counter()
  /// Versions whose answers were evicted for lack of room.
  public let cacheEvictions = Counter()
  /// Collections evicted from memory.
  public let collectionEvictions = Counter()
  /// From the commit of a change to the hand-over of each waiting reader's answer.
  public let wakeTimes = Histogram()

  init() {}

  func count(_ reason: Reset.Reason) {
    switch reason {
    case .deltaTooLarge: tooLargeResets.add(1)
    case .historyCompacted: compactedResets.add(1)
    case .diverged: divergedResets.add(1)
    case .lineageChanged: lineageResets.add(1)
    case .viewChanged: viewResets.add(1)
    }
  }
}

/// An atomic counter.
public struct Counter: ~Copyable, Sendable {
  private let number = Atomic<Int>(0)

  init() {}

  /// The current value.
  public var value: Int { number.load(ordering: .relaxed) }

  @discardableResult
  func add(_ amount: Int) -> Int { number.add(amount, ordering: .relaxed).newValue }

  func set(_ value: Int) { number.store(value, ordering: .relaxed) }
}
