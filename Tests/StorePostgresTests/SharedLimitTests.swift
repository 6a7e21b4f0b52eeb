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

  @Test func `a tenant's share holds over all replicas and restarts`() async throws {
    var limits = ServiceLimits()
    limits.tenants.separator = "-"
    limits.tenants.bytesMax = 1000
    let first = try PostgresBench(server)
    let a = try first.replica(limits)
    let b = try first.replica(limits)
    _ = try await a.bench.put(body(600), to: key("acme-1"))
    let other = b.bench
    // At the latest after ten seconds b knows.
    for _ in 1...10 { other.clock.advance(by: .seconds(1)) }
    var refused: ServiceFailure?
    var clients = 0
    while refused == nil, clients < 1000 {
      clients += 1
      refused = await refusal { _ = try await other.put(body(500), to: key("acme-2")) }
      if refused == nil { _ = try await other.delete(key("acme-2")) }
      other.clock.advance(by: .seconds(1))
    }
    guard case .limitPassed(let passed)? = refused?.error else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(passed.limit == 1000)
    _ = try await other.put(body(500), to: key("other-1"))
    let third = try first.replica(limits)
    #expect(await refusal { _ = try await third.bench.put(body(500), to: key("acme-3")) } != nil)
    _ = try await third.bench.delete(key("acme-1"))
    _ = try await third.bench.put(body(500), to: key("acme-3"))
  }

  @Test func `a replica that cannot sum up what is stored lets nothing grow until it can`()
    async throws
  {
    var limits = ServiceLimits()
    limits.tenants.bytesMax = 1000
    let first = try PostgresBench(server) { $0.database.statementSeconds = 1 }
    _ = try await first.bench.put(body(600))
    let session = try first.session()
    try session.run("BEGIN; LOCK TABLE livedelta.collection")
    let replica = try first.replica(limits)
    try session.run("COMMIT")
    #expect(first.faults.faults.contains { $0.text.hasPrefix("sizes were not summed up") })
    func put() async -> ServiceFailure? {
      await refusal { _ = try await replica.bench.put(body(500), to: key("u42")) }
    }
    guard case .storeUnavailable? = await put()?.error else {
      Issue.record("it grows")
      return
    }
    // What does not grow may be written.
    _ = try await replica.bench.put("[]")
    var refused: ServiceFailure?
    _ = try await first.bench.put(body(600))
    try await until {
      replica.bench.clock.advance(by: .seconds(1))
      refused = await put()
      if case .storeUnavailable? = refused?.error { return false }
      return true
    }
    guard case .limitPassed? = refused?.error else {
      Issue.record("\(refused as Any)")
      return
    }
  }

  @Test func `what is stored is summed up in pieces`() async throws {
    let bench = try PostgresBench(server)
    try bench.sql(
      """
      INSERT INTO livedelta.collection (client, name, version, revision, items, date, bytes)
      SELECT 'c' || number / 3, 'n' || number % 3, 'l.1.AAAAAAAAAAAAAAAA', 1, 0, 0, number
      FROM generate_series(0, 30010) AS number
      """)
    let sizes = await withCheckedContinuation { continuation in
      bench.store.sizes { continuation.resume(returning: $0) }
    }
    let all = try #require(sizes)
    #expect(all.count == 10_004)
    #expect(all[name("c10003")] == StoredSize(collections: 2, bytes: 30_009 + 30_010))
    #expect(all[name("c7")] == StoredSize(collections: 3, bytes: 21 + 22 + 23))
    #expect(all.values.reduce(0) { $0 + $1.bytes } == 30_010 * 30_011 / 2)
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
      await bench.service.removeUnused(date: start + seconds)
      return bench.service.counters.unusedRemovals.value
    }
    let used = try await a.bench.put("[]").version
    _ = try await a.bench.put("[]", to: key("u43"))
    #expect(await wait(a.bench, 0) == 0)
    // Read at the other replica alone.
    #expect(try await b.bench.delta(since: used).text == "unchanged")
    #expect(await wait(b.bench, 900) == 0)
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
