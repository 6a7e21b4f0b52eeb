import CollectionService
import TestSupport
import Testing
import VersionedCollections

@Suite struct WaitTests {
  @Test func `a reader with the head waits, and gets the delta when there is one`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put(#"[{"id":1}]"#).version
    async let answer = bench.delta(since: head, wait: 25)
    try await bench.untilParked()
    _ = try await bench.put(#"[]"#)
    #expect(try await answer.text == "delta -1")
  }

  @Test func `equal content wakes nobody`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put(#"[{"id":1}]"#).version
    async let answer = bench.delta(since: head, wait: 25)
    try await bench.untilParked()
    _ = try await bench.put(#"[ {"id":1} ]"#)
    #expect(bench.service.counters.parked.value == 1)
    bench.clock.advance(by: .seconds(25))
    #expect(try await answer.text == "unchanged")
  }

  @Test(arguments: 1...20)
  func `an idle answer comes in the last tenth of the wait`(seed: UInt64) async throws {
    let bench = ServiceBench(seed: seed)
    let head = try await bench.put("[]").version
    async let answer = bench.delta(since: head, wait: 20)
    try await bench.untilParked()
    bench.clock.advance(by: .milliseconds(17_999))
    _ = try await bench.put("[]")
    #expect(bench.service.counters.parked.value == 1)
    bench.clock.advance(by: .milliseconds(2_001))
    #expect(try await answer.text == "unchanged")
  }

  @Test func `a wait is clamped to the limit`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    async let answer = bench.delta(since: head, wait: 1000)
    try await bench.untilParked()
    bench.clock.advance(by: .seconds(55))
    #expect(try await answer.text == "unchanged")
  }

  @Test func `those who wait are told of a deletion, then nothing is there`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    async let answer = bench.delta(since: head, wait: 25)
    try await bench.untilParked()
    _ = try await bench.delete()
    #expect(try await answer.text == "deleted")
    #expect(await refusal { try await bench.delta(since: head, wait: 25) } != nil)
  }

  @Test func `a reader may wait for a collection to come`() async throws {
    let bench = ServiceBench()
    async let answer = bench.delta(since: nil, wait: 25, forCollection: true)
    try await bench.untilParked()
    _ = try await bench.put(#"[{"id":1}]"#)
    #expect(try await answer.text == ":1")
    let other = CollectionKey(client: name("u"), name: name("never"))
    async let none = refusal {
      try await bench.read(
        ReadRequest(
          .everything, since: nil, form: .plain, waitSeconds: 5, waitsForCollection: true), other)
    }
    try await bench.untilParked()
    bench.clock.advance(by: .seconds(5))
    #expect(await none != nil)
  }

  @Test func `a reader ahead of the head is served when the head comes up`() async throws {
    let source = ServiceBench(seed: 7)
    let replica = ServiceBench(seed: 7)
    for bench in [source, replica] { _ = try await bench.put(#"[{"id":1}]"#) }
    let second = try await source.put(#"[{"id":2}]"#).version
    async let answer = replica.delta(since: second)
    try await replica.untilParked()
    #expect(try await replica.put(#"[{"id":2}]"#).version == second)
    #expect(try await answer.text == "unchanged")
  }

  @Test func `only so many may wait`() async throws {
    var limits = ServiceLimits()
    limits.parkedMax = 1
    let bench = ServiceBench(limits: limits)
    let head = try await bench.put("[]").version
    async let first = bench.delta(since: head, wait: 25)
    try await bench.untilParked()
    let failure = await refusal { try await bench.delta(since: head, wait: 25) }
    guard case .tooManyParked(limit: 1)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    bench.clock.advance(by: .seconds(25))
    #expect(try await first.text == "unchanged")
  }

  @Test func `a reader who went away is forgotten`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    let ticket = bench.service.read(
      bench.key, ReadRequest(.everything, since: head, form: .plain, waitSeconds: 25)
    ) { _, _ in Issue.record("nobody is there to be answered") }
    try await bench.untilParked()
    ticket.cancel()
    try await bench.untilParked(0)
    _ = try await bench.put(#"[{"id":1}]"#)
  }
}
