import CMalloc
import DeltaEngine
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// What the service counts is what the heap has: in processes of their own, whose heap nobody else uses.
@Suite struct HeapCostTests {
  /// The bytes that are allocated, as the allocator counts them.
  private static var heapBytes: Int { cmalloc_bytes_in_use() }

  /// The heap's and the counted growth while `body` runs for some numbers, after it ran for others.
  private static func growth(
    _ count: Int, _ body: (ServiceBench, Int) async throws -> Void
  ) async throws -> (heap: Int, counted: Int) {
    let bench = ServiceBench()
    func counted() -> Int { bench.service.counters.residentBytes.value }
    for number in 0..<count / 4 { try await body(bench, number) }
    let before = (heap: heapBytes, counted: counted())
    for number in count / 4..<count { try await body(bench, number) }
    return (heapBytes - before.heap, counted() - before.counted)
  }

  /// Checks that the service counts what it has, and not much more.
  private static func check(
    _ count: Int, _ body: (ServiceBench, Int) async throws -> Void
  ) async throws {
    let (heap, counted) = try await growth(count, body)
    let each = (heap: heap * 4 / (count * 3), counted: counted * 4 / (count * 3))
    #expect(counted * 20 >= heap * 19, "\(each)")
    #expect(counted * 2 <= heap * 3, "\(each)")
  }

  private static func key(_ client: Int, _ collection: Int = 0) -> CollectionKey {
    CollectionKey(client: name("user-\(client)"), name: name("inbox-\(collection)"))
  }

  private static func items(_ count: Int, revision: Int = 0) -> String {
    let items = (0..<count).map {
      #"{"id":"item-\#($0)","title":"Item \#($0) of \#(revision)","unread":true}"#
    }
    return "[" + items.joined(separator: ",") + "]"
  }

  @Test func `small collections of as many clients are counted as they are`() async {
    await #expect(processExitsWith: .success) {
      try await Self.check(2000) { _ = try await $0.put(Self.items(3), to: Self.key($1)) }
    }
  }

  @Test func `empty collections of one client are counted as they are`() async {
    await #expect(processExitsWith: .success) {
      try await Self.check(200) { _ = try await $0.put("[]", to: Self.key(0, $1)) }
    }
  }

  @Test func `the versions of a collection are counted as they are`() async {
    await #expect(processExitsWith: .success) {
      try await Self.check(400) { bench, number in
        for revision in 0..<8 {
          _ = try await bench.put(Self.items(10, revision: revision), to: Self.key(number))
        }
      }
    }
  }

  @Test func `sections are counted as they are`() async {
    await #expect(processExitsWith: .success) {
      try await Self.check(200) { bench, number in
        let sections = (0..<100).map { #"{"id":"\#($0)","items":[{"id":"i\#($0)"}]}"# }
        _ = try await bench.put(
          #"{"sections":[\#(sections.joined(separator: ","))]}"#, to: Self.key(number))
      }
    }
  }

  @Test func `long names, settings and keys of requests are counted as they are`() async {
    await #expect(processExitsWith: .success) {
      try await Self.check(1000) { bench, number in
        let long = String(repeating: "n", count: 100) + "\(number)"
        let pointers = (0..<8).map { #""/member/\#($0)""# }.joined(separator: ",")
        let body =
          #"{"settings":{"equality":{"ignore":[\#(pointers)]},"animations":{"a":"\#(long)"}},"items":[{"id":1}]}"#
        var request = WriteRequest(.put(body: Array(body.utf8)))
        request.key = IdempotencyKey(text: long, fingerprint: ContentHash(high: 1, low: 2))
        _ = try await bench.write(
          request, CollectionKey(client: name("c" + long), name: name("l" + long)))
      }
    }
  }

  @Test func `white space of a writer takes no memory`() async {
    await #expect(processExitsWith: .success) {
      let space = String(repeating: " ", count: 20_000)
      try await Self.check(400) { bench, number in
        _ = try await bench.put("[\(space)\(Self.items(3).dropFirst())", to: Self.key(number))
      }
    }
  }

  @Test func `summaries of collections that are not in memory are counted as they are`() async {
    await #expect(processExitsWith: .success) {
      let store = MachineStore()
      let answers = MachineAnswers()
      let writer = MachineBench(store)
      for number in 0..<256 {
        writer.handle(.put(UInt64(number), [Self.key(0, number)], "[]", answers))
        writer.giveAll()
      }
      let bench = MachineBench(store)
      let before = Self.heapBytes
      bench.handle(.read(1, Self.key(0, 5), wait: 20, answers))
      bench.giveAll()
      let head = store.head(Self.key(0, 5))
      bench.handle(.read(2, Self.key(0, 5), since: head, wait: 20, answers))
      bench.giveAll()
      let (heap, counted) = (Self.heapBytes - before, bench.counters.residentBytes.value)
      #expect(counted >= heap && counted <= 2 * heap, "\(heap), \(counted)")
    }
  }
}
