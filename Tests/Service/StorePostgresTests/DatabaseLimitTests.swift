import CollectionService
import Foundation
import StorePostgres
import TestSupport
import Testing
import VersionedCollections

/// The bounds of what waits for the database.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct DatabaseLimitTests {
  private let server: PostgresServer

  init() throws { server = try #require(PostgresServer.shared) }

  private func isAway(_ failure: ServiceFailure?) -> Bool {
    if case .storeUnavailable? = failure?.error { true } else { false }
  }

  @Test func `reads and writes that wait for a connection have a bound`() async throws {
    let bench = try PostgresBench(server) {
      $0.database.readersMax = 1
      $0.database.queuedMax = 2
      // On a busy machine, the one that waits for the lock does so for longer than by default.
      $0.database.statementSeconds = 600
      $0.database.answerSeconds = 900
    }
    let store = bench.store
    _ = try await bench.bench.put("[]")
    let session = try bench.session()
    try session.run("BEGIN; LOCK TABLE livedelta.collection")
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await withCheckedContinuation { continuation in
            store.clients(in: .all, after: nil, limit: 1) { result in
              continuation.resume(returning: (try? result.get()) != nil)
            }
          }
        }
      }
      var refused = 0
      for await isRead in group {
        if !isRead { refused += 1 }
        // One is under way, two wait.
        if refused == 5 { _ = try? session.run("COMMIT") }
      }
      return refused
    }
    #expect(outcomes == 5)
    #expect(store.isReady)
  }

  @Test func `unused collections that the database does not tell are a fault`()
    async throws
  {
    let bench = try PostgresBench(server) { $0.database.statementSeconds = 1 }
    let session = try bench.session()
    try session.run("BEGIN; LOCK TABLE livedelta.collection")
    let store = bench.store
    let unused = await withCheckedContinuation { continuation in
      store.unused(since: 0, countMax: 1) { continuation.resume(returning: $0.count) }
    }
    #expect(unused == 0)
    try session.run("COMMIT")
    let texts = bench.faults.faults.map(\.text)
    #expect(texts.count { $0.hasPrefix("unused collections were not found: ") } == 1, "\(texts)")
  }

  @Test func `a write that is held up for too long is not carried out`() async throws {
    let bench = try PostgresBench(server) { $0.database.statementSeconds = 1 }
    let first = try await bench.bench.put("[]").version
    let session = try bench.session()
    try session.run("BEGIN; SELECT 1 FROM livedelta.collection FOR UPDATE")
    #expect(isAway(await refusal { try await bench.bench.put(#"[{"id":1}]"#) }))
    try session.run("COMMIT")
    #expect(try await bench.bench.put(#"[{"id":2}]"#).previous == first)
  }

  @Test func `a read that is not answered is given up`() async throws {
    let bench = try PostgresBench(server) { $0.database.answerSeconds = 1 }
    _ = try await bench.bench.put("[]")
    try bench.restart()
    let session = try bench.session()
    try session.run("BEGIN; LOCK TABLE livedelta.collection")
    #expect(isAway(await refusal { try await bench.bench.delta(since: nil) }))
    try session.run("COMMIT")
    #expect(try await bench.bench.delta(since: nil).text == ":")
  }

  @Test func `a read that is held up for too long is cancelled by the database`() async throws {
    let bench = try PostgresBench(server) { $0.database.statementSeconds = 1 }
    _ = try await bench.bench.put("[]")
    try bench.restart()
    let session = try bench.session()
    try session.run("BEGIN; LOCK TABLE livedelta.collection")
    #expect(isAway(await refusal { try await bench.bench.delta(since: nil) }))
    let waiting = try bench.sql(
      """
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'livedelta' AND wait_event_type = 'Lock'
      """)
    #expect(waiting == ["0"])
    // The connection is still good.
    #expect(bench.store.isReady)
    try session.run("COMMIT")
    #expect(try await bench.bench.delta(since: nil).text == ":")
    #expect(bench.bench.service.secondsStale() == nil)
  }

  @Test func `while reads are held up, what is in memory is served as stale`() async throws {
    let bench = try PostgresBench(server) { $0.database.statementSeconds = 1 }
    _ = try await bench.bench.put(#"[{"id":1}]"#)
    #expect(try await bench.bench.delta(since: nil).text == ":1")
    let session = try bench.session()
    try session.run("BEGIN; LOCK TABLE livedelta.collection")
    bench.bench.clock.advance(by: .seconds(2))
    #expect(try await bench.bench.delta(since: nil).text == ":1")
    #expect(bench.bench.service.secondsStale() != nil)
    try session.run("COMMIT")
    bench.bench.clock.advance(by: .seconds(2))
    #expect(try await bench.bench.delta(since: nil).text == ":1")
    #expect(bench.bench.service.secondsStale() == nil)
    // Who asked before that may have been answered from memory.
    #expect(bench.bench.service.secondsStale(within: .seconds(600)) != nil)
  }

  /// One after the other they would take forty seconds.
  @Test func `reads do not wait for a connection for longer than for an answer`() async throws {
    let bench = try PostgresBench(server) {
      $0.database.readersMax = 1
      $0.database.answerSeconds = 2
      $0.database.statementSeconds = 1
    }
    let store = bench.store
    let session = try bench.session()
    try session.run("BEGIN; LOCK TABLE livedelta.collection")
    let start = ContinuousClock.now
    let errors = await withTaskGroup(of: StoreError?.self) { group in
      for _ in 0..<40 {
        group.addTask {
          await withCheckedContinuation { continuation in
            store.clients(in: .all, after: nil, limit: 1) { result in
              if case .failure(let error) = result {
                continuation.resume(returning: error)
              } else {
                continuation.resume(returning: nil)
              }
            }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ContinuousClock.now - start < .seconds(20))
    let late = errors.count { $0 == .unavailable("no connection was free for 2 s") }
    #expect(late > 30 && !errors.contains(nil))
    try session.run("COMMIT")
  }

  @Test func `questions about those who wait leave connections to requests`() async throws {
    // On a busy machine, questions wait longer for the lock than statements may take by default.
    let bench = try PostgresBench(server) {
      $0.notices = .off
      $0.database.statementSeconds = 600
      $0.database.answerSeconds = 900
    }
    let service = bench.bench
    var keys: [CollectionKey] = []
    for number in 0..<64 {
      let key = CollectionKey(client: name("c\(number)"), name: name("inbox"))
      let version = try await service.put("[]", to: key).version
      keys.append(key)
      service.service.read(
        key, ReadRequest(.everything, since: version, form: .plain, waitSeconds: 50)
      ) {
        _, _ in
      }
    }
    try await service.untilParked(keys.count)
    let session = try bench.session()
    try session.run("BEGIN; LOCK TABLE livedelta.collection")
    func waitingCount() throws -> String? {
      try bench.sql(
        """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
          AND application_name = 'livedelta' AND wait_event_type = 'Lock'
        """
      ).first
    }
    for _ in 0..<20 {
      service.clock.advance(by: .seconds(1))
      _ = service.service.deadlineCount
      // A request that reads something else.
      let owners = await withCheckedContinuation { continuation in
        bench.store.recordOwners(after: nil, countMax: 1) { continuation.resume(returning: $0) }
      }
      #expect(try owners.get().isEmpty)
    }
    try await until { try waitingCount() == "1" }
    try session.run("COMMIT")
    #expect(bench.faults.faults.isEmpty)
  }

  @Test func `a database that does not let in is given up`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "ld-\(UUID())").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("\(directory)/.s.PGSQL.5432".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listener, 8) == 0)
    #expect(throws: PostgresOpenError.self) {
      _ = try PostgresStore("postgres:///x?host=\(directory)", options: PostgresOptions())
    }
  }
}
