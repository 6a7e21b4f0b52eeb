import CollectionService
import StorePostgres
import TestSupport
import Testing
import VersionedCollections

/// A batch of another replica is seen as a whole or not at all.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct ConsistentCutTests {
  private let replicas: [PostgresBench]
  private let a: ServiceBench
  private let b: ServiceBench
  fileprivate static let names = [name("cart"), name("inbox")]

  init() throws {
    let first = try PostgresBench(try #require(PostgresServer.shared))
    replicas = [first, try first.replica()]
    (a, b) = (first.bench, replicas[1].bench)
  }

  @Test func `when one of its collections is loaded, the others are not older`() async throws {
    try await a.put(all: 1)
    let cart = CollectionKey(client: b.key.client, name: Self.names[0])
    let held = try await b.read(ReadRequest(.everything, since: nil, form: .plain), cart)
      .heldVersion
    try await a.put(all: 2)
    let texts = try await b.sync([held, nil]).news.map(\.answer.text)
    #expect(texts == [#"delta +2{"id":2} -1"#, ":2"])
    try await a.put(all: 3)
    // Another reader has loaded one of them.
    _ = try await a.put("[{\"id\":4}]")
    let newest = try await a.put("[{\"id\":5}]").version
    #expect(try await b.delta(since: newest).text == "unchanged")
    #expect(try await b.sync([nil, nil]).news.map(\.answer.text) == [":3", ":5"])
  }

  @Test func `readers that wait are told of all that it deletes and changes`() async throws {
    try await a.put(all: 1)
    let held = try await b.sync([nil, nil]).held.map(\.since)
    let waiting = b
    async let news = waiting.sync(held, wait: 50)
    try await b.untilParked()
    try await a.batch(
      #"{"collection":"cart","delete":true},{"collection":"inbox","put":[{"id":2}]}"#)
    #expect(try await news.news.map(\.answer.text) == ["deleted", #"delta +2{"id":2} -1"#])
  }

  @Test func `a reader sees none half while batches go on`() async throws {
    try await a.put(all: 0)
    let (a, b) = (a, b)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for number in 1...150 { try await a.put(all: number) } }
      for reader in 0..<3 {
        group.addTask {
          for _ in 0..<100 {
            b.clock.advance(by: .milliseconds(400))
            if reader == 0 {
              _ = try await b.delta(since: nil)
            } else {
              let texts = try await b.sync([nil, nil]).news.map(\.answer.text)
              #expect(texts.count == 2 && Set(texts).count == 1, "\(texts)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(replicas[1].faults.faults.isEmpty, "\(replicas[1].faults.faults)")
  }
}

extension ServiceBench {
  /// Puts the same number into all collections.
  fileprivate func put(all number: Int) async throws {
    let writes = ConsistentCutTests.names.map {
      "{\"collection\":\"\($0.text)\",\"put\":[{\"id\":\(number)}]}"
    }
    try await batch(writes.joined(separator: ","))
  }

  fileprivate func batch(_ writes: String) async throws {
    let receipt = try await withCheckedContinuation { continuation in
      service.batch(key.client, body: Array("{\"writes\":[\(writes)]}".utf8)) {
        continuation.resume(returning: $0)
      }
    }.get()
    #expect(receipt.failure == nil)
  }

  fileprivate func sync(_ held: [VersionToken?], wait: Int = 0) async throws -> SyncAnswer {
    let entries = zip(ConsistentCutTests.names, held).map {
      SyncRequest.Entry(.everything, name: $0, since: $1)
    }
    return try await withCheckedContinuation { continuation in
      service.sync(
        key.client, SyncRequest(entries: entries, form: .plain), waitSeconds: wait
      ) { continuation.resume(returning: $0) }
    }.get()
  }
}
