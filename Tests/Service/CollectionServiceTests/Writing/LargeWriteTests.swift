import CollectionService
import DeltaEngine
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// Large writes are prepared beside the collection's queue.
@Suite struct LargeWriteTests {
  private let store = SlowStore()
  private let bench: ServiceBench

  /// A service in which one large write can be prepared at a time.
  init() {
    var limits = ServiceLimits()
    limits.parsedBytesMax = 3_000_000
    bench = ServiceBench(limits: limits, store: store)
  }

  @Test func `while a large write is prepared the collection is read, and others are written`()
    async throws
  {
    let made = start("b", "[]")
    try await store.untilHeld(1)
    store.release()
    let first = try await made.receipt
    let inTheWay = start("a", large(1))
    try await store.untilHeld(1)
    // It has its turn, and waits for a worker; what comes later to the same collection waits.
    let slow = start("b", large(2))
    let later = start("b", #"[{"id":3}]"#)
    let other = start("c", "[]")
    try await store.untilHeld(2)
    let unchanged = try await bench.read(
      ReadRequest(.everything, since: first.version, form: .plain), key("b"))
    #expect(unchanged.text == "unchanged")
    #expect(
      try await bench.read(ReadRequest(.everything, since: nil, form: .plain), key("b")).text == ":"
    )
    #expect(!later.isAnswered)
    store.release()
    store.release()
    #expect(try await inTheWay.receipt.isCreated)
    #expect(try await other.receipt.isCreated)
    try await store.untilHeld(1)
    store.release()
    #expect(try await slow.receipt.previous == first.version)
    try await store.untilHeld(1)
    store.release()
    #expect(try await later.receipt.previous == slow.receipt.version)
  }

  @Test func `a precondition is judged when the turn has come, the body first`() async throws {
    let made = start("b", "[]")
    try await store.untilHeld(1)
    store.release()
    var ifFirst = Precondition()
    ifFirst.version = try await made.receipt.version
    let slow = start("b", large(2))
    let late = start("b", large(3), ifFirst)
    let bad = start("b", "{" + large(4), ifFirst)
    try await store.untilHeld(1)
    store.release()
    let next = try await slow.receipt.version
    let refused = await refusal { try await late.receipt }
    #expect(refused?.current == next)
    guard case .versionConflict? = refused?.error else {
      Issue.record("\(refused as Any)")
      return
    }
    guard case .badJSON? = await refusal({ try await bad.receipt })?.error else {
      Issue.record("the body is no JSON")
      return
    }
  }

  @Test func `a key is under way from the moment its request comes`() async throws {
    let inTheWay = start("a", large(1))
    try await store.untilHeld(1)
    let first = start("b", large(2), key: "k")
    let again = start("b", large(2), key: "k")
    guard case .idempotencyInFlight? = await refusal({ try await again.receipt })?.error else {
      Issue.record("the second request was taken")
      return
    }
    store.release()
    _ = try await inTheWay.receipt
    try await store.untilHeld(1)
    store.release()
    let version = try await first.receipt.version
    let replayed = try await start("b", large(2), key: "k").receipt
    #expect(replayed.isReplayed && replayed.version == version)
  }

  @Test func `what the store refuses leaves no trace of what was prepared`() async throws {
    let made = start("b", #"[{"id":1}]"#)
    try await store.untilHeld(1)
    store.release()
    let first = try await made.receipt
    let slow = start("b", large(2))
    try await store.untilHeld(1)
    store.release(.full("no room"))
    guard case .storageFull? = await refusal({ try await slow.receipt })?.error else {
      Issue.record("the store's refusal is not the answer")
      return
    }
    #expect(
      try await bench.read(ReadRequest(.everything, since: nil, form: .plain), key("b")).text
        == ":1")
    let next = start("b", #"[{"id":1},{"id":"new"}]"#)
    try await store.untilHeld(1)
    store.release()
    #expect(try await next.receipt.previous == first.version)
    let delta = try await bench.read(
      ReadRequest(.everything, since: first.version, form: .plain), key("b"))
    #expect(delta.text == #"delta +new{"id":"new"}"#)
  }

  private func key(_ text: String) -> CollectionKey {
    CollectionKey(client: bench.key.client, name: name(text))
  }

  /// More bytes than a shard prepares in place.
  private func large(_ id: Int) -> String {
    "[{\"id\":\(id)}]" + String(repeating: " ", count: 2_000_000)
  }

  /// Takes a place in line before it returns.
  private func start(
    _ collection: String, _ body: String, _ precondition: Precondition = Precondition(),
    key: String? = nil
  ) -> PendingAnswer {
    let answer = PendingAnswer()
    let idempotency = key.map {
      IdempotencyKey(text: $0, fingerprint: ContentHash(high: 1, low: 1))
    }
    bench.service.write(
      self.key(collection),
      WriteRequest(.put(body: Array(body.utf8)), precondition: precondition, key: idempotency)
    ) { answer.set($0) }
    return answer
  }
}

/// An answer that will come.
private final class PendingAnswer: Sendable {
  private let result = Mutex<Result<WriteReceipt, ServiceFailure>?>(nil)

  var isAnswered: Bool { result.withLock { $0 != nil } }

  func set(_ result: Result<WriteReceipt, ServiceFailure>) { self.result.withLock { $0 = result } }

  var receipt: WriteReceipt {
    get async throws {
      try await until { isAnswered }
      guard let result = result.withLock({ $0 }) else { throw CancellationError() }
      return try result.get()
    }
  }
}
