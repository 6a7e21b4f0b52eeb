import CollectionService
import DeltaEngine
import StorePostgres
import TestSupport
import Testing
import VersionedCollections

/// What is stored in PostgreSQL is bounded and measured for all replicas together.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct SharedLimitTests {
  private let server: PostgresServer

  init() throws { server = try #require(PostgresServer.shared) }

  private func key(_ client: String, _ collection: String = "c") -> CollectionKey {
    CollectionKey(client: name(client), name: name(collection))
  }

  /// A collection whose contents have about as many bytes.
  private func body(_ byteCount: Int) -> String {
    "[{\"id\":1,\"t\":\"\(String(repeating: "t", count: byteCount))\"}]"
  }

  @Test func `the write that adds an idempotency key removes the oldest over the limit`()
    async throws
  {
    var limits = ServiceLimits()
    limits.idempotencyKeysMax = 5
    let a = try PostgresBench(server, limits: limits) { $0.requestsMax = 5 }
    let b = try a.replica(limits)
    let services = [a.bench, b.bench]
    func write(_ number: Int, _ bench: ServiceBench) async throws -> Bool {
      let key = IdempotencyKey(
        text: "k\(number)", fingerprint: ContentHash(high: 1, low: UInt64(number)))
      if number.isMultiple(of: 2) {
        let body = Array("[{\"id\":\(number % 6)}]".utf8)
        return try await bench.write(WriteRequest(.put(body: body), key: key)).isReplayed
      }
      let body = "{\"writes\":[{\"collection\":\"b\(number % 8)\",\"put\":[]}]}"
      return try await withCheckedContinuation { continuation in
        bench.service.batch(bench.key.client, body: Array(body.utf8), key: key) {
          continuation.resume(returning: $0)
        }
      }.get().isReplayed
    }
    func counts() throws -> [Int] {
      try a.sql("SELECT count(*) FROM livedelta.request GROUP BY client, collection")
        .compactMap { Int($0) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<80 {
        group.addTask { _ = try await write(number, services[number / 2 % 2]) }
      }
      try await group.waitForAll()
    }
    for number in 80..<84 { _ = try await write(number, services[number % 3 / 2]) }
    #expect(try counts() == [5, 5])
    for number in 80..<84 { #expect(try await write(number, services[number % 2])) }

    // Those of an earlier release go in pieces.
    try a.sql(
      """
      INSERT INTO livedelta.request (client, collection, key, date, data)
      SELECT 'u42', 'inbox', 'old' || number, 1750000000, '' FROM generate_series(1, 250) AS number
      """)
    var number = 100
    while try counts().max() ?? 0 > 5, number < 110 {
      let before = try counts().max() ?? 0
      _ = try await write(number, a.bench)
      number += 2
      #expect(try counts().max() == max(5, before - 99))
    }
    #expect(number == 106)
  }

  @Test func `a collection goes that no replica has used for as long as the limit says`()
    async throws
  {
    var limits = ServiceLimits()
    limits.unusedSecondsMax = 1000
    let a = try PostgresBench(server, limits: limits) { $0.recordsUses = true }
    let b = try a.replica(limits)
    let start: Int64 = 1_750_000_000
    func wait(_ bench: ServiceBench, _ seconds: Int64) async -> Int {
      bench.date.value = Int(start + seconds)
      await bench.service.removeUnused(date: start + seconds)
      return bench.service.counters.unusedRemovals.value
    }
    let used = try await a.bench.put("[]").version
    _ = try await a.bench.put("[]", to: key("u43"))
    #expect(await wait(a.bench, 0) == 0)
    // Read at the other replica alone.
    #expect(try await b.bench.delta(since: used).text == "unchanged")
    #expect(await wait(b.bench, 900) == 0)
    try await until {
      try a.sql(
        "SELECT count(*) FROM livedelta.last_use WHERE date > extract(epoch FROM now()) + 800")
        == ["1"]
    }
    // Neither replica keeps what was used for longer than it may.
    for seconds: Int64 in [1000, 1050] { #expect(await wait(a.bench, seconds) == 0) }
    #expect(await wait(a.bench, 1200) == 1)
    #expect(try await a.bench.delta(since: used).text == "unchanged")
    #expect(try a.sql("SELECT client FROM livedelta.collection") == ["u42"])
    #expect(try a.sql("SELECT count(*) FROM livedelta.last_use") == ["1"])
    #expect(await wait(b.bench, 5000) == 1)
    #expect(try a.sql("SELECT count(*) FROM livedelta.last_use") == ["0"])
    #expect(a.faults.faults.isEmpty && b.faults.faults.isEmpty)
  }

  @Test func `collections that other replicas create are counted`() async throws {
    let a = try PostgresBench(server)
    let b = try a.replica()
    for number in 0..<3 { _ = try await a.bench.put("[]", to: key("u\(number)")) }
    _ = try await b.bench.put("[]", to: key("v"))
    let service = b.bench.service
    b.bench.clock.advance(by: .seconds(10))
    service.recountCollections()
    try await until { service.counters.collections.value == 4 }
  }

  @Test func `what collections take is listed, and compaction trims their history`() async throws {
    let a = try PostgresBench(server) { $0.retention.versionsMax = 2 }
    for number in 0..<20 { _ = try await a.bench.put(body(100 + number)) }
    func bytes() async throws -> Int {
      let page = try await withCheckedContinuation { continuation in
        a.bench.service.usage(of: a.bench.key.client, after: nil, limit: 9) {
          continuation.resume(returning: $0)
        }
      }.get().page
      return try #require(page.first?.byteCount)
    }
    let before = try await bytes()
    #expect(before > 20 * 100)
    let report = try await withCheckedContinuation { continuation in
      a.bench.service.compact { continuation.resume(returning: $0) }
    }.get()
    #expect(report.before.databaseBytes > 0)
    let after = try await bytes()
    #expect(after < before / 2)
    try a.restart()
    #expect(try await a.bench.delta(since: nil).text == ":1")
    #expect(a.faults.faults.isEmpty, "\(a.faults.faults)")
  }
}
