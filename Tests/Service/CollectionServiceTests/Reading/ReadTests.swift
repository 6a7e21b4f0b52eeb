import CollectionService
import TestSupport
import Testing
import VersionedCollections

@Suite struct ReadTests {
  @Test func `a reader without a version gets the snapshot, one with the head nothing`()
    async throws
  {
    let bench = ServiceBench()
    let receipt = try await bench.put(#"{"sections":[{"id":"s","items":[{"id":1},{"id":2}]}]}"#)
    #expect(try await bench.delta(since: nil).text == "s:1,2")
    #expect(try await bench.delta(since: receipt.version).text == "unchanged")
  }

  @Test func `one delta leads from any version that is kept to the head`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(#"[{"id":1},{"id":2},{"id":3}]"#)
    let second = try await bench.put(#"[{"id":3},{"id":1},{"id":2}]"#)
    _ = try await bench.put(#"[{"id":3},{"id":1},{"id":2,"x":1},{"id":4}]"#)
    #expect(
      try await bench.delta(since: first.version).text == #"delta +4{"id":4} ~3 !{"id":2,"x":1}"#)
    #expect(
      try await bench.delta(since: second.version).text == #"delta +4{"id":4} !{"id":2,"x":1}"#)
  }

  @Test func `a version that went and came back leaves nothing to do`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(#"[{"id":1}]"#)
    _ = try await bench.put(#"[]"#)
    _ = try await bench.put(#"[{"id":1}]"#)
    #expect(try await bench.delta(since: first.version).text == "delta ")
  }

  @Test func `older than what is kept is compacted`() async throws {
    var limits = ServiceLimits()
    limits.retention.versionsMax = 3
    let bench = ServiceBench(limits: limits)
    var versions: [VersionToken] = []
    for number in 1...5 { versions.append(try await bench.put("[{\"id\":\(number)}]").version) }
    for version in versions[0...1] {
      let answer = try await bench.delta(since: version)
      #expect(answer.text == "history-compacted :5")
      guard case .snapshot(_, _, let reset?) = answer else { continue }
      #expect(reset.oldest == versions[2])
      #expect(reset.since == version)
    }
    #expect(try await bench.delta(since: versions[2]).text.hasPrefix("delta"))
    let strict = await refusal { try await bench.delta(since: versions[0], isStrict: true) }
    guard case .reset(let reset)? = strict?.error else { Issue.record("\(strict as Any)"); return }
    #expect(reset.reason == .historyCompacted)
  }

  @Test func `versions go when they are too old`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(#"[{"id":1}]"#)
    bench.date.value += 8 * 86_400
    _ = try await bench.put(#"[{"id":2}]"#)
    #expect(try await bench.delta(since: first.version).text == "history-compacted :2")
  }

  @Test func `another lineage, another digest, and a number that never was`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put(#"[{"id":1}]"#).version
    let foreign = VersionToken(lineage: "zzzzzzzz", seq: 1, digest: head.digest)
    #expect(try await bench.delta(since: foreign).text == "lineage-changed :1")
    let forged = VersionToken(lineage: head.lineage, seq: 1, digest: "AAAAAAAAAAAAAAAA")
    #expect(try await bench.delta(since: forged).text == "diverged :1")
    let ahead = VersionToken(lineage: head.lineage, seq: 9, digest: head.digest)
    async let answer = bench.delta(since: ahead)
    try await bench.untilParked()
    bench.clock.advance(by: .seconds(1))
    #expect(try await answer.text == "diverged :1")
    #expect(bench.service.counters.divergedResets.value == 2)
  }

  @Test func `over a threshold a delta is not for showing as it goes`() async throws {
    var limits = ServiceLimits()
    limits.dataCountAnimationThreshold = 3
    limits.deltaCountAnimationThreshold = 2
    let bench = ServiceBench(limits: limits)
    let four = try await bench.put(#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#).version
    let three = try await bench.put(#"[{"id":1},{"id":2},{"id":3}]"#).version
    #expect(try await bench.delta(since: four).text == "delta still -4")
    _ = try await bench.put(#"[{"id":1},{"id":2},{"id":5}]"#)
    #expect(try await bench.delta(since: three).text.hasPrefix("delta "))
    _ = try await bench.put(#"[{"id":5},{"id":2},{"id":1}]"#)
    #expect(try await bench.delta(since: three).text.hasPrefix("delta still "))
  }

  @Test func `a collection that is not there is not found`() async throws {
    let failure = await refusal { try await ServiceBench().delta(since: nil) }
    guard case .collectionNotFound? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
  }

  @Test func `readers of the same share one delta and one buffer`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(#"[{"id":1}]"#).version
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask { try await bench.delta(since: first, wait: 30).text }
      }
      try await bench.untilParked(50)
      _ = try await bench.put(#"[{"id":1},{"id":2}]"#)
      for try await text in group { #expect(text == #"delta +2{"id":2}"#) }
    }
    #expect(bench.service.counters.deltas.value == 1)
    #expect(bench.service.counters.encodings.value == 1)
    #expect(bench.service.counters.parked.value == 0)
  }
}

@Suite struct CacheTests {
  @Test func `what is kept for readers is bounded, and made anew when it is needed`() async throws {
    var limits = ServiceLimits()
    limits.shardCount = 1
    limits.cacheBytesMax = 200
    let bench = ServiceBench(limits: limits)
    let keys = (0..<20).map { CollectionKey(client: name("u"), name: name("c\($0)")) }
    let body = "[" + (10..<30).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
    for key in keys { _ = try await bench.put(body, to: key) }
    for _ in 0..<2 {
      for key in keys {
        let request = ReadRequest(.everything, since: nil, form: .plain)
        #expect(try await bench.read(request, key).text.hasPrefix(":10,11"))
      }
    }
    // None of 20 snapshots outlasts the 19 others, so each was encoded twice.
    #expect(bench.service.counters.encodings.value == 40)
  }

  @Test func `readers of an answer larger than the cache share one encoding`() async throws {
    var limits = ServiceLimits()
    limits.cacheBytesMax = 10
    let bench = ServiceBench(limits: limits)
    let first = try await bench.put(#"[{"id":1}]"#).version
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await bench.delta(since: first, wait: 30).text } }
      try await bench.untilParked(50)
      _ = try await bench.put(#"[{"id":1},{"id":2}]"#)
      for try await text in group { #expect(text == #"delta +2{"id":2}"#) }
    }
    #expect(bench.service.counters.encodings.value == 1)
  }
}
