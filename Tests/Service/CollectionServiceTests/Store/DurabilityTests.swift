import CollectionService
import DeltaEngine
import TestSupport
import Testing
import VersionedCollections

@Suite struct DurabilityTests {
  @Test func `nothing is shown before it is durable`() async throws {
    let store = SlowStore()
    let bench = ServiceBench(store: store)
    async let first = bench.put(#"[{"id":1}]"#)
    try await store.untilHeld(1)
    #expect(await refusal { try await bench.delta(since: nil) } != nil)
    store.release()
    let head = try await first.version
    async let reader = bench.delta(since: head, wait: 25)
    try await bench.untilParked()
    async let second = bench.put(#"[{"id":2}]"#)
    try await store.untilHeld(1)
    #expect(try await bench.delta(since: head).text == "unchanged")
    #expect(bench.service.counters.parked.value == 1)
    store.release()
    #expect(try await second.version.seq == 2)
    #expect(try await reader.text == #"delta +2{"id":2} -1"#)
  }

  @Test func `writes of a collection keep their order, others do not wait`() async throws {
    let store = SlowStore()
    let bench = ServiceBench(store: store)
    let other = CollectionKey(client: bench.key.client, name: name("other"))
    async let first = bench.put(#"[{"id":1}]"#)
    try await store.untilHeld(1)
    async let second = bench.put(#"[{"id":2}]"#)
    async let elsewhere = bench.put("[]", to: other)
    try await store.untilHeld(2)
    store.release()
    store.release()
    #expect(try await first.version.seq == 1)
    #expect(try await elsewhere.version.seq == 1)
    try await store.untilHeld(1)
    store.release()
    #expect(try await second.version.seq == 2)
  }

  @Test func `what the store refuses did not happen`() async throws {
    let store = SlowStore()
    let bench = ServiceBench(store: store)
    async let first = bench.put(#"[{"id":1}]"#)
    try await store.untilHeld(1)
    store.release()
    let head = try await first.version
    for error in [StoreError.full("full"), .unavailable("gone"), .conflict] {
      async let failure = refusal { try await bench.put(#"[{"id":2}]"#) }
      try await store.untilHeld(1)
      store.release(error)
      #expect(await failure?.current == head)
      #expect(try await bench.delta(since: head).text == "unchanged")
    }
    async let next = bench.put(#"[{"id":3}]"#)
    try await store.untilHeld(1)
    store.release()
    #expect(try await next.version.seq == 2)
    #expect(try await bench.delta(since: head).text == #"delta +3{"id":3} -1"#)
  }

  @Test func `a request that is under way is not begun again`() async throws {
    let store = SlowStore()
    let bench = ServiceBench(store: store)
    let key = IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 2))
    let request = WriteRequest(.put(body: Array("[]".utf8)), key: key)
    async let first = bench.write(request)
    try await store.untilHeld(1)
    let second = await refusal { try await bench.write(request) }
    guard case .idempotencyInFlight? = second?.error else {
      Issue.record("\(second as Any)")
      return
    }
    store.release()
    #expect(try await first.isReplayed == false)
    #expect(try await bench.write(request).isReplayed)
    bench.date.value += 86_401
    async let late = bench.write(request)
    try await store.untilHeld(1)
    store.release()
    #expect(try await late.isReplayed == false)
  }
}
