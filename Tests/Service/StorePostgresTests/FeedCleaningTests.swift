import CollectionService
import TestSupport
import Testing
import VersionedCollections

@testable import StorePostgres

/// Cleaning the feed of changes, and other work of the maintenance connection.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct FeedCleaningTests {
  private func bench(_ configure: (inout PostgresOptions) -> Void = { _ in }) throws
    -> PostgresBench
  {
    try PostgresBench(try #require(PostgresServer.shared), configure)
  }

  private func compact(_ bench: PostgresBench) async throws {
    _ = try await withCheckedContinuation { continuation in
      bench.store.compact { continuation.resume(returning: $0) }
    }.get()
  }

  /// Adds changes that are so many days old.
  private func add(_ count: Int, days: Int, to bench: PostgresBench) throws {
    try bench.sql(
      """
      INSERT INTO livedelta.feed (client, name, version, deleted, date)
      SELECT 'u42', 'old', 'old.1.AAAAAAAAAAAAAAAA', 0,
        extract(epoch FROM now())::bigint - \(days * 86_400) FROM generate_series(1, \(count))
      """)
  }

  private func rows(_ bench: PostgresBench) throws -> [String] {
    try bench.sql("SELECT number FROM livedelta.feed ORDER BY number")
  }

  @Test
  func `changes of more than a week ago are removed in pieces up to the first that is younger`()
    async throws
  {
    let bench = try bench()
    try add(25_000, days: 8, to: bench)
    try add(1, days: 6, to: bench)
    try add(1, days: 8, to: bench)
    try await compact(bench)
    // The first row is of the tables' creation.
    #expect(try bench.sql("SELECT count(*) FROM livedelta.feed") == ["25003"])
    try bench.sql("UPDATE livedelta.feed SET date = 0 WHERE number = 1")
    try await compact(bench)
    #expect(try rows(bench) == ["25002", "25003"])
    #expect(bench.faults.faults.isEmpty)
  }

  @Test func `the last change is kept, and those that are not settled`() async throws {
    let bench = try bench()
    try bench.sql("UPDATE livedelta.feed SET date = 0")
    try add(10, days: 8, to: bench)
    let open = try bench.session()
    try open.run(
      """
      BEGIN; INSERT INTO livedelta.collection (client, name, version, revision, items, date)
      VALUES ('open', 'open', 'open.1.AAAAAAAAAAAAAAAA', 1, 0, 0)
      """)
    try add(10, days: 8, to: bench)
    try await compact(bench)
    #expect(try rows(bench) == ["11"] + (13...22).map(String.init))
    try open.run("ROLLBACK")
    try await compact(bench)
    #expect(try rows(bench) == ["22"])
  }

  @Test func `a cleaning that fails is a fault with its cause, and done again`() async throws {
    let bench = try bench()
    try await compact(bench)
    try bench.sql("UPDATE livedelta.feed SET date = 0")
    try add(10, days: 8, to: bench)
    try bench.sql("ALTER TABLE livedelta.job RENAME TO gone")
    try await compact(bench)
    let fault = try #require(bench.faults.faults.first)
    #expect(fault.kind == .cleanup && fault.text.contains("livedelta.job"))
    try bench.sql("ALTER TABLE livedelta.gone RENAME TO job")
    try await compact(bench)
    #expect(try rows(bench) == ["11"])
  }

  @Test func `a change that nobody can read has an age, and one that is too old is a fault`()
    async throws
  {
    let bench = try bench()
    let open = try bench.session()
    try open.run(
      """
      BEGIN; INSERT INTO livedelta.collection (client, name, version, revision, items, date)
      VALUES ('open', 'open', 'open.1.AAAAAAAAAAAAAAAA', 1, 0, 0)
      """)
    try add(10, days: 1, to: bench)
    let replica = try bench.replica()
    try await until { replica.store.feedState != nil }
    let state = try #require(replica.store.feedState)
    #expect(state.unsettledSeconds >= 86_400 && state.rows == 12)
    try await until { bench.faults.faults.contains { $0.kind == .feed } }
    try open.run("ROLLBACK")
    let later = try bench.replica()
    try await until { later.store.feedState != nil }
    #expect(later.store.feedState?.unsettledSeconds == 0)
  }

  @Test func `a compaction lets other maintenance have its turn`() async throws {
    let bench = try bench { $0.compactionPiece = .zero }
    for number in 0..<20 {
      for text in ["[]", #"[{"id":1}]"#] {
        let key = CollectionKey(client: name("u42"), name: name("c\(number)"))
        _ = try await bench.bench.put(text, to: key)
      }
    }
    let (ended, noting) = AsyncStream.makeStream(of: String.self)
    bench.store.compact { _ in noting.yield("compacted") }
    bench.store.record(uses: [bench.bench.key], date: 0) { _ in noting.yield("recorded") }
    var order: [String] = []
    for await one in ended.prefix(2) { order.append(one) }
    #expect(order == ["recorded", "compacted"])
  }
}
