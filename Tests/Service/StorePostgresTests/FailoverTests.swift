import CollectionService
import StorePostgres
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// A database that goes back in time: one of its standbys was promoted and had not got everything,
/// or an older export was imported.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct FailoverTests {
  private let a: PostgresBench
  private let b: PostgresBench

  init() throws {
    a = try PostgresBench(try #require(PostgresServer.shared))
    b = try a.replica()
  }

  private func put(_ numbers: ClosedRange<Int>) async throws -> [VersionToken] {
    var versions: [VersionToken] = []
    for number in numbers {
      versions.append(try await a.bench.put("[{\"id\":\(number)}]").version)
    }
    return versions
  }

  @Test func `versions that were lost are diverged, and writes go on from what is left`()
    async throws
  {
    let versions = try await put(1...3)
    #expect(try await b.bench.delta(since: versions[0]).text == #"delta +3{"id":3} -1"#)
    try a.move(to: versions[1])
    let refused = await refusal { try await b.bench.put("[]", .matching(versions[2])) }
    guard case .versionConflict? = refused?.error else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(refused?.current == versions[1])
    let next = try await b.bench.put(#"[{"id":4}]"#)
    #expect(next.version.seq == 3 && next.previous == versions[1])
    for replica in [a, b] {
      replica.bench.clock.advance(by: .milliseconds(1001))
      #expect(try await replica.bench.delta(since: versions[1]).text == #"delta +4{"id":4} -2"#)
      #expect(try await replica.bench.delta(since: versions[2]).text == "diverged :4")
      let strict = await refusal {
        try await replica.bench.delta(since: versions[2], isStrict: true)
      }
      #expect(strict?.current == next.version)
    }
  }

  @Test func `a write to what was loaded again meanwhile is read from the store`() async throws {
    let held = HeldStore(b.store)
    let bench = ServiceBench(store: held, seed: 99, faults: b.faults.record)
    let versions = try await put(1...2)
    #expect(try await bench.delta(since: nil).text == ":2")
    held.hold()
    async let third = bench.put(#"[{"id":3}]"#)
    try await held.untilHolding()
    try a.move(to: versions[0])
    bench.clock.advance(by: .milliseconds(1001))
    #expect(try await bench.delta(since: nil).text == ":1")
    try a.move(to: versions[1])
    bench.clock.advance(by: .milliseconds(1001))
    #expect(try await bench.delta(since: nil).text == ":2")
    held.release()
    let version = try await third.version
    #expect(version.seq == 3)
    #expect(try await bench.delta(since: version).text == "unchanged")
    #expect(try await bench.delta(since: versions[1]).text == #"delta +3{"id":3} -2"#)
    #expect(try await bench.put(#"[{"id":4}]"#).previous == version)
  }

}

/// A shared store whose commits can be held back.
private final class HeldStore: CollectionStore {
  private struct State {
    var isHolding = false
    var commits: [@Sendable () -> Void] = []
  }

  private let store: PostgresStore
  private let state = Mutex(State())

  init(_ store: PostgresStore) { self.store = store }

  var keepsContents: Bool { true }
  var isShared: Bool { true }
  var outage: StoreOutage? { store.outage }

  func hold() { state.withLock { $0.isHolding = true } }

  func untilHolding() async throws {
    try await until { state.withLock({ !$0.commits.isEmpty }) }
  }

  func release() {
    let commits = state.withLock { state in
      defer { state = State() }
      return state.commits
    }
    for commit in commits { commit() }
  }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    let commit: @Sendable () -> Void = { [store] in
      store.commit(transaction, completion: completion)
    }
    let isHeld = state.withLock { state in
      if state.isHolding { state.commits.append(commit) }
      return state.isHolding
    }
    if !isHeld { commit() }
  }

  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) { store.read(parts, of: client, completion: completion) }

  func summaries(
    of clients: [ResourceName],
    completion:
      @escaping @Sendable (Result<[ResourceName: [CollectionSummary]], StoreError>) -> Void
  ) { store.summaries(of: clients, completion: completion) }
}
