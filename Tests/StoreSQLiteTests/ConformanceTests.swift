import CollectionService
import Foundation
import StoreSQLite
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// What every store does.
@Suite(.timeLimit(.minutes(10))) struct ConformanceTests {
  enum Kind: CaseIterable {
    case memory, sqlite, sqliteInParts, postgres

    /// All but PostgreSQL if it is not installed.
    static var installed: [Kind] {
      allCases.filter { $0 != .postgres || PostgresServer.shared != nil }
    }
  }

  /// A store with nothing in it, for the time of a body.
  private func withStore(
    _ kind: Kind, _ body: (any CollectionStore) async throws -> Void
  ) async throws {
    if kind == .memory { return try await body(MemoryStore()) }
    if kind == .postgres {
      let bench = try PostgresBench(try #require(PostgresServer.shared))
      try await body(bench.store)
      #expect(bench.faults.faults.isEmpty)
      return
    }
    let bench = try StoreBench { if kind == .sqliteInParts { $0.partBytesMax = 20 } }
    try await body(bench.store)
    try await bench.untilCleared()
    #expect(try StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
  }

  @Test(arguments: Kind.installed)
  func `a change stands on the head that it names, or is a conflict`(kind: Kind) async throws {
    let recorder = RecordingStore()
    let bench = ServiceBench(store: recorder)
    _ = try await bench.put(#"[{"id":1}]"#)
    _ = try await bench.put(#"[{"id":2}]"#)
    _ = try await bench.delete()
    let steps = recorder.transactions
    try await withStore(kind) { store in
      #expect(await store.outcome(steps[1]) == .conflict)
      #expect(await store.outcome(steps[2]) == .conflict)
      #expect(await store.outcome(steps[0]) == nil)
      #expect(await store.outcome(steps[0]) == .conflict)
      #expect(await store.outcome(steps[2]) == .conflict)
      #expect(await store.outcome(steps[1]) == nil)
      #expect(await store.outcome(steps[1]) == .conflict)
      #expect(await store.count() == 1)
      #expect(await store.outcome(steps[2]) == nil)
      #expect(await store.count() == 0)
      #expect(await store.outcome(steps[0]) == nil)
      #expect(store.isReady)
    }
  }

  @Test(arguments: Kind.installed)
  func `a transaction happens as a whole or not at all`(kind: Kind) async throws {
    let recorder = RecordingStore()
    let bench = ServiceBench(store: recorder)
    _ = try await bench.put(#"[{"id":1}]"#)
    _ = try await bench.put(#"[{"id":2}]"#)
    let other = CollectionKey(client: bench.key.client, name: name("other"))
    _ = try await bench.put(#"[{"id":3}]"#, to: other)
    let steps = recorder.transactions
    var both = steps[2]
    both.entries += steps[1].entries
    let pair = both
    try await withStore(kind) { store in
      #expect(await store.outcome(pair) == .conflict)
      #expect(await store.count() == 0)
      #expect(await store.outcome(steps[0]) == nil)
      #expect(await store.outcome(pair) == nil)
      #expect(await store.outcome(steps[2]) == .conflict)
      #expect(await store.count() == 2)
    }
  }

  @Test(arguments: Kind.installed)
  func `clients are listed by ranges of their names`(kind: Kind) async throws {
    let recorder = RecordingStore()
    let bench = ServiceBench(store: recorder)
    let names = ["-", "A", "a", "ab", "ab.c", "a~", "b", "ba", "~", "~~"]
    for (index, client) in names.enumerated() {
      for number in 0...index % 3 {
        let key = CollectionKey(client: name(client), name: name("c\(number)"))
        _ = try await bench.put("[]", to: key)
      }
    }
    let steps = recorder.transactions
    try await withStore(kind) { store in
      for step in steps { #expect(await store.outcome(step) == nil) }
      for range in [.all, NameRange(prefix: "a"), NameRange(only: "ab"), NameRange(only: "c")] {
        for after in [nil, name("a"), name("ab"), name("zz"), name("~~")] {
          for limit in [1, 2, 100] {
            let found = try await withCheckedContinuation { continuation in
              store.clients(in: range, after: after, limit: limit) {
                continuation.resume(returning: $0)
              }
            }.get()
            let expected = names.filter { text in
              (range.first == range.last ? text == range.first : text.hasPrefix(range.first))
                && after.map { $0 < name(text) } ?? true
            }.prefix(limit)
            #expect(found.map(\.name.text) == Array(expected), "\(range) \(after as Any)")
            #expect(
              found.allSatisfy {
                $0.collectionCount == (names.firstIndex(of: $0.name.text) ?? -1) % 3 + 1
              })
          }
        }
      }
    }
  }

  @Test(arguments: Kind.installed)
  func `each of many at once is answered once, in some order`(kind: Kind) async throws {
    let recorder = RecordingStore()
    let bench = ServiceBench(store: recorder)
    for number in 0..<200 {
      let key = CollectionKey(client: name("u\(number % 7)"), name: name("c\(number)"))
      _ = try await bench.put("[{\"id\":\(number)}]", to: key)
    }
    let steps = recorder.transactions
    try await withStore(kind) { store in
      var committed = 0
      await withTaskGroup(of: Bool.self) { group in
        for step in steps + steps { group.addTask { await store.outcome(step) == nil } }
        for await isCommitted in group where isCommitted { committed += 1 }
      }
      #expect(committed == 200)
      #expect(await store.count() == 200)
    }
  }
}

/// Remembers what a service stores.
final class RecordingStore: CollectionStore {
  private let memory = MemoryStore()
  private let recorded = Mutex<[StoreTransaction]>([])

  var isReady: Bool { true }
  var transactions: [StoreTransaction] { recorded.withLock { $0 } }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    recorded.withLock { $0.append(transaction) }
    memory.commit(transaction, completion: completion)
  }
}

extension CollectionStore {
  /// Why a transaction was not committed; nil when it was.
  func outcome(_ transaction: StoreTransaction) async -> StoreError? {
    await withCheckedContinuation { continuation in
      commit(transaction) { result in
        if case .failure(let error) = result {
          continuation.resume(returning: error)
        } else {
          continuation.resume(returning: nil)
        }
      }
    }
  }

  func count() async -> Int? {
    await withCheckedContinuation { continuation in
      countCollections { continuation.resume(returning: $0) }
    }
  }
}
