import CollectionService
import StoreSQLite
import Testing

@Suite(.timeLimit(.minutes(5))) struct MemoryTests {
  private func key(_ number: Int) -> CollectionKey {
    CollectionKey(client: name("u\(number % 9)"), name: name("c\(number)"))
  }

  @Test func `what is not used leaves memory and comes back, what is waited for stays`()
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
      ReadRequest(since: first, form: .plain, waitSeconds: 50), waited)
    await bench.bench.untilParked()
    for number in 1..<300 { _ = try await bench.bench.put(body, to: key(number)) }
    #expect(counters.collections.value == 300)
    while counters.residentBytes.value > limits.memoryBytesMax + 20_000 { await Task.yield() }
    #expect(counters.residentCollections.value < 100)
    let loads = counters.loads.value
    _ = try await bench.bench.put("[]", to: waited)
    #expect(try await news.text.hasPrefix("delta "))
    #expect(counters.loads.value == loads)
    for number in 0..<300 {
      let answer = try await bench.bench.read(ReadRequest(since: nil, form: .plain), key(number))
      #expect(
        answer.text == (number == 0 ? ":" : ":" + (0..<40).map(String.init).joined(separator: ",")))
    }
    #expect(counters.loads.value > 150)
  }

  @Test func `requests that come together wait for one load`() async throws {
    let bench = try StoreBench()
    let version = try await bench.bench.put(#"[{"id":1}]"#).version
    try bench.restart()
    let service = bench.bench
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await service.delta(since: version).text } }
      for try await text in group { #expect(text == "unchanged") }
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

  var isReady: Bool { !refuses }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    if refuses { return completion(.failure(.full)) }
    memory.commit(transaction, completion: completion)
  }
}
