import Synchronization
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// What tenants store, as far as the store says.
@Suite(.timeLimit(.minutes(10))) struct TenantBudgetTests {
  private var limits: ServiceLimits {
    var limits = ServiceLimits()
    limits.tenants.bytesMax = 1000
    return limits
  }

  @Test(arguments: [true, false])
  func `nothing grows before it is known what is stored`(isShared: Bool) async throws {
    let store = SizedStore(isShared: isShared)
    let bench = ServiceBench(limits: limits, store: store)
    let body = "[{\"id\":1,\"t\":\"\(String(repeating: "t", count: 500))\"}]"
    for _ in 0..<3 {
      let refused = await refusal { try await bench.put(body) }
      guard case .storeUnavailable? = refused?.error else {
        Issue.record("\(refused as Any)")
        return
      }
    }
    store.answer([bench.key.client: StoredSize(collections: 1, bytes: 600)])
    var refused: ServiceFailure?
    try await until {
      bench.clock.advance(by: .seconds(1))
      refused = await refusal { try await bench.put(body) }
      if case .storeUnavailable? = refused?.error { return false }
      return true
    }
    guard case .limitPassed(let passed)? = refused?.error else {
      Issue.record("\(refused as Any)")
      return
    }
    #expect(passed.limit == 1000)
  }

  @Test func `the longer it takes to sum up what is stored, the more seldom that is asked`() {
    let store = SizedStore(isShared: true)
    let clock = ManualClock()
    let time = TimeSource(clock)
    let budgets = TenantBudgets(limits.tenants)
    store.answer([:])
    func asks(after seconds: Int) -> Bool {
      clock.advance(by: .seconds(seconds))
      let before = store.askedCount
      budgets.refresh(from: store, time)
      return store.askedCount > before
    }
    #expect(asks(after: 0))
    #expect(!asks(after: 9))
    #expect(asks(after: 1))
    store.hold()
    #expect(asks(after: 10))
    #expect(!asks(after: 1000))
    clock.advance(by: .seconds(7))
    store.answer([:])
    #expect(!asks(after: 20 * 1007 - 1))
    #expect(asks(after: 1))
  }
}

/// A store that says what is in it when the test does; until then it fails.
private final class SizedStore: CollectionStore {
  typealias Sizes = [ResourceName: StoredSize]
  private struct State {
    var sizes: Sizes?
    var isHolding = false
    var held: [@Sendable (Sizes?) -> Void] = []
    var askedCount = 0
  }

  let isShared: Bool
  private let memory = MemoryStore()
  private let state = Mutex(State())

  init(isShared: Bool) { self.isShared = isShared }

  var isReady: Bool { true }
  var askedCount: Int { state.withLock(\.askedCount) }

  func hold() { state.withLock { $0.isHolding = true } }

  func answer(_ sizes: Sizes) {
    let held = state.withLock { state in
      defer { (state.held, state.isHolding, state.sizes) = ([], false, sizes) }
      return state.held
    }
    for completion in held { completion(sizes) }
  }

  func sizes(_ completion: @escaping @Sendable (Sizes?) -> Void) {
    let answer = state.withLock { state -> Sizes?? in
      state.askedCount += 1
      if state.isHolding { state.held.append(completion) }
      return state.isHolding ? nil : .some(state.sizes)
    }
    if let answer { completion(answer) }
  }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) { memory.commit(transaction, completion: completion) }

  func feed(
    after number: UInt64?, countMax: Int,
    completion: @escaping @Sendable (Result<StoredFeed, StoreError>) -> Void
  ) { completion(.failure(.unavailable("it has none"))) }
}
