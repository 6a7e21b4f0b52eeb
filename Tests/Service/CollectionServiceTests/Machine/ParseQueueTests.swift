import TestSupport
import Testing
import VersionedCollections

/// How many bodies are read at a time.
@Suite struct ParseQueueTests {
  private func body(_ count: Int) -> String {
    #"[{"id":1}]"# + String(repeating: " ", count: count)
  }

  @Test(arguments: [100_000, 2_000_000])
  func `a body waits in line until those before it are answered, a small one does not`(
    byteCount: Int
  ) async throws {
    let store = SlowStore()
    var limits = ServiceLimits()
    limits.parsedBytesMax = byteCount * 3 / 2
    let bench = ServiceBench(limits: limits, store: store)
    let keys = ["a", "b", "c"].map {
      CollectionKey(client: bench.key.client, name: name($0))
    }
    async let first = bench.put(body(byteCount), to: keys[0])
    try await store.untilHeld(1)
    async let second = bench.put(body(byteCount), to: keys[1])
    async let small = bench.put("[]", to: keys[2])
    try await store.untilHeld(2)
    for _ in 0..<1000 { await Task.yield() }
    #expect(store.heldCount == 2)
    store.release()
    _ = try await first
    try await store.untilHeld(2)
    store.release()
    store.release()
    #expect(try await second.isCreated)
    #expect(try await small.isCreated)
  }

  @Test func `a body that is longer than all the room has it for itself`() async throws {
    var limits = ServiceLimits()
    limits.parsedBytesMax = 0
    let bench = ServiceBench(limits: limits)
    for count in [0, 100_000, 2_000_000] { _ = try await bench.put(body(count)) }
  }
}
