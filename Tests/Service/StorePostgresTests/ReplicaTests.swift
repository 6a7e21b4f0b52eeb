import CollectionService
import DeltaEngine
import StorePostgres
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// Several services over one database, none of which knows what the others hold in memory.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct ReplicaTests {
  private let a: PostgresBench
  private let b: PostgresBench

  init() throws {
    a = try PostgresBench(try #require(PostgresServer.shared))
    b = try a.replica()
  }

  @Test func `a reader who shows a version gets it from any replica`() async throws {
    let first = try await a.bench.put(#"[{"id":1}]"#).version
    #expect(try await b.bench.delta(since: first).text == "unchanged")
    let second = try await a.bench.put(#"[{"id":1},{"id":2}]"#).version
    #expect(try await b.bench.delta(since: second).text == "unchanged")
    #expect(try await b.bench.delta(since: first).text == #"delta +2{"id":2}"#)
    _ = try await a.bench.delete()
    let third = try await a.bench.put(#"[{"id":3}]"#).version
    #expect(try await b.bench.delta(since: third).text == "unchanged")
    #expect(try await b.bench.delta(since: second).text.hasPrefix("lineage-changed"))
    #expect(try await b.bench.snapshot(at: third).text == ":3")
  }

  @Test func `a version shown otherwise counts like the one that a reader has`() async throws {
    let a = try PostgresBench(try #require(PostgresServer.shared)) { $0.notices = .off }
    let b = try a.replica()
    _ = try await a.bench.put(#"[{"id":1}]"#)
    #expect(try await b.bench.delta(since: nil).text == ":1")
    let second = try await a.bench.put(#"[{"id":2}]"#).version
    var request = ReadRequest(.everything, since: nil, form: .plain)
    #expect(try await b.bench.read(request).text == ":1")
    request.versions = [second]
    #expect(try await b.bench.read(request).text == ":2")
    let third = try await a.bench.put(#"[{"id":3}]"#).version
    let seen = try await withCheckedContinuation { continuation in
      b.bench.service.settings(of: b.bench.key, .everything, versions: [third]) {
        continuation.resume(returning: $0)
      }
    }.get()
    #expect(seen.1 == third)
    let cart = CollectionKey(client: a.bench.key.client, name: name("cart"))
    let new = try await a.bench.put("[]", to: cart).version
    let page = try await withCheckedContinuation { continuation in
      b.bench.service.index(of: cart.client, after: nil, limit: 9, versions: [new]) {
        continuation.resume(returning: $0)
      }
    }.get().page
    #expect(page.map(\.version) == [new, third])
  }

  @Test(arguments: [true, false])
  func `a version that is ahead is waited for, and diverged only if the database says so`(
    comes: Bool
  ) async throws {
    let first = try await a.bench.put(#"[{"id":1}]"#).version
    let second = try await a.bench.put(#"[{"id":2}]"#).version
    try a.move(to: first)
    let replica = b.bench
    async let answer = replica.delta(since: second)
    try await replica.untilParked()
    if comes { try a.move(to: second) }
    replica.clock.advance(by: .milliseconds(1001))
    #expect(try await answer.text == (comes ? "unchanged" : "diverged :1"))
  }

  @Test func `what is in memory is asked for again when it is old`() async throws {
    _ = try await a.bench.put(#"[{"id":1}]"#)
    #expect(try await b.bench.delta(since: nil).text == ":1")
    _ = try await a.bench.put(#"[{"id":2}]"#)
    b.bench.clock.advance(by: .milliseconds(1001))
    #expect(try await b.bench.delta(since: nil).text == ":2")
    _ = try await a.bench.delete()
    b.bench.clock.advance(by: .milliseconds(1001))
    #expect(await refusal { try await b.bench.delta(since: nil) }?.error.text == "notFound")
  }

  @Test func `a write rests on what another replica wrote`() async throws {
    _ = try await a.bench.put(#"[{"id":1}]"#)
    let known = try await b.bench.put(#"[{"id":1},{"id":2}]"#).version
    let other = try await a.bench.put(#"[{"id":3}]"#)
    #expect(other.previous == known && other.version.seq == 3)
    // Equal to what this replica has in memory, but not to what is stored.
    let last = try await b.bench.put(#"[{"id":1},{"id":2}]"#)
    #expect(last.isChanged && last.previous == other.version)
    let edited = try await a.bench.edit(#"{"op":"append","section":"","items":[{"id":9}]}"#)
    #expect(edited.previous == last.version)
    #expect(try await b.bench.delta(since: edited.version).text == "unchanged")
  }

  @Test func `a precondition is held against the newest version`() async throws {
    let first = try await a.bench.put(#"[{"id":1}]"#).version
    #expect(try await b.bench.delta(since: first).text == "unchanged")
    let second = try await a.bench.put(#"[{"id":2}]"#).version
    let refused = await refusal { try await b.bench.put(#"[{"id":3}]"#, .matching(first)) }
    #expect(refused?.error.text == "conflict" && refused?.current == second)
    let third = try await b.bench.put(#"[{"id":3}]"#, .matching(second)).version
    #expect(try await a.bench.put(#"[{"id":4}]"#, .matching(third)).version.seq == 4)
  }

  @Test func `settings of one replica are those of the other`() async throws {
    _ = try await a.bench.put(#"[{"id":1}]"#)
    #expect(try await b.bench.delta(since: nil).text == ":1")
    _ = try await a.bench.configure(#"{"sortBy":[{"path":"/id","type":"number"}]}"#)
    _ = try await b.bench.put(#"[{"id":2},{"id":0}]"#)
    #expect(try await b.bench.delta(since: nil).text == ":0,2")
  }

  @Test func `a retry that comes to another replica is replayed, also if it would be refused`()
    async throws
  {
    let first = try await a.bench.put("[]").version
    func write(_ key: String, _ number: UInt64, _ precondition: Precondition) -> WriteRequest {
      WriteRequest(
        .put(body: Array("[{\"id\":\(number)}]".utf8)), precondition: precondition,
        key: IdempotencyKey(text: key, fingerprint: ContentHash(high: 1, low: number)))
    }
    // Afterwards both have the keys of the collection in memory.
    #expect(try await b.bench.write(write("other", 7, Precondition())).version.seq == 2)
    #expect(await refusal { try await a.bench.write(write("k", 3, .matching(first))) } != nil)
    let accepted = try await a.bench.write(write("k", 2, Precondition()))
    let replayed = try await b.bench.write(write("k", 2, .matching(first)))
    #expect(replayed.isReplayed && replayed.version == accepted.version)
    let reused = await refusal { try await b.bench.write(write("k", 4, Precondition())) }
    #expect(reused?.error.text == "reused")
  }

  @Test func `readers that wait at one replica learn of writes at another`() async throws {
    let first = try await a.bench.put(#"[{"id":1}]"#).version
    let waiting = b.bench
    async let news = waiting.delta(since: first, wait: 50)
    try await waiting.untilParked()
    _ = try await a.bench.put(#"[{"id":2}]"#)
    #expect(try await news.text == #"delta +2{"id":2} -1"#)
    let second = try await waiting.delta(since: nil).heldVersion
    async let end = waiting.delta(since: second, wait: 50)
    try await waiting.untilParked()
    _ = try await a.bench.delete()
    #expect(try await end.text == "deleted")
    async let new = waiting.delta(since: nil, wait: 50, forCollection: true)
    try await waiting.untilParked()
    _ = try await a.bench.put(#"[{"id":5}]"#)
    #expect(try await new.text == ":5")
  }

  @Test func `fifty writers on three replicas lose no write and follow each other without gaps`()
    async throws
  {
    let replicas = [a, b, try a.replica()]
    let services = replicas.map(\.bench)
    _ = try await a.bench.put("[]")
    var seqs: [Int] = []
    try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<50 {
        group.addTask {
          let edit = "{\"op\":\"append\",\"section\":\"\",\"items\":[{\"id\":\(writer)}]}"
          return try await services[writer % 3].edit(edit).version.seq
        }
      }
      for try await seq in group { seqs.append(seq) }
    }
    #expect(seqs.sorted() == Array(2...51))
    let head = try await a.bench.put("[]")
    #expect(head.version.seq == 52 && head.counts.deleted == 50)
    withExtendedLifetime(replicas) {}
  }

  @Test func `of fifty writers on three replicas the last wins, or one with a precondition`()
    async throws
  {
    let replicas = [a, b, try a.replica()]
    let services = replicas.map(\.bench)
    let first = try await a.bench.put("[]").version
    for isConditional in [true, false] {
      var seqs: [Int] = []
      await withTaskGroup(of: Int?.self) { group in
        for writer in 0..<50 {
          group.addTask {
            let precondition = isConditional ? .matching(first) : Precondition()
            let body = "[{\"id\":\(isConditional ? writer : -writer - 1)}]"
            var seq: Int?
            let refused = await refusal {
              seq = try await services[writer % 3].put(body, precondition).version.seq
            }
            #expect(refused.map { $0.error.text == "conflict" } ?? true)
            return seq
          }
        }
        for await case let seq? in group { seqs.append(seq) }
      }
      #expect(seqs.sorted() == (isConditional ? [2] : Array(3...52)))
    }
    withExtendedLifetime(replicas) {}
  }

  @Test func `without the database, what is in memory is served and nothing is guessed`()
    async throws
  {
    _ = try await a.bench.put(#"[{"id":1}]"#)
    #expect(try await b.bench.delta(since: nil).text == ":1")
    b.store.close()
    #expect(await refusal { try await b.bench.put(#"[{"id":2}]"#) }?.error.text == "away")
    #expect(try await b.bench.delta(since: nil).text == ":1")
    let newer = try await a.bench.put(#"[{"id":3}]"#).version
    #expect(await refusal { try await b.bench.delta(since: newer) }?.error.text == "away")
  }
}

extension Precondition {
  static func matching(_ version: VersionToken) -> Precondition {
    var precondition = Precondition()
    precondition.version = version
    return precondition
  }
}

extension ServiceError {
  /// A word for the errors that these tests expect.
  fileprivate var text: String {
    switch self {
    case .collectionNotFound: "notFound"
    case .versionConflict: "conflict"
    case .idempotencyKeyReuse: "reused"
    case .storeUnavailable: "away"
    default: "\(self)"
    }
  }
}
