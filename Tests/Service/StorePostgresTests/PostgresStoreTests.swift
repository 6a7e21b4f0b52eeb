import CollectionService
import DeltaEngine
import StorePostgres
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// The store in PostgreSQL beyond what every store does.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct PostgresStoreTests {
  private let server: PostgresServer

  init() throws { server = try #require(PostgresServer.shared) }

  /// The same random writes to a service in memory and to one whose store is opened again and again.
  @Test(arguments: [UInt64(1), 2, 3])
  func `what is loaded is what was written, also after images were renewed`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let memory = ServiceBench(seed: 7)
    let stored = try PostgresBench(server) {
      $0.changesMax = 8
      $0.changeBytesMin = 600
    }
    var tokens: [VersionToken?] = [nil]
    for step in 0..<120 {
      let body = RandomBody.snapshot(&random)
      let isDelete = Int.random(in: 0..<40, using: &random) == 0
      let request = isDelete ? WriteRequest(.delete) : WriteRequest(.put(body: body))
      let expected = try? await memory.write(request)
      let receipt = try? await stored.bench.write(request)
      #expect(receipt?.counts == expected?.counts, "step \(step)")
      #expect(receipt?.isChanged == expected?.isChanged, "step \(step)")
      if step % 9 == 0 { try stored.restart() }
      if receipt?.isDeleted != false { tokens = [nil] } else { tokens.append(receipt?.version) }
      if tokens.count == 1 { continue }
      for since in tokens.suffix(5) {
        let answer = try await stored.bench.delta(since: since).text
        #expect(!answer.hasPrefix("diverged") && !answer.hasPrefix("lineage"), "step \(step)")
      }
      #expect(
        try await stored.bench.delta(since: nil).text == memory.delta(since: nil).text,
        "step \(step)")
    }
    #expect(stored.faults.faults.isEmpty, "\(stored.faults.faults)")
  }

  @Test func `older versions are kept with their contents`() async throws {
    let stored = try PostgresBench(server) {
      $0.changesMax = 4
      $0.changeBytesMin = 100
    }
    var versions: [VersionToken] = []
    for number in 0..<30 {
      let body = (0...number % 7).map { "{\"id\":\($0),\"v\":\(number)}" }.joined(separator: ",")
      versions.append(try await stored.bench.put("[\(body)]").version)
    }
    try stored.restart()
    for (number, version) in versions.enumerated() {
      let ids = (0...number % 7).map(String.init).joined(separator: ",")
      #expect(try await stored.bench.snapshot(at: version).text == ":\(ids)")
    }
  }

  @Test func `a retry with the same key after a restart is replayed`() async throws {
    let stored = try PostgresBench(server)
    let key = IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 2))
    let request = WriteRequest(.put(body: Array("[]".utf8)), key: key)
    let first = try await stored.bench.write(request)
    try stored.restart()
    let second = try await stored.bench.write(request)
    #expect(second.isReplayed && second.version == first.version)
  }

  @Test(arguments: [
    (
      "23502",
      """
      ALTER TABLE livedelta.change ADD COLUMN x bigint NOT NULL DEFAULT 0;
      ALTER TABLE livedelta.change ALTER COLUMN x DROP DEFAULT
      """
    ),
    ("23505", "CREATE UNIQUE INDEX one ON livedelta.change ((1))"),
    (
      "22012",
      """
      CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM 1 / 0; RETURN NULL; END'; CREATE TRIGGER broken AFTER UPDATE
      ON livedelta.collection FOR EACH ROW EXECUTE FUNCTION broken()
      """
    ),
    ("42P01", "ALTER TABLE livedelta.change RENAME TO changes"),
  ])
  func `a defect of the database is told at once, with its cause`(
    state: String, sql: String
  ) async throws {
    let stored = try PostgresBench(server)
    for body in ["[]", #"[{"id":1}]"#] { _ = try await stored.bench.put(body) }
    try stored.sql(sql)
    let commits = stored.bench.service.counters.commitTimes
    let count = commits.counts.count
    let failure = await refusal { try await stored.bench.put(#"[{"id":2}]"#) }
    guard case .storeUnavailable? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(commits.counts.count == count + 1)
    #expect(stored.faults.faults.map { $0.text.contains(state) } == [true])
    // Writes that are not concerned go on, also those in the same group.
    let other = CollectionKey(client: name("u43"), name: name("inbox"))
    #expect(try await stored.bench.put("[]", to: other).version.seq == 1)
  }

  @Test func `settings and the index of clients are kept`() async throws {
    let stored = try PostgresBench(server)
    _ = try await stored.bench.put(#"[{"id":2},{"id":1}]"#)
    _ = try await stored.bench.configure(#"{"sortBy":[{"path":"/id","type":"number"}]}"#)
    try stored.restart()
    #expect(try await stored.bench.delta(since: nil).text == ":1,2")
    _ = try await stored.bench.put(#"[{"id":3},{"id":0}]"#)
    #expect(try await stored.bench.delta(since: nil).text == ":0,3")
    let clients = await withCheckedContinuation { continuation in
      stored.store.clients(in: .all, after: nil, limit: 10) { continuation.resume(returning: $0) }
    }
    #expect(try clients.get() == [ClientSummary(name: name("u42"), collectionCount: 1)])
  }
}
