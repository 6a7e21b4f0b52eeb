import CollectionService
import SnapshotJSON
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

@Suite(.timeLimit(.minutes(10))) struct MemoryTests {
  private func key(_ number: Int) -> CollectionKey {
    CollectionKey(client: name("u\(number % 9)"), name: name("c\(number)"))
  }

  @Test func `what is not used leaves memory and comes back, also when readers wait for it`()
    async throws
  {
    var limits = ServiceLimits()
    limits.memoryBytesMax = 100_000
    limits.shardCount = 4
    let bench = try StoreBench(limits: limits)
    let counters = bench.bench.service.counters
    let body = "[" + (0..<40).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
    let first = try await bench.bench.put(body, to: key(0)).version
    let service = bench.bench
    let waited = key(0)
    async let news = service.read(
      ReadRequest(.everything, since: first, form: .plain, waitSeconds: 50), waited)
    try await bench.bench.untilParked()
    for number in 1..<300 { _ = try await bench.bench.put(body, to: key(number)) }
    #expect(counters.collections.value == 300)
    try await until { counters.residentBytes.value <= limits.memoryBytesMax + 20_000 }
    #expect(counters.residentCollections.value < 100)
    let loads = counters.loads.value
    _ = try await bench.bench.put("[]", to: waited)
    #expect(try await news.text.hasPrefix("delta "))
    #expect(counters.loads.value == loads + 1)
    for number in 0..<300 {
      let answer = try await bench.bench.read(
        ReadRequest(.everything, since: nil, form: .plain), key(number))
      #expect(
        answer.text == (number == 0 ? ":" : ":" + (0..<40).map(String.init).joined(separator: ",")))
    }
    #expect(counters.loads.value > 150)
  }

  @Test func `the head of what leaves memory is withdrawn, what is told again stays in memory`()
    async throws
  {
    var limits = ServiceLimits()
    limits.memoryBytesMax = 100_000
    limits.shardCount = 1
    let bench = try StoreBench(limits: limits)
    let body = "[" + (0..<40).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
    func head(_ number: Int) async throws -> PublishedHead {
      _ = try await bench.bench.put(body, to: key(number))
      let head = await withCheckedContinuation { continuation in
        bench.bench.service.read(key(number), ReadRequest(.everything, since: nil, form: .plain)) {
          _, source in
          continuation.resume(returning: source.head)
        }
      }
      return try #require(head)
    }
    let (told, forgotten) = (try await head(0), try await head(1))
    #expect(told.isCurrent && forgotten.isCurrent)
    for number in 2..<100 {
      _ = try await bench.bench.read(ReadRequest(.everything, since: nil, form: .plain), key(0))
      _ = try await bench.bench.put(body, to: key(number))
    }
    #expect(told.isCurrent && !forgotten.isCurrent)
    _ = try await bench.bench.put("[]", to: key(0))
    #expect(!told.isCurrent)
  }

  @Test func `readers that wait for many collections are told of each, though few fit into memory`()
    async throws
  {
    var limits = ServiceLimits()
    limits.memoryBytesMax = 100_000
    limits.shardCount = 2
    let bench = try StoreBench(limits: limits)
    let service = bench.bench
    var heads: [VersionToken] = []
    for number in 0..<100 {
      heads.append(try await service.put("[{\"id\":\(number)}]", to: key(number)).version)
    }
    let waiting = (0..<100).map { number in
      let (head, key) = (heads[number], key(number))
      return Task {
        try await service.read(
          ReadRequest(.everything, since: head, form: .plain, waitSeconds: 50), key
        ).text
      }
    }
    try await service.untilParked(100)
    try await until { service.service.counters.residentBytes.value <= limits.memoryBytesMax }
    #expect(service.service.counters.residentCollections.value < 60)
    for number in 0..<50 { _ = try await service.put("[]", to: key(number)) }
    for number in 0..<50 { #expect(try await waiting[number].value == "delta -\(number)") }
    let loads = service.service.counters.loads.value
    service.clock.advance(by: .seconds(50))
    for number in 50..<100 { #expect(try await waiting[number].value == "unchanged") }
    #expect(service.service.counters.loads.value == loads)
  }

  @Test func `a stream that took nothing while its collection left memory gets one delta`()
    async throws
  {
    var limits = ServiceLimits()
    limits.memoryBytesMax = 10_000
    limits.shardCount = 1
    let bench = try StoreBench(limits: limits)
    let service = bench.bench
    let head = try await service.put(#"[{"id":1}]"#, to: key(0)).version
    let log = EventLog()
    log.takes = 0
    let ticket = service.follow(key(0), since: head, log)
    try await service.untilParked()
    _ = try await service.put(#"[{"id":1},{"id":2}]"#, to: key(0))
    for number in 1..<30 { _ = try await service.put(#"[{"id":1}]"#, to: key(number)) }
    let loads = service.service.counters.loads.value
    service.clock.advance(by: .seconds(20))
    #expect(log.events == ["bookmark"])
    log.takes = .max
    ticket.resume()
    #expect(try await log.wait(2) == ["bookmark", #"delta +2{"id":2}"#])
    #expect(service.service.counters.loads.value == loads + 1)
    ticket.cancel()
  }

  @Test func `idempotency records count as memory, and leave it`() async throws {
    var limits = ServiceLimits()
    limits.memoryBytesMax = 50_000
    limits.shardCount = 1
    let bench = try StoreBench(limits: limits)
    let counters = bench.bench.service.counters
    _ = try await bench.bench.put("[]", to: key(0))
    let before = counters.residentBytes.value
    for number in 0..<20 {
      let key = IdempotencyKey(text: "k\(number)", fingerprint: hash128([UInt8(number)]))
      _ = try await bench.bench.write(
        WriteRequest(.put(body: Array("[]".utf8)), key: key), self.key(0))
    }
    #expect(counters.residentBytes.value > before + 20 * 256)
    for number in 1..<100 { _ = try await bench.bench.put("[]", to: key(number)) }
    #expect(counters.residentBytes.value <= limits.memoryBytesMax + 2000)
  }

  @Test func `requests that come together wait for one load`() async throws {
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":1}]"#)
    try bench.restart()
    let service = bench.bench
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await service.delta(since: nil).text } }
      for try await text in group { #expect(text == ":1") }
    }
    #expect(service.service.counters.loads.value == 1)
  }

  @Test func `a store that fails for long makes no table of ids grow`() async throws {
    let store = RefusingStore()
    let bench = ServiceBench(store: store)
    _ = try await bench.put(#"[{"id":"a"}]"#)
    let before = bench.service.counters.residentBytes.value
    store.refuses = true
    for number in 0..<2000 {
      _ = await refusal { try await bench.put("[{\"id\":\"another-\(number)\"}]") }
    }
    store.refuses = false
    _ = try await bench.put(#"[{"id":"b"}]"#)
    #expect(bench.service.counters.residentBytes.value < before + 1000)
  }
}

/// A store that can be told to refuse.
private final class RefusingStore: CollectionStore {
  private let memory = MemoryStore()
  private let flag = SharedNumber(0)
  var refuses: Bool {
    get { flag.value == 1 }
    set { flag.value = newValue ? 1 : 0 }
  }

  var outage: StoreOutage? { refuses ? .full : nil }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    if refuses { return completion(.failure(.full("full"))) }
    memory.commit(transaction, completion: completion)
  }
}
