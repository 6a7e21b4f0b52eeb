import CollectionService
import DeltaEngine
import StorePostgres
import StoreSQLite
import StoreTestSupport
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// Copying between a directory and a database.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct StoreCopyTests {
  private let server: PostgresServer

  init() throws { server = try #require(PostgresServer.shared) }

  private static let request = WriteRequest(
    .put(body: Array(#"[{"id":2},{"id":9}]"#.utf8)),
    key: IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 2)))

  /// A collection that was written and deleted, of a client that has no other.
  private static let gone = CollectionKey(client: name("gone"), name: name("gone"))

  /// Writes collections of some clients; one has settings, a history and a key.
  private func fill(_ bench: ServiceBench) async throws -> [VersionToken] {
    for number in 0..<7 {
      let key = CollectionKey(client: name("c\(number % 3)"), name: name("n\(number)"))
      _ = try await bench.put("[{\"id\":\(number)}]", to: key)
    }
    _ = try await bench.write(Self.request, Self.gone)
    _ = try await bench.delete(Self.gone)
    let first = try await bench.put(#"[{"id":2},{"id":1}]"#).version
    _ = try await bench.configure(#"{"sortBy":[{"path":"/id","type":"number"}]}"#)
    return [first, try await bench.write(Self.request).version]
  }

  private func check(_ bench: ServiceBench, _ versions: [VersionToken]) async throws {
    #expect(try await bench.delta(since: versions[1]).text == "unchanged")
    #expect(try await bench.delta(since: versions[0]).text.contains("+9{\"id\":9}"))
    #expect(try await bench.snapshot(at: versions[0]).text == ":2,1")
    #expect(try await bench.write(Self.request, Self.gone).isReplayed)
    let replayed = try await bench.write(Self.request)
    #expect(replayed.isReplayed && replayed.version == versions[1])
    let next = try await bench.put(#"[{"id":5},{"id":3}]"#)
    #expect(next.previous == versions[1])
    #expect(try await bench.delta(since: nil).text == ":3,5")
    let key = CollectionKey(client: name("c1"), name: name("n4"))
    #expect(
      try await bench.read(ReadRequest(.everything, since: nil, form: .plain), key).text == ":4")
  }

  @Test func `from a directory to a database, cut off and taken up again`() async throws {
    let source = try StoreBench()
    let versions = try await fill(source.bench)
    let target = try PostgresBench(server)
    for commits in [1, 6] {
      let cut = CutStore(target.store, commits: commits)
      await #expect(throws: TransferError.self) {
        _ = try await copied(source.store, to: cut)
      }
    }
    let report = try await copied(source.store, to: target.store)
    #expect(report.copied > 0 && report.present > 0 && report.copied + report.present == 8)
    #expect(report.damaged.isEmpty)
    let again = try await copied(source.store, to: target.store)
    #expect(again.present == 8)
    try target.restart()
    try await check(target.bench, versions)
    await #expect(throws: TransferError.self) {
      _ = try await copied(source.store, to: target.store)
    }
  }

  @Test func `from a database to a directory, cut off and taken up again`() async throws {
    let source = try PostgresBench(server)
    let versions = try await fill(source.bench)
    let target = try StoreBench()
    for commits in [2, 5] {
      let cut = CutStore(target.store, commits: commits)
      await #expect(throws: TransferError.self) {
        _ = try await copied(source.store, to: cut)
      }
    }
    let report = try await copied(source.store, to: target.store)
    #expect(report.copied + report.present == 8)
    try target.restart()
    try await check(target.bench, versions)
    target.store.close()
    #expect(try StoreVerifier.verify(directory: target.directory).faults.isEmpty)
  }

  /// The ways from one store to another; the directory has large values in parts.
  enum Way: CaseIterable { case toDatabase, toDirectory, thereAndBack }

  private func withCopy(
    _ way: Way, _ bench: (ServiceBench) async throws -> Void,
    _ check: (ServiceBench, ServiceBench) async throws -> Void
  ) async throws {
    let directories = try [1, 2].map { seed in
      try StoreBench(seed: seed) {
        $0.partBytesMax = 20
        $0.changeBytesMin = 100
      }
    }
    let database = try PostgresBench(server) {
      $0.changesMax = 8
      $0.changeBytesMin = 100
    }
    func copy(_ source: any CollectionStore, _ target: any CollectionStore) async throws {
      let report = try await copied(source, to: target)
      #expect(report.copied == 1 && report.damaged.isEmpty && report.shortened.isEmpty)
    }
    if way == .toDirectory {
      try await bench(database.bench)
      try await copy(database.store, directories[0].store)
    } else {
      try await bench(directories[0].bench)
      try await copy(directories[0].store, database.store)
    }
    if way == .thereAndBack { try await copy(database.store, directories[1].store) }
    try database.restart()
    for directory in directories { try directory.restart() }
    switch way {
    case .toDatabase: try await check(directories[0].bench, database.bench)
    case .toDirectory: try await check(database.bench, directories[0].bench)
    case .thereAndBack: try await check(directories[0].bench, directories[1].bench)
    }
    for directory in directories {
      try await directory.untilCleared()
      directory.store.close()
      #expect(try StoreVerifier.verify(directory: directory.directory).faults.isEmpty)
    }
    #expect(database.faults.faults.isEmpty, "\(database.faults.faults)")
  }

  @Test(arguments: Way.allCases, [UInt64(1), 2, 3])
  func `every version whose contents are kept is kept by a copy`(
    way: Way, seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    var versions: [VersionToken] = []
    try await withCopy(way) { bench in
      for _ in 0..<60 {
        versions.append(
          try await bench.write(WriteRequest(.put(body: RandomBody.snapshot(&random)))).version)
      }
    } _: { source, target in
      var found = 0
      for version in versions {
        let text = try? await source.snapshot(at: version).text
        let copied = try? await target.snapshot(at: version).text
        #expect(copied == text, "\(version)")
        found += text == nil ? 0 : 1
        #expect(
          try await target.delta(since: version).text == source.delta(since: version).text,
          "\(version)")
      }
      #expect(found > 1, "\(found) of \(versions.count)")
      // What follows the copy leads on from there.
      let next = try await target.write(WriteRequest(.put(body: RandomBody.snapshot(&random))))
      if let last = versions.last {
        #expect(try await target.snapshot(at: last).text == source.delta(since: nil).text)
        #expect(!next.isChanged || next.previous == last)
      }
    }
  }
}

/// Copies what a store has to another one, each line as its text.
func copied(
  _ source: any CollectionStore, to target: any CollectionStore
) async throws -> StoreImport.Report {
  var run = StoreImport(to: target)
  try await StoreExport(of: source).run { line throws(TransferError) in
    let read: TransferLine
    do throws(DamagedData) {
      read = try TransferLine(line.text)
    } catch {
      return _ = Issue.record("\(error.reason)")
    }
    try await run.add(read)
  }
  #expect(run.report.isComplete)
  return run.report
}

/// A store that fails after some commits.
private final class CutStore: CollectionStore {
  private let store: any CollectionStore
  private let left: Mutex<Int>

  init(_ store: any CollectionStore, commits: Int) {
    self.store = store
    left = Mutex(commits)
  }

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
