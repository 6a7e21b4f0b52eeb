import CollectionService
import DeltaEngine
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

@Suite(.timeLimit(.minutes(10))) struct RecoveryTests {
  @Test func `a restart has every version, and each token works`() async throws {
    let bench = try StoreBench()
    let first = try await bench.bench.put(
      #"{"meta":{"p":1},"sections":[{"id":"s","t":"S","items":[{"id":1,"é":"\u00e9"},{"id":2}]}]}"#)
    let second = try await bench.bench.put(
      #"{"meta":{"p":1},"sections":[{"id":"s","t":"S","items":[{"id":2},{"id":1,"é":"\u00e9"},{"id":3}]}]}"#
    )
    try bench.restart()
    let head = try await bench.bench.delta(since: nil)
    #expect(head.heldVersion == second.version)
    #expect(head.text == "s:2,1,3")
    let delta = try await bench.bench.delta(since: first.version)
    #expect(delta.text.contains("+3"))
    #expect(try await bench.bench.delta(since: second.version).text == "unchanged")
    let third = try await bench.bench.put(#"[{"id":1}]"#)
    #expect(third.previous == second.version)
    #expect(third.version.seq == 3)
  }

  @Test func `what a process leaves that is killed is what was acknowledged`() async throws {
    let bench = try StoreBench()
    let first = try await bench.bench.put(#"[{"id":1}]"#)
    let second = try await bench.bench.put(#"[{"id":1},{"id":2}]"#)
    try bench.crash()
    #expect(try await bench.bench.delta(since: nil).heldVersion == second.version)
    #expect(try await bench.bench.delta(since: first.version).text == #"delta +2{"id":2}"#)
  }

  @Test func `a key replays the first answer after a restart, for a day`() async throws {
    let bench = try StoreBench()
    let key = IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 2))
    let request = WriteRequest(.put(body: Array(#"[{"id":1}]"#.utf8)), key: key)
    let first = try await bench.bench.write(request)
    _ = try await bench.bench.put(#"[{"id":2}]"#)
    try bench.restart()
    let again = try await bench.bench.write(request)
    #expect(again.isReplayed)
    #expect(again.version == first.version)
    #expect(again.isCreated)
    #expect(again.counts == first.counts)
    var other = request
    other.key?.fingerprint = ContentHash(high: 3, low: 4)
    guard case .idempotencyKeyReuse? = await refusal({ try await bench.bench.write(other) })?.error
    else {
      Issue.record("another request with the key was carried out")
      return
    }
    bench.bench.date.value += 86_401
    try bench.restart()
    #expect(try await !bench.bench.write(request).isReplayed)
  }

  @Test func `so many keys are known of a collection, the oldest go`() async throws {
    var limits = ServiceLimits()
    limits.idempotencyKeysMax = 5
    let bench = try StoreBench(limits: limits)
    func request(_ number: Int) -> WriteRequest {
      let key = IdempotencyKey(text: "k\(number)", fingerprint: ContentHash(high: 1, low: 2))
      return WriteRequest(.put(body: Array("[{\"id\":\(number)}]".utf8)), key: key)
    }
    for number in 1...8 { _ = try await bench.bench.write(request(number)) }
    try bench.restart()
    #expect(try await bench.bench.write(request(8)).isReplayed)
    #expect(try await bench.bench.write(request(4)).isReplayed)
    #expect(try await !bench.bench.write(request(3)).isReplayed)
  }

  @Test func `a collection that was deleted is gone, and its successor is another`() async throws {
    let bench = try StoreBench()
    let first = try await bench.bench.put("[]")
    _ = try await bench.bench.delete()
    try bench.restart()
    guard
      case .collectionNotFound? = await refusal({ try await bench.bench.delta(since: nil) })?
        .error
    else {
      Issue.record("it is there")
      return
    }
    let again = try await bench.bench.put(#"[{"id":1}]"#)
    #expect(again.version.seq == 1)
    try bench.restart()
    #expect(try await bench.bench.delta(since: first.version).text == "lineage-changed :1")
  }

  @Test func `settings, and contents drawn anew, are as they were`() async throws {
    let bench = try StoreBench()
    _ = try await bench.bench.put(
      #"{"settings":{"sortBy":[{"path":"/n","type":"number"}],"retention":{"versions":2}},"items":[{"id":1,"n":2},{"id":2,"n":1}]}"#
    )
    let reload = try await bench.bench.edit(#"{"op":"reload","ids":[1]}"#)
    #expect(reload.isChanged)
    try bench.restart()
    #expect(try await !bench.bench.put(#"[{"id":1,"n":2},{"id":2,"n":1}]"#).isChanged)
    let third = try await bench.bench.put(#"[{"id":1,"n":2},{"id":2,"n":1},{"id":3,"n":0}]"#)
    #expect(third.version.seq == 3)
    #expect(try await bench.bench.delta(since: nil).text == ":3,2,1")
    _ = try await bench.bench.configure(#"{"sortBy":[{"path":"/n","order":"desc"}]}"#)
    try bench.restart()
    #expect(try await bench.bench.delta(since: nil).text == ":1,2,3")
  }

  @Test func `an image is renewed when the changes have become as much`() async throws {
    let bench = try StoreBench {
      $0.changeBytesMin = 500
      $0.changesMax = 10
    }
    var versions: [VersionToken] = []
    for number in 0..<50 {
      versions.append(
        try await bench.bench.put("[{\"id\":\(number)},{\"id\":\(number + 1)}]").version)
      if number % 17 == 16 { try bench.restart() }
    }
    try bench.restart()
    for (number, version) in versions.enumerated().dropLast(3) {
      #expect(
        try await bench.bench.delta(since: version).text
          == "delta +49{\"id\":49} +50{\"id\":50} -\(number) -\(number + 1)")
    }
    let report = try StoreVerifier.verify(directory: bench.directory)
    #expect(report.faults.isEmpty)
    #expect(report.changes < 30)
  }

  @Test func `a thousand collections are listed, found and forgotten after a restart`() async throws
  {
    var limits = ServiceLimits()
    limits.collectionsPerClientMax = 2000
    let bench = try StoreBench(limits: limits)
    let keys = (0..<1000).map { CollectionKey(client: name("u"), name: name("c\($0)")) }
    let service = bench.bench
    try await withThrowingTaskGroup(of: Void.self) { group in
      for key in keys { group.addTask { _ = try await service.put("[{\"id\":1}]", to: key) } }
      try await group.waitForAll()
    }
    try bench.restart()
    #expect(bench.bench.service.counters.residentCollections.value == 0)
    let after = bench.bench
    let (page, hasMore) = try await withCheckedContinuation { continuation in
      after.service.index(of: name("u"), after: nil, limit: 999) {
        continuation.resume(returning: $0)
      }
    }.get()
    #expect(page.count == 999)
    #expect(hasMore)
    #expect(page.allSatisfy { $0.itemCount == 1 && $0.version.seq == 1 })
    #expect(bench.bench.service.counters.residentCollections.value == 0)
    try await withCheckedContinuation { continuation in
      after.service.deleteClient(name("u")) { continuation.resume(returning: $0) }
    }.get()
    try bench.restart()
    guard
      case .collectionNotFound? = await refusal({
        try await bench.bench.read(ReadRequest(.everything, since: nil, form: .plain), keys[7])
      })?.error
    else {
      Issue.record("it is there")
      return
    }
  }
}
