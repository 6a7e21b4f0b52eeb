import CollectionService
import TestSupport
import Testing
import VersionedCollections

@Suite struct WriteTests {
  @Test func `the first write makes version 1, and counts all as new`() async throws {
    let bench = ServiceBench()
    let receipt = try await bench.put(
      #"{"sections":[{"id":"a","items":[{"id":1},{"id":"x"}]},{"id":"b","items":[]}]}"#)
    #expect(receipt.isCreated)
    #expect(receipt.isChanged)
    #expect(receipt.version.seq == 1)
    #expect(receipt.previous == nil)
    #expect(receipt.counts.sectionsInserted == 2)
    #expect(receipt.counts.inserted == 2)
    #expect(receipt.version.lineage.count == 8)
    #expect(receipt.version.digest.count == 16)
    #expect(VersionToken(receipt.version.description) == receipt.version)
  }

  @Test func `equal content makes no version, whatever its spelling`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(#"[{"id":1,"t":"é","n":{"a":1,"b":2}}]"#)
    let second = try await bench.put(
      #" {"items": [ {"n":{"b":2,"a":1}, "t":"\u00e9", "id":1} ]} "#)
    #expect(!second.isChanged)
    #expect(second.version == first.version)
    #expect(second.previous == first.version)
    #expect(second.counts == ChangeCounts())
  }

  @Test func `meta is content, and null is none`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(#"{"items":[],"meta":null}"#)
    #expect(try await !bench.put(#"{"items":[]}"#).isChanged)
    let second = try await bench.put(#"{"items":[],"meta":{"page":1}}"#)
    #expect(second.isChanged)
    #expect(second.previous == first.version)
    #expect(try await !bench.put(#"{"meta":{"page":1},"items":[]}"#).isChanged)
  }

  @Test func `counts tell what changed`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put(
      #"{"sections":[{"id":"s","items":[{"id":"a"},{"id":"b"},{"id":"c"}]},{"id":"t","items":[{"id":"d"}]}]}"#
    )
    let receipt = try await bench.put(
      #"{"sections":[{"id":"s","x":1,"items":[{"id":"b"},{"id":"a"},{"id":"e"}]},{"id":"u","items":[{"id":"c","y":2},{"id":"f"}]}]}"#
    )
    var counts = ChangeCounts()
    counts.sectionsInserted = 1
    counts.sectionsDeleted = 1
    counts.sectionsReloaded = 1
    counts.inserted = 2
    counts.deleted = 1
    counts.moved = 2
    counts.reloaded = 1
    #expect(receipt.counts == counts)
  }

  @Test func `sequence numbers have no gaps, and a digest stands for content and lineage`()
    async throws
  {
    let bench = ServiceBench()
    let a = try await bench.put(#"[{"id":1}]"#)
    let b = try await bench.put(#"[{"id":2}]"#)
    let c = try await bench.put(#"[{"id":1}]"#)
    #expect([a, b, c].map(\.version.seq) == [1, 2, 3])
    #expect(a.version.digest == c.version.digest)
    #expect(a.version.digest != b.version.digest)
    let other = CollectionKey(client: bench.key.client, name: name("other"))
    let elsewhere = try await bench.put(#"[{"id":1}]"#, to: other)
    #expect(elsewhere.version.lineage != a.version.lineage)
    #expect(elsewhere.version.digest != a.version.digest)
  }

  @Test func `a collection that was deleted begins a new lineage`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put("[]")
    #expect(try await bench.delete().version == first.version)
    let again = try await bench.put("[]")
    #expect(again.isCreated)
    #expect(again.version.seq == 1)
    #expect(again.version.lineage != first.version.lineage)
  }

  @Test func `conditions are checked against the head`() async throws {
    let bench = ServiceBench()
    var ifMissing = Precondition()
    ifMissing.noneMatch = .any
    let first = try await bench.put("[]", ifMissing)
    let taken = await refusal { try await bench.put(#"[{"id":1}]"#, ifMissing) }
    #expect(taken?.current == first.version)
    guard case .collectionExists? = taken?.error else { Issue.record("\(taken as Any)"); return }
    var ifFirst = Precondition()
    ifFirst.version = first.version
    let second = try await bench.put(#"[{"id":1}]"#, ifFirst)
    let late = await refusal { try await bench.put(#"[{"id":2}]"#, ifFirst) }
    #expect(late?.current == second.version)
    guard case .versionConflict? = late?.error else { Issue.record("\(late as Any)"); return }
    var ifSecond = Precondition()
    ifSecond.match = .oneOf(["x", second.version.description])
    #expect(try await bench.put(#"[{"id":2}]"#, ifSecond).version.seq == 3)
    var ifAny = Precondition()
    ifAny.match = .any
    let missing = CollectionKey(client: bench.key.client, name: name("none"))
    let none = await refusal { try await bench.put("[]", to: missing, ifAny) }
    #expect(none?.current == nil)
    guard case .versionConflict? = none?.error else { Issue.record("\(none as Any)"); return }
  }

  @Test func `a body that is refused leaves everything as it was`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(#"[{"id":1}]"#)
    for body in ["", "{", #"[{"id":1},{"id":"1"}]"#, #"{"x":1}"#, #"[{"id":[]}]"#] {
      let failure = await refusal { try await bench.put(body) }
      #expect(failure?.current == first.version, "\(body)")
    }
    #expect(try await bench.delta(since: first.version).text == "unchanged")
  }

  @Test func `a client may have so many collections`() async throws {
    var limits = ServiceLimits()
    limits.collectionsPerClientMax = 2
    let bench = ServiceBench(limits: limits)
    for text in ["a", "b"] {
      _ = try await bench.put("[]", to: CollectionKey(client: name("u"), name: name(text)))
    }
    let failure = await refusal {
      try await bench.put("[]", to: CollectionKey(client: name("u"), name: name("c")))
    }
    guard case .tooManyCollections(limit: 2)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    _ = try await bench.put("[]", to: CollectionKey(client: name("v"), name: name("c")))
  }

  @Test func `a client that is forgotten has nothing, and the index says so`() async throws {
    let bench = ServiceBench()
    for text in ["b", "a", "c"] {
      _ = try await bench.put("[]", to: CollectionKey(client: name("u"), name: name(text)))
    }
    func names(after: String?, limit: Int) async -> ([String], Bool) {
      await withCheckedContinuation { continuation in
        bench.service.index(of: name("u"), after: after.map(name), limit: limit) { result in
          let page = try? result.get()
          continuation.resume(
            returning: (page?.page.map(\.name.text) ?? [], page?.hasMore ?? false))
        }
      }
    }
    #expect(await names(after: nil, limit: 2) == (["a", "b"], true))
    #expect(await names(after: "b", limit: 2) == (["c"], false))
    try await withCheckedContinuation { continuation in
      bench.service.deleteClient(name("u")) { continuation.resume(returning: $0) }
    }.get()
    #expect(await names(after: nil, limit: 2) == ([], false))
  }
}
