import Dispatch
import Synchronization
import VersionedCollections

/// What all tenants store, counted by each commit.
///
/// What a write will add is reserved before it is committed, because the clients of a tenant are on
/// several shards; what it removes is subtracted afterwards. A write that adds nothing is never
/// refused, not even when the limits have been lowered. What other services add to a shared store is
/// counted when the store is asked again.
///
/// Until the store has said what is there, nothing may grow.
final class TenantBudgets: Sendable {
  private struct State {
    /// Whether `stored` has what the store has said.
    var isKnown = false
    /// The uptime from which on the store is asked again.
    var nextDate = Duration.zero
    var stored: [String: StoredSize] = [:]
    var reserved: [String: StoredSize] = [:]
    /// What was committed since the store was asked; nil if it is not being asked.
    var recent: [String: StoredSize]?
  }

  let limits: TenantLimits
  private let state = Mutex(State())

  init(_ limits: TenantLimits) { self.limits = limits }

  /// Whether the store need not be asked any more.
  func isComplete(for store: any CollectionStore) -> Bool {
    !limits.areThere || !store.isShared && state.withLock(\.isKnown)
  }

  /// The shortest time between two questions.
  private static let interval = Duration.seconds(10)
  /// The share of its time that a store may spend on answers is one to this.
  private static let pauseFactor = 20

  /// Asks a store for what is stored if it is time to, unless it is being asked.
  ///
  /// What is committed meanwhile may be counted twice until the next time.
  func refresh(
    from store: any CollectionStore, _ time: TimeSource,
    completion: @escaping @Sendable () -> Void = {}
  ) {
    guard !isComplete(for: store) else { return completion() }
    let start = time.uptime()
    let isFree = state.withLock { state in
      guard state.recent == nil, start >= state.nextDate else { return false }
      state.recent = [:]
      return true
    }
    guard isFree else { return completion() }
    store.sizes { [self] sizes in
      take(sizes, from: start, to: time.uptime())
      completion()
    }
  }

  /// Asks a store for what is stored, and waits for its answer.
  func waitForSizes(of store: any CollectionStore, _ time: TimeSource) {
    guard limits.areThere else { return }
    let isAnswered = DispatchSemaphore(value: 0)
    refresh(from: store, time) { isAnswered.signal() }
    isAnswered.wait()
  }

  private func take(
    _ sizes: [ResourceName: StoredSize]?, from start: Duration, to end: Duration
  ) {
    var stored: [String: StoredSize] = [:]
    for (client, size) in sizes ?? [:] { stored.add(size, to: limits.tenant(of: client)) }
    state.withLock { [stored] state in
      let recent = state.recent ?? [:]
      state.recent = nil
      // Nothing may grow before the first answer, so that is asked for again at once.
      guard sizes != nil || state.isKnown else { return }
      state.nextDate = end + max(Self.interval, (end - start) * Self.pauseFactor)
      guard sizes != nil else { return }
      state.isKnown = true
      state.stored = stored
      for (tenant, size) in recent { state.stored.add(size, to: tenant) }
    }
  }

  /// Reserves room for the growth by a change.
  ///
  /// - Returns: What was reserved.
  /// - Throws: `limitPassed`; `storeUnavailable` while it is not known what is stored.
  func reserve(_ change: StoredSize, of client: ResourceName) throws(ServiceError) -> StoredSize {
    let growth = change.growth
    guard limits.areThere, growth != StoredSize() else { return StoredSize() }
    let tenant = limits.tenant(of: client)
    let refusal = state.withLock { state -> ServiceError? in
      guard state.isKnown else { return .storeUnavailable }
      let reserved = state.reserved[tenant, default: StoredSize()] + growth
      let size = state.stored[tenant, default: StoredSize()] + reserved
      if let passed = limits.passed(by: size, growth) { return .limitPassed(passed) }
      state.reserved[tenant] = reserved
      return nil
    }
    if let refusal { throw refusal }
    return growth
  }

  /// Replaces what was reserved by what was stored in fact.
  func settle(_ client: ResourceName, reserved: StoredSize, change: StoredSize) {
    guard limits.areThere else { return }
    let tenant = limits.tenant(of: client)
    state.withLock { state in
      state.reserved.add(StoredSize() - reserved, to: tenant)
      state.stored.add(change, to: tenant)
      state.recent?.add(change, to: tenant)
    }
  }
}

extension [String: StoredSize] {
  /// Adds a size to a tenant's; a tenant without any is left out.
  fileprivate mutating func add(_ size: StoredSize, to tenant: String) {
    let sum = self[tenant, default: StoredSize()] + size
    self[tenant] = sum == StoredSize() ? nil : sum
  }
}
