import CollectionService
import Dispatch
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// A crowd of readers who come for the whole does not delay others.
@Suite struct CrowdTests {
  private let gate = Gate()
  private let bench: ServiceBench

  init() { bench = ServiceBench(encoders: .plain(gate: gate)) }

  @Test func `those who are told nothing new do not wait until a crowd has its snapshots`()
    async throws
  {
    let order = try await order(of: 40, list(5), thenPoll: true)
    #expect(order == [-1, 40] + Array(0..<40))
  }

  @Test func `past its bytes a crowd does not wait in line`() async throws {
    // 80 of 250 KB are more than 16 MiB.
    let large = #"[{"id":1,"t":""# + String(repeating: "x", count: 250_000) + #""}]"#
    let order = try await order(of: 80, large, thenPoll: false)
    let inLine = try #require(order.firstIndex(of: 0).map { 81 - $0 })
    #expect(60..<80 ~= inLine)
    #expect(order == [-1] + Array(inLine..<80) + Array(0..<inLine))
  }

  /// The order in which readers are answered who all arrive while one answer is made, which is -1: each the first of its
  /// collection, and at last one who has the newest version of another.
  private func order(of count: Int, _ body: String, thenPoll: Bool) async throws -> [Int] {
    let version = try await bench.put(list(50)).version
    let keys = (0..<count).map { CollectionKey(client: bench.key.client, name: name("c\($0)")) }
    for key in keys { _ = try await bench.put(body, to: key) }
    let order = SharedOrder()
    gate.close()
    // Making this one holds up the shard until all have arrived.
    read(bench.key, nil, -1, order)
    try await gate.untilWaiting()
    for (number, key) in keys.enumerated() { read(key, nil, number, order) }
    if thenPoll { read(bench.key, version, count, order) }
    gate.open()
    await withCheckedContinuation { continuation in
      order.group.notify(queue: .global()) { continuation.resume() }
    }
    return order.numbers.withLock { $0 }
  }

  private func read(
    _ key: CollectionKey, _ since: VersionToken?, _ number: Int, _ order: SharedOrder
  ) {
    order.group.enter()
    _ = bench.service.read(key, ReadRequest(.everything, since: since, form: .plain)) { _, _ in
      order.numbers.withLock { $0.append(number) }
      order.group.leave()
    }
  }
}

private final class SharedOrder: Sendable {
  let numbers = Mutex<[Int]>([])
  let group = DispatchGroup()
}
