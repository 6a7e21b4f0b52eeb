import CollectionService
import SnapshotJSON
import StoreSQLite
import StoreTestSupport
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// Requests that are about more than may be in memory for one of them.
@Suite(.timeLimit(.minutes(10))) struct LargeRequestTests {
  private func key(_ number: Int) -> CollectionKey {
    CollectionKey(client: name("u"), name: name("c\(number)"))
  }

  private func body(_ letter: Character) -> String {
    "[{\"id\":1,\"text\":\"\(String(repeating: letter, count: 1000))\"}]"
  }

  private func batch(_ numbers: Range<Int>) -> [UInt8] {
    let edit = #"[{"op":"merge","id":1,"value":{"read":true}}]"#
    let writes = numbers.map { "{\"collection\":\"c\($0)\",\"edits\":\(edit)}" }
    return Array("{\"writes\":[\(writes.joined(separator: ","))]}".utf8)
  }

  private func send(_ body: [UInt8], _ bench: ServiceBench) async -> Result<
    BatchReceipt, ServiceError
  > {
    await withCheckedContinuation { continuation in
      bench.service.batch(key(0).client, body: body) { continuation.resume(returning: $0) }
    }
  }

  @Test func `a batch about more than one request may load is refused, and loads no more`()
    async throws
  {
    var limits = ServiceLimits()
    limits.batchBytesMax = 5000
    let bench = try StoreBench(limits: limits)
    for number in 0..<20 { _ = try await bench.bench.put(body("a"), to: key(number)) }
    try bench.restart()
    let refused = await send(batch(0..<20), bench.bench)
    guard case .failure(.limitPassed(let passed)) = refused else {
      Issue.record("\(refused)")
      return
    }
    #expect(passed.limit == 5000)
    #expect(bench.bench.service.counters.loads.value <= 6)
    guard case .success(let receipt) = await send(batch(0..<3), bench.bench) else {
      Issue.record("three fit")
      return
    }
    #expect(receipt.entries.count == 3 && receipt.failure == nil)
  }

  @Test func `a sync loads only what its reader has not`() async throws {
    let bench = try StoreBench()
    var entries: [SyncRequest.Entry] = []
    for number in 0..<20 {
      let version = try await bench.bench.put(body("a"), to: key(number)).version
      entries.append(SyncRequest.Entry(.everything, name: key(number).name, since: version))
    }
    try bench.restart()
    entries[7].since = nil
    let request = SyncRequest(entries: entries, form: .plain)
    let service = bench.bench.service
    let answer = try await withCheckedContinuation { continuation in
      _ = service.sync(key(0).client, request, waitSeconds: 0) {
        continuation.resume(returning: $0)
      }
    }.get()
    #expect(answer.news.map(\.name) == [key(7).name])
    #expect(answer.unchanged.count == 19)
    #expect(service.counters.loads.value == 1)
  }

  @Test func `requests that need several collections load one after the other, all are answered`()
    async throws
  {
    let bench = try StoreBench()
    for number in 0..<10 { _ = try await bench.bench.put(body("a"), to: key(number)) }
    try bench.restart()
    let service = bench.bench
    await withTaskGroup(of: Bool.self) { group in
      for first in 0..<8 {
        let body = batch(first..<first + 2)
        group.addTask {
          guard case .success(let receipt) = await send(body, service) else { return false }
          return receipt.failure == nil
        }
      }
      for await isDone in group { #expect(isDone) }
    }
  }
}
