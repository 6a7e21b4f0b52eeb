import TestSupport

@testable import VersionedCollections

/// The way to the store: how long it takes, and what goes wrong on it.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class StoreLink: @unchecked Sendable {
  private let world: World
  private let store: SimulatedStore
  private let isShared: Bool
  private let plan: Plan
  private let faults: Set<FaultKind>
  private var generator: SeededGenerator
  /// Since when it cannot be reached; nil if it can.
  private(set) var awaySince: Microseconds?
  /// Until when it could not be reached last.
  private(set) var wasAwayUntil: Microseconds = .min / 2
  /// Until when faults happen.
  private let end: Microseconds
  /// Times at which the store was away or slow, failed or lost something.
  private(set) var troubles: [ClosedRange<Microseconds>] = []
  private var isSlow = false
  /// One answer in so many is late.
  private let lateOneIn: Int
  /// Called when a standby has taken over.
  var onFailover: () -> Void = {}

  init(_ world: World, _ store: SimulatedStore, _ plan: Plan, isShared: Bool) {
    (self.world, self.store, self.plan, self.isShared) = (world, store, plan, isShared)
    faults = plan.chosenFaults
    generator = plan.generator(.store)
    end = plan.seconds.seconds
    lateOneIn = plan.oneIn([3, 12][generator.below(2)])
    if faults.contains(.storeAway) {
      scheduleTrouble { link, isAway in
        if let disk = link.store.disk {
          disk.disk.isFull = isAway
        } else {
          link.awaySince = isAway ? link.world.now : nil
          if !isAway { link.wasAwayUntil = link.world.now }
        }
      }
    }
    if faults.contains(.slowStore) { scheduleTrouble { $0.isSlow = $1 } }
    if faults.contains(.failover), isShared { scheduleFailover() }
    store.disk?.onTrouble = { [unowned self] in record(for: 1.seconds) }
    setDisk(isFaulty: true)
    world.after(end) { [self] in setDisk(isFaulty: false) }
  }

  /// Whether it may be unknown what became of a commit.
  var losesOutcomes: Bool {
    faults.contains(.unknownCommits) || isOnDisk && faults.contains(.failedReads)
  }

  /// Whether the store accepts writes, as far as it knows.
  var isReady: Bool { store.disk?.isReady ?? true }

  /// Whether the store is that of SQLite, on a disk.
  var isOnDisk: Bool { store.disk != nil }

  /// On a disk, single actions fail.
  private func setDisk(isFaulty: Bool) {
    guard let disk = store.disk?.disk else { return }
    let (reads, writes) = (faults.contains(.failedReads), faults.contains(.unknownCommits))
    disk.readsFailOneIn = isFaulty && reads ? plan.oneIn(60) : nil
    disk.writesFailOneIn = isFaulty && writes ? plan.oneIn(60) : nil
    if !isFaulty { disk.actionsUntilPowerLoss = nil }
  }

  private func scheduleTrouble(_ set: @escaping (StoreLink, Bool) -> Void) {
    let start = generator.below(15.seconds)
    let length = 100.milliseconds + generator.below(4.seconds)
    world.after(start) { [self] in
      guard world.now < end else { return }
      set(self, true)
      // What was asked during the trouble may be answered a while later.
      record(for: length + 3.seconds)
      world.note("the store is in trouble for \(length)")
      world.after(length) { [self] in
        set(self, false)
        world.note("the store is well")
        scheduleTrouble(set)
      }
    }
  }

  private func record(for length: Microseconds) {
    troubles.append(world.now...world.now + length)
  }

  private func scheduleFailover() {
    let lag = generator.below(800.milliseconds)
    world.after(1.seconds + generator.below(plan.pause(15.seconds))) { [self] in
      guard world.now < end else { return }
      // What is in memory of what was lost may be served until a list tells.
      record(for: 3.seconds)
      world.note("a standby takes over that is behind by \(lag)")
      store.failOver(lag: lag)
      onFailover()
      scheduleFailover()
    }
  }

  private func delay() -> Microseconds {
    if isSlow { return generator.below(2.seconds) }
    // Single answers are late, too.
    guard faults.contains(.slowStore), world.now < end, generator.below(lateOneIn) == 0 else {
      return 100 + generator.below(4.milliseconds)
    }
    let delay = generator.below(1200.milliseconds)
    record(for: delay)
    return delay
  }

  /// By how much an answer is late that others may overtake: never so much that those who wait notice.
  private func lateness(isCommit: Bool = false) -> Microseconds {
    guard faults.contains(.lateLists), world.now < end, generator.below(2) == 0 else { return 0 }
    return generator.below((isShared ? isCommit ? 120 : 60 : 40).milliseconds)
  }

  /// Asks the store: it reads at some time before it answers.
  func read<Value>(
    isList: Bool = false, _ read: @escaping (SimulatedStore) -> Value,
    _ completion: @escaping (Result<Value, StoreError>) -> Void
  ) {
    let (before, after) = (delay(), delay() + (isList ? lateness() : 0))
    let mayFail = faults.contains(.failedReads) && world.now < end && store.disk == nil
    let fails = mayFail && generator.below(plan.oneIn(15)) == 0
    world.after(before) { [self] in
      if fails { record(for: 1.seconds) }
      let result: Result<Value, StoreError> =
        awaySince != nil || fails
        ? .failure(.unavailable("the store is away")) : .success(read(store))
      world.after(after) { completion(result) }
    }
  }

  /// The most changes of the feed in one answer.
  private static let changesMax = 3

  /// Reads the feed.
  func readFeed(
    after number: UInt64?, _ countMax: Int,
    _ completion: @escaping (Result<StoredFeed, StoreError>) -> Void
  ) {
    read({ $0.feed(after: number, countMax: min(countMax, Self.changesMax)) }, completion)
  }

  /// Commits, at some time before the outcome is known; or it is not known.
  ///
  /// Nothing comes of it if the store is a part of the replica, and that no longer runs.
  func commit(
    _ transaction: StoreTransaction, by operation: Int, while isAlive: @escaping () -> Bool,
    _ completion: @escaping (Result<Void, StoreError>) -> Void
  ) {
    let before = delay()
    let isDrawn = faults.contains(.unknownCommits) && world.now < end
    let draw = isDrawn ? generator.below(max(6, plan.oneIn(12))) : 12
    let late = generator.below(1500.milliseconds)
    // That a connection broke is known late.
    let after =
      delay() + (draw < 3 && isShared ? generator.below(2.seconds) : lateness(isCommit: true))
    let isDoubled = isShared && faults.contains(.doubled) && generator.below(plan.oneIn(4)) == 0
    world.after(before) { [self] in
      guard isShared || isAlive() else { return }
      if let disk = store.disk {
        return disk.commit(transaction, by: operation) { [self] result in
          world.after(after) { completion(result) }
        }
      }
      var result: Result<Void, StoreError> = .failure(.unknown("the connection broke"))
      let commit = { [self] in store.commit(transaction, by: operation) }
      switch draw {
      // A store with one service has undone them.
      case 0..<3 where !isShared: break
      case 0: break
      case 1: _ = commit()
      case 2: world.after(late) { _ = commit() }
      default: result = awaySince != nil ? .failure(.unavailable("away")) : commit()
      }
      // The store refuses what it has done.
      if isDoubled, case .success = result { _ = commit() }
      world.after(after) { completion(result) }
    }
  }
}
