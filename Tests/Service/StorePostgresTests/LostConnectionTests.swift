import CollectionService
import StorePostgres
import TestSupport
import Testing
import VersionedCollections

/// Connections that the database ends, which cost no writer the knowledge of what became of its write.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct LostConnectionTests {
  private let postgres: PostgresBench

  init() throws {
    postgres = try PostgresBench(try #require(PostgresServer.shared)) {
      // What waits for a lock of the test does so for long on a busy machine.
      $0.database.statementSeconds = 600
      $0.database.answerSeconds = 900
    }
  }

  /// The sessions of the service that are idle, or wait for a lock.
  private func sessions(waiting isWaiting: Bool = false) throws -> [String] {
    try postgres.sql(
      """
      SELECT pid FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'livedelta' AND \(isWaiting ? "wait_event_type = 'Lock'" : "state = 'idle'")
      """)
  }

  private func terminate(_ sessions: [String]) async throws {
    let list = sessions.joined(separator: ",")
    try postgres.sql("SELECT pg_terminate_backend(pid) FROM unnest(ARRAY[\(list)]) AS pid")
    try await until {
      try postgres.sql("SELECT 1 FROM pg_stat_activity WHERE pid IN (\(list))").isEmpty
    }
  }

  private func expectNoDoubt() {
    let faults = postgres.faults.faults
    #expect(!faults.contains { $0.kind == .outcomeUnknown }, "\(faults)")
  }

  @Test func `sessions that were terminated while idle cost no write`() async throws {
    for number in 1...20 {
      #expect(try await postgres.bench.put("[{\"id\":\(number)}]").version.seq == number)
      try await terminate(try sessions())
    }
    expectNoDoubt()
  }

  @Test func `sessions that the database ends because they were idle cost no write`() async throws {
    try postgres.sql(
      """
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET idle_session_timeout = ''1s''', current_database());
      END $$
      """)
    try postgres.restart()
    for number in 1...3 {
      #expect(try await postgres.bench.put("[{\"id\":\(number)}]").version.seq == number)
      let old = try sessions().joined(separator: ",")
      try await until {
        try postgres.sql("SELECT 1 FROM pg_stat_activity WHERE pid IN (\(old))").isEmpty
      }
    }
    expectNoDoubt()
  }

  @Test func `a write whose session is terminated before its end is made on another one`()
    async throws
  {
    let first = try await postgres.bench.put("[]").version
    let holder = try postgres.session()
    try holder.run("BEGIN; SELECT 1 FROM livedelta.collection FOR UPDATE")
    let bench = postgres.bench
    async let write = bench.put(#"[{"id":1}]"#)
    try await until { try !sessions(waiting: true).isEmpty }
    try await terminate(try sessions(waiting: true))
    try await until { try !sessions(waiting: true).isEmpty }
    try holder.run("COMMIT")
    let receipt = try await write
    #expect(receipt.previous == first && receipt.version.seq == 2)
    expectNoDoubt()
  }

  @Test func `writes that wait in one group are all made on another session`() async throws {
    let bench = postgres.bench
    _ = try await bench.put("[]")
    let holder = try postgres.session()
    try holder.run("BEGIN; LOCK TABLE livedelta.collection IN SHARE MODE")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...12 {
        group.addTask {
          let key = CollectionKey(client: name("c\(number)"), name: name("inbox"))
          return try await bench.write(WriteRequest(.put(body: Array("[]".utf8))), key).version.seq
        }
      }
      try await until { try !sessions(waiting: true).isEmpty }
      try await terminate(try sessions(waiting: true))
      try await until { try !sessions(waiting: true).isEmpty }
      try holder.run("COMMIT")
      for try await seq in group { #expect(seq == 1) }
    }
    #expect(try postgres.sql("SELECT count(*) FROM livedelta.collection") == ["13"])
    expectNoDoubt()
  }
}
