import CollectionService
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// The index of clients, page by page.
@Suite(.timeLimit(.minutes(10))) struct ClientListTests {
  /// All pages of a query, and the most clients that one of them read.
  private func pages(
    _ query: ClientQuery, _ store: CountingStore
  ) async throws -> (pages: [[ResourceName]], readMax: Int) {
    let service = ServiceBench(store: store).service
    var query = query
    var pages: [[ResourceName]] = []
    var readMax = 0
    while true {
      store.resetPage()
      let asked = query
      let page = try await withCheckedContinuation { continuation in
        service.clients(asked) { continuation.resume(returning: $0) }
      }.get()
      readMax = max(readMax, store.readCount)
      #expect(page.clients.count <= query.limit)
      pages.append(page.clients.map(\.name))
      guard let next = page.next else { return (pages, readMax) }
      #expect(query.after.map { $0 < next } ?? true, "each page gets on")
      query.after = next
    }
  }

  @Test func `a page reads a thousand clients at most, and has a cursor to go on`() async throws {
    let store = try await CountingStore((0..<5000).map { "c\(10_000 + $0)" })
    let none = ClientQuery(limit: 10) { _ in false }
    let read = try await pages(none, store)
    #expect(read.pages.allSatisfy(\.isEmpty) && read.pages.count == 6)
    #expect(read.readMax == 1000)
    let rare = ClientQuery(limit: 10) { $0.text.hasSuffix("77") }
    let found = try await pages(rare, store)
    #expect(found.pages.flatMap(\.self).count == 50)
    #expect(found.readMax <= 1000 && found.pages.count < 12)
    let all = try await pages(ClientQuery(limit: 1000), store)
    #expect(all.pages.count == 5 && all.readMax == 1001)
  }

  @Test func `nothing is read outside of the names that a caller may see`() async throws {
    let store = try await CountingStore((0..<5000).map { "c\(10_000 + $0)" })
    func read(_ ranges: [NameRange], prefix: String = "") async throws -> ([String], Int) {
      store.resetTotal()
      let found = try await pages(ClientQuery(prefix: prefix, limit: 10, ranges: ranges), store)
      return (found.pages.flatMap { $0.map(\.text) }, store.total)
    }
    #expect(try await read([NameRange(only: "nobody")]) == ([], 0))
    #expect(try await read([]) == ([], 0))
    #expect(try await read([NameRange(only: "c12345")]) == (["c12345"], 1))
    #expect(try await read([.all], prefix: "c1234").0.count == 10)
    #expect(try await read([NameRange(prefix: "c12")], prefix: "c1111").0.isEmpty)
    #expect(try await read([.all], prefix: "é").0.isEmpty)
  }

  @Test func `many ranges are read over several pages`() async throws {
    let store = try await CountingStore((0..<5000).map { "c\(10_000 + $0)" })
    let wanted = stride(from: 10_000, to: 15_000, by: 10).map { "c\($0)" }
    let query = ClientQuery(limit: 1000, ranges: wanted.map { NameRange(only: $0) })
    let found = try await pages(query, store)
    #expect(found.pages.flatMap { $0.map(\.text) } == wanted)
    #expect(found.pages.count == 8, "\(found.pages.map(\.count))")
  }

  @Test(arguments: 0..<40)
  func `pages together are all that may be listed, each once, in order`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ab~-.Z0")
    func text(_ counts: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: counts, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        })
    }
    let names = Set((0..<200).map { _ in text(1...4) }.filter { ResourceName($0) != nil })
    let store = try await CountingStore(Array(names))
    // Also after deletions.
    let gone = names.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    for name in gone { try await store.remove(name) }
    for _ in 0..<20 {
      let ranges = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        Bool.random(using: &random)
          ? NameRange(only: text(1...3)) : NameRange(prefix: text(0...2))
      }
      let prefix = text(0...2)
      let ending = Character(String(letters.randomElement(using: &random) ?? "a"))
      let query = ClientQuery(
        prefix: prefix, limit: Int.random(in: 1...30, using: &random), ranges: ranges
      ) { $0.text.last != ending }
      let expected = names.subtracting(gone).filter { name in
        name.hasPrefix(prefix) && name.last != ending
          && ranges.contains { $0.first == $0.last ? name == $0.first : name.hasPrefix($0.first) }
      }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let found = try await pages(query, store)
      #expect(
        found.pages.flatMap { $0.map(\.text) } == expected, "\(prefix) \(ranges.map(\.first))")
    }
  }
}

/// A store in memory that counts the clients that it lists.
private final class CountingStore: CollectionStore {
  private let memory = MemoryStore()
  private let bench: ServiceBench
  private let count = Mutex<(page: Int, total: Int)>((0, 0))

  /// Creates a store with a collection of each of some clients.
  init(_ clients: [String]) async throws {
    bench = ServiceBench(store: memory)
    for client in clients.shuffled() { _ = try await bench.put("[]", to: Self.key(client)) }
  }

  private static func key(_ client: String) -> CollectionKey {
    CollectionKey(client: name(client), name: name("inbox"))
  }

  var readCount: Int { count.withLock { $0.page } }
  var total: Int { count.withLock { $0.total } }

  func resetPage() { count.withLock { $0.page = 0 } }
  func resetTotal() { count.withLock { $0.total = 0 } }

  func remove(_ client: String) async throws { _ = try await bench.delete(Self.key(client)) }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) { memory.commit(transaction, completion: completion) }

  func clients(
    in range: NameRange, after name: ResourceName?, limit: Int,
    completion: @escaping @Sendable (Result<[ClientSummary], StoreError>) -> Void
  ) {
    memory.clients(in: range, after: name, limit: limit) { [self] result in
      if case .success(let found) = result {
        count.withLock { $0 = ($0.page + found.count, $0.total + found.count) }
      }
      completion(result)
    }
  }
}
