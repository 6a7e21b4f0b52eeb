import CollectionService
import DeltaEngine
import Dispatch
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// What readers are told of large collections is made beside the collection's queue.
@Suite struct LargeReadTests {
  private let gate = Gate()
  private let bench: ServiceBench
  private let other: CollectionKey

  /// A service whose encoder waits at a gate for collections of more than ten items.
  init() {
    var limits = ServiceLimits()
    limits.inlineBodyBytesMax = 400
    bench = ServiceBench(limits: limits, encoders: .plain(gate: gate))
    other = CollectionKey(client: bench.key.client, name: name("other"))
  }

  @Test func `while an answer is made others of the same client are read and written`()
    async throws
  {
    let version = try await bench.put(list(50)).version
    gate.close()
    async let large = bench.delta(since: nil)
    try await gate.untilWaiting()
    #expect(try await bench.put("[]", to: other).isCreated)
    #expect(
      try await bench.read(ReadRequest(.everything, since: nil, form: .plain), other).text == ":")
    #expect(try await bench.delta(since: version).text == "unchanged")
    gate.open()
    #expect(try await large.text.hasPrefix(":0,1,2,"))
  }

  @Test func `an answer that is made while the collection is written is of one version`()
    async throws
  {
    let first = try await bench.put(list(50)).version
    gate.close()
    async let large = bench.delta(since: nil)
    try await gate.untilWaiting()
    let second = try await bench.put(list(51)).version
    gate.open()
    guard case .snapshot(let version, let content, _) = try await large else {
      Issue.record("no snapshot")
      return
    }
    #expect(version == first || version == second)
    let count = String(decoding: content.bytes, as: UTF8.self).split(separator: ",").count
    #expect(count == (version == first ? 50 : 51))
  }

  @Test func `many who wait for the same share what is made once`() async throws {
    let first = try await bench.put(list(50)).version
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<30 {
        group.addTask { try? await bench.delta(since: first, wait: 50).text }
      }
      try await bench.untilParked(30)
      let before = bench.service.counters.encodings.value
      _ = try? await bench.put(list(51))
      for try await text in group { #expect(text == #"delta +50{"id":50,"t":"text 50"}"#) }
      #expect(bench.service.counters.encodings.value == before + 1)
    }
  }

  @Test func `several collections are told as of one moment`() async throws {
    let first = try await bench.put(list(50)).version
    _ = try await bench.put(list(60), to: other)
    let entries = [
      SyncRequest.Entry(.everything, name: bench.key.name, since: first),
      SyncRequest.Entry(.everything, name: other.name, since: nil),
    ]
    let answer = try await withCheckedContinuation { continuation in
      bench.service.sync(
        bench.key.client, SyncRequest(entries: entries, form: .plain), waitSeconds: 0
      ) { continuation.resume(returning: $0) }
    }.get()
    #expect(answer.unchanged == [entries[0]])
    #expect(answer.news.map(\.name) == [other.name])
    #expect(answer.news.first?.answer.text.hasPrefix(":0,1,2,") == true)
  }

  @Test func `a reader of several that goes while they are made is answered no more`() async throws
  {
    _ = try await bench.put(list(50))
    gate.close()
    let isAnswered = SharedNumber(0)
    let entry = SyncRequest.Entry(.everything, name: bench.key.name, since: nil)
    let ticket = bench.service.sync(
      bench.key.client, SyncRequest(entries: [entry], form: .plain), waitSeconds: 0
    ) { _ in isAnswered.value = 1 }
    try await gate.untilWaiting()
    ticket.cancel()
    gate.open()
    #expect(try await bench.delta(since: nil).text.hasPrefix(":0,1,2,"))
    #expect(isAnswered.value == 0)
  }

  @Test func `a writer gets the version that it made, whatever is written meanwhile`()
    async throws
  {
    let first = try await bench.put(list(50)).version
    gate.close()
    async let receipt = bench.put(list(51), answer: .snapshot(.plain))
    try await gate.untilWaiting()
    let next = try await bench.put(list(52))
    gate.open()
    let made = try await receipt
    #expect(made.previous == first && next.previous == made.version)
    guard case .snapshot(let version, let content, _)? = made.answer else {
      Issue.record("no snapshot")
      return
    }
    #expect(version == made.version)
    #expect(String(decoding: content.bytes, as: UTF8.self).hasSuffix(",49,50"))
  }
}
