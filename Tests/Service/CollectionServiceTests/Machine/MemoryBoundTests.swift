import CollectionService
import TestSupport
import Testing
import VersionedCollections

/// A service that keeps all in memory has a bound on all that it keeps.
@Suite struct MemoryBoundTests {
  private func key(_ number: Int) -> CollectionKey {
    CollectionKey(client: name("u\(number % 9)"), name: name("c\(number)"))
  }

  private func body(_ count: Int) -> String {
    "[" + (0..<count).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
  }

  private func isFull(_ failure: ServiceFailure?) -> Bool {
    if case .memoryFull(limit: 100_000)? = failure?.error { true } else { false }
  }

  @Test func `large writes that are under way have a bound together, small ones go on`()
    async throws
  {
    var limits = ServiceLimits()
    limits.batchBytesMax = 1 << 20
    let store = SlowStore()
    let bench = ServiceBench(limits: limits, store: store)
    let large = "[{\"id\":1,\"text\":\"\(String(repeating: "x", count: 700_000))\"}]"
    async let first = bench.put(large, to: key(0))
    try await store.untilHeld(1)
    let failure = await refusal { try await bench.put(large, to: key(1)) }
    guard case .tooMuchWritten(limit: 1_048_576)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    async let small = bench.put("[]", to: key(2))
    try await store.untilHeld(2)
    store.release()
    store.release()
    #expect(try await first.isCreated)
    #expect(try await small.isCreated)
    async let second = bench.put(large, to: key(1))
    try await store.untilHeld(1)
    store.release()
    #expect(try await second.isCreated)
  }

  @Test func `a write that would pass the bound is refused, what is deleted makes room`()
    async throws
  {
    var limits = ServiceLimits()
    limits.memoryBytesMax = 100_000
    let bench = ServiceBench(limits: limits)
    var count = 0
    while true {
      let body = body(40)
      let failure = await refusal { try await bench.put(body, to: key(count)) }
      guard let failure else {
        count += 1
        continue
      }
      #expect(isFull(failure))
      #expect(failure.current == nil)
      break
    }
    #expect(10...100 ~= count, "\(count) collections")
    #expect(bench.service.counters.residentBytes.value <= 100_000)
    #expect(
      try await bench.read(ReadRequest(.everything, since: nil, form: .plain), key(0)).text
        .hasPrefix(":0,1"))
    // Less than before is always taken.
    #expect(try await bench.put(body(3), to: key(1)).isChanged)
    for number in 0..<3 { _ = try await bench.delete(key(number)) }
    _ = try await bench.put(body(40), to: key(count))
  }

  @Test func `a collection that grows is held against the bound, whatever makes it grow`()
    async throws
  {
    var limits = ServiceLimits()
    limits.memoryBytesMax = 100_000
    let bench = ServiceBench(limits: limits)
    _ = try await bench.put(body(10))
    let text = String(repeating: "x", count: 10_000)
    var refused: ServiceFailure?
    for number in 0..<100 where refused == nil {
      let edit = #"{"edits":[{"op":"append","items":[{"id":"n\#(number)","t":"\#(text)"}]}]}"#
      refused = await refusal {
        try await bench.write(WriteRequest(.edit(body: Array(edit.utf8))))
      }
    }
    #expect(isFull(refused), "\(refused as Any)")
    #expect(bench.service.counters.residentBytes.value <= 100_000)
  }

  @Test func `writers at one time do not pass the bound together`() async throws {
    var limits = ServiceLimits()
    limits.memoryBytesMax = 100_000
    let bench = ServiceBench(limits: limits)
    let body = body(100)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let key = CollectionKey(client: name("u\(number)"), name: name("c"))
          _ = await refusal { try await bench.put(body, to: key) }
        }
      }
    }
    #expect(bench.service.counters.residentBytes.value <= 100_000)
    #expect(bench.service.counters.residentBytes.value > 80_000)
  }
}
