import CollectionService
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// Reading the feed of changes of a shared store.
@Suite(.timeLimit(.minutes(10))) struct SharedFeedTests {
  @Test func `older changes that could not be read are read a second later`() async throws {
    let store = FeedStore()
    let bench = ServiceBench(store: store)
    let told = Mutex<[String]>([])
    func names() -> [String] { told.withLock(\.self) }
    let request = ChangesRequest(
      since: ChangeMark("\(FeedStore.epoch).5"), ping: .seconds(60), lifetime: .seconds(6000))
    bench.service.followChanges(request, bench.service.changesTicket()) { _ in
      { event in
        if case .changes(let changes) = event {
          told.withLock { $0 += changes.map(\.change.key.name.text) }
        }
        return true
      }
    }
    try await until { store.failureCount > 0 }
    #expect(names().isEmpty)
    store.isAway = false
    try await until {
      bench.clock.advance(by: .seconds(1))
      return !names().isEmpty
    }
    #expect(names() == ["old"])
  }
}

/// A shared store with one old change, which cannot be read while it is away.
private final class FeedStore: CollectionStore {
  static let epoch = "0123abcd"
  private let state = Mutex((isAway: true, failureCount: 0))
  var isShared: Bool { true }

  var failureCount: Int { state.withLock(\.failureCount) }
  var isAway: Bool {
    get { state.withLock(\.isAway) }
    set { state.withLock { $0.isAway = newValue } }
  }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) { completion(.failure(.unavailable("it has a feed alone"))) }

  func feed(
    after number: UInt64?, countMax: Int,
    completion: @escaping @Sendable (Result<StoredFeed, StoreError>) -> Void
  ) {
    let isOld = number == 5
    let fails = state.withLock { state in
      if isOld && state.isAway { state.failureCount += 1 }
      return isOld && state.isAway
    }
    if fails { return completion(.failure(.unavailable("it is away"))) }
    let key = CollectionKey(client: name("u42"), name: name("old"))
    let version = VersionToken("lineage1.1.AAAAAAAAAAAAAAAA")
    let old = version.map {
      (
        number: UInt64(6),
        change: CollectionChange(
          key: key, version: $0, secret: nil, isDeleted: false)
      )
    }
    completion(
      .success(
        StoredFeed(
          epoch: Self.epoch, isKnown: number != nil, end: 10,
          changes: isOld ? [old].compactMap(\.self) : [],
          hasMore: false)))
  }
}
