import CollectionService
import DeltaEngine
import StorePostgres
import StoreSQLite
import Synchronization
import TestSupport
import Testing

/// Copying between a directory and a database.
@Suite(
  .enabled(if: PostgresServer.shared != nil, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct StoreCopyTests {
  private let server: PostgresServer

  init() throws { server = try #require(PostgresServer.shared) }

  private static let request = WriteRequest(
    .put(body: Array(#"[{"id":2},{"id":9}]"#.utf8)),
    key: IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 2)))

  /// Writes collections of some clients; one has settings, a history and a key.
  private func fill(_ bench: ServiceBench) async throws -> [VersionToken] {
    for number in 0..<7 {
      let key = CollectionKey(client: name("c\(number % 3)"), name: name("n\(number)"))
      _ = try await bench.put("[{\"id\":\(number)}]", to: key)
    }
    let first = try await bench.put(#"[{"id":2},{"id":1}]"#).version
    _ = try await bench.configure(#"{"sortBy":[{"path":"/id","type":"number"}]}"#)
    return [first, try await bench.write(Self.request).version]
  }

  private func check(_ bench: ServiceBench, _ versions: [VersionToken]) async throws {
    #expect(try await bench.delta(since: versions[1]).text == "unchanged")
    #expect(try await bench.delta(since: versions[0]).text.contains("+9{\"id\":9}"))
    let replayed = try await bench.write(Self.request)
    #expect(replayed.isReplayed && replayed.version == versions[1])
    let next = try await bench.put(#"[{"id":5},{"id":3}]"#)
    #expect(next.previous == versions[1])
    #expect(try await bench.delta(since: nil).text == ":3,5")
    let key = CollectionKey(client: name("c1"), name: name("n4"))
    #expect(try await bench.read(ReadRequest(since: nil, form: .plain), key).text == ":4")
  }

  @Test func `from a directory to a database, cut off and taken up again`() async throws {
    let source = try StoreBench()
    let versions = try await fill(source.bench)
    let target = try PostgresBench(server)
    for commits in [1, 4] {
      let cut = CutStore(target.store, commits: commits)
      await #expect(throws: StoreCopyError.self) {
        _ = try await StoreCopy(from: source.store, to: cut).run()
      }
    }
    let report = try await StoreCopy(from: source.store, to: target.store).run()
    #expect(report.copied > 0 && report.present > 0 && report.copied + report.present == 8)
    #expect(report.damaged.isEmpty)
    let again = try await StoreCopy(from: source.store, to: target.store).run()
    #expect(again.present == 8)
    try target.restart()
    try await check(target.bench, versions)
    await #expect(throws: StoreCopyError.self) {
      _ = try await StoreCopy(from: source.store, to: target.store).run()
    }
  }

  @Test func `from a database to a directory, cut off and taken up again`() async throws {
    let source = try PostgresBench(server)
    let versions = try await fill(source.bench)
    let target = try StoreBench()
    for commits in [2, 3] {
      let cut = CutStore(target.store, commits: commits)
      await #expect(throws: StoreCopyError.self) {
        _ = try await StoreCopy(from: source.store, to: cut).run()
      }
    }
    let report = try await StoreCopy(from: source.store, to: target.store).run()
    #expect(report.copied + report.present == 8)
    try target.restart()
    try await check(target.bench, versions)
    target.store.close()
    #expect(try StoreVerifier.verify(directory: target.directory).faults.isEmpty)
  }
}

/// A store that fails after some commits.
private final class CutStore: CollectionStore {
  private let store: any CollectionStore
  private let left: Mutex<Int>

  init(_ store: any CollectionStore, commits: Int) {
    self.store = store
    left = Mutex(commits)
  }

  var isReady: Bool { true }
  var keepsContents: Bool { true }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    let isCut = left.withLock { left in
      left -= 1
      return left < 0
    }
    if isCut { return completion(.failure(.unavailable("cut"))) }
    store.commit(transaction, completion: completion)
  }

  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) { store.read(parts, of: client, completion: completion) }
}
