import Dispatch
import GRDB
import StoreTestSupport
import Synchronization
import TestSupport
import Testing
import VersionedCollections

@testable import StoreSQLite

@Suite(.timeLimit(.minutes(10))) struct CountTests {
  /// Small and large writes have queues of their own.
  @Test(arguments: [1, 10_000]) func `a write is not in the count that was asked for before it`(
    itemCount: Int
  ) async throws {
    let items = (0..<itemCount).map { "{\"id\":\"item number \($0) of the list\"}" }
    let recorder = RecordingStore()
    _ = try await ServiceBench(store: recorder).put("[\(items.joined(separator: ","))]")
    let transaction = try #require(recorder.transactions.first)

    let bench = try StoreBench()
    let store = bench.store
    let pool = try #require(store.pool as? DatabasePool)
    // The writer waits until there is both to do, and all readers until the write is done.
    let (ready, written) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let readerCount = pool.configuration.maximumReaderCount
    let reading = DispatchGroup()
    for _ in 0..<readerCount {
      reading.enter()
      pool.asyncRead { _ in
        reading.leave()
        written.wait()
      }
    }
    await withCheckedContinuation { held in reading.notify(queue: .global()) { held.resume() } }
    pool.asyncWriteWithoutTransaction { _ in ready.wait() }
    let count = Mutex<Int?>(nil)
    await withCheckedContinuation { committed in
      store.countCollections { number in count.withLock { $0 = number } }
      store.commit(transaction) { _ in
        for _ in 0..<readerCount { written.signal() }
        committed.resume()
      }
      ready.signal()
    }
    #expect(count.withLock(\.self) == 0)
    #expect(await store.count() == 1)
  }

  @Test func `a store that is only read is counted`() async throws {
    let bench = try StoreBench()
    _ = try await bench.bench.put("[]")
    bench.store.close()
    let store = try bench.storeForCopy(isSource: true)
    #expect(await store.count() == 1)
    store.close()
  }
}
