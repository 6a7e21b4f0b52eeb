import CollectionService
import GRDB
import StoreSQLite
import StoreTestSupport
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// Collections that nobody reads or writes for `limits.unusedSecondsMax`.
@Suite(.timeLimit(.minutes(10))) struct UnusedTests {
  /// When they are first recorded as used, and how much later they are removed if they are not.
  private static let (start, lifetime): (Int64, Int64) = (1_750_000_000, 1100)
  private static let limits: ServiceLimits = {
    var limits = ServiceLimits()
    limits.unusedSecondsMax = 1000
    return limits
  }()
  private static let other = CollectionKey(client: name("u43"), name: name("other"))

  /// Searches for unused collections as often as the service does, until so long after the start.
  private func wait(_ seconds: Int64, _ bench: ServiceBench) async -> Int {
    let end = Self.start + seconds
    repeat {
      bench.date.value = min(bench.date.value + 50, Int(end))
      await bench.service.removeUnused(date: Int64(bench.date.value))
    } while bench.date.value < end
    return bench.service.counters.unusedRemovals.value
  }

  /// Runs a body over a store in memory, and over one on disk.
  private func withBenches(_ body: (ServiceBench) async throws -> Void) async throws {
    try await body(ServiceBench(limits: Self.limits))
    let bench = try StoreBench(limits: Self.limits)
    try await body(bench.bench)
    #expect(bench.faults.faults.isEmpty)
  }

  @Test func `a collection goes that nobody has used for as long as the limit says`()
    async throws
  {
    try await withBenches { bench in
      let first = try await bench.put("[]")
      _ = try await bench.put("[]", to: Self.other)
      #expect(await wait(0, bench) == 0)
      #expect(await wait(Self.lifetime - 1, bench) == 0)
      _ = try await bench.delta(since: first.version)
      #expect(await wait(Self.lifetime, bench) == 1)
      #expect(bench.service.counters.collections.value == 1)
      #expect(await wait(2 * Self.lifetime - 1, bench) == 1)
      #expect(await wait(2 * Self.lifetime, bench) == 2)
      let refusal = await refusal { try await bench.delta(since: first.version) }
      guard case .collectionNotFound? = refusal?.error else {
        Issue.record("\(String(describing: refusal))")
        return
      }
      let second = try await bench.put("[]")
      #expect(second.isCreated)
      #expect(second.version.lineage != first.version.lineage)
    }
  }

  @Test func `what event loops repeat is made anew once in an interval, so that it is a use`()
    async throws
  {
    try await withBenches { bench in
      _ = try await bench.put("[]")
      #expect(await wait(0, bench) == 0)
      let head = await withCheckedContinuation { continuation in
        bench.service.read(bench.key, ReadRequest(.everything, since: nil, form: .plain)) {
          _, source in
          continuation.resume(returning: source.head)
        }
      }
      #expect(await wait(49, bench) == 0)
      #expect(bench.service.deadlineCount == 0)
      #expect(head?.isCurrent == true)
      #expect(await wait(50, bench) == 0)
      #expect(bench.service.deadlineCount == 0)
      #expect(head?.isCurrent == false)
      #expect(try await bench.delta(since: nil).text == ":")
    }
  }

  @Test func `a collection that a reader waits for is in use`() async throws {
    try await withBenches { bench in
      let version = try await bench.put("[]").version
      let reader = Task { try await bench.delta(since: version, wait: 50) }
      try await bench.untilParked()
      #expect(await wait(0, bench) == 0)
      #expect(await wait(10 * Self.lifetime, bench) == 0)
      #expect(bench.service.counters.parked.value == 1)
      bench.clock.advance(by: .seconds(60))
      #expect(try await reader.value.text == "unchanged")
      #expect(await wait(11 * Self.lifetime, bench) == 1)
    }
  }

  @Test func `a removal wakes no follower of all changes, and is told with the next change`()
    async throws
  {
    try await withBenches { bench in
      let removed = try await bench.put("[]").version
      let told = Mutex<[String]>([])
      let sink: ChangeSink = { event in
        if case .changes(let changes) = event {
          told.withLock { $0 += changes.map { "\($0.change.version) \($0.change.isDeleted)" } }
        }
        return true
      }
      let request = ChangesRequest(since: nil, ping: .seconds(60), lifetime: .seconds(600))
      bench.service.followChanges(request, bench.service.changesTicket()) { _ in sink }
      try await bench.untilParked()
      #expect(await wait(0, bench) == 0)
      #expect(await wait(Self.lifetime, bench) == 1)
      // Also waits for the queues of all shards.
      #expect(bench.service.deadlineCount == 1)
      #expect(told.withLock(\.self) == [])
      let next = try await bench.put("[]", to: Self.other).version
      try await until { told.withLock(\.count) >= 2 }
      #expect(told.withLock(\.self) == ["\(removed) true", "\(next) false"])
    }
  }

  @Test func `the last use survives a restart, and is forgotten without the limit`() async throws {
    let bench = try StoreBench(limits: Self.limits)
    _ = try await bench.bench.put("[]")
    #expect(await wait(0, bench.bench) == 0)
    try await until { try bench.count("last_use") == 1 }
    try bench.restart()
    #expect(await wait(Self.lifetime - 1, bench.bench) == 0)
    bench.options.recordsUses = false
    try bench.restart()
    #expect(try bench.count("last_use") == 0)
    // What was never recorded counts as used when the store is opened.
    bench.options.recordsUses = true
    try bench.restart()
    try bench.crash()
    #expect(await wait(2 * Self.lifetime - 2, bench.bench) == 0)
    #expect(await wait(2 * Self.lifetime - 1, bench.bench) == 1)
    #expect(try bench.count("last_use") == 0)
    #expect(bench.faults.faults.isEmpty)
  }

  @Test func `many collections are noted and removed in pieces`() async throws {
    var limits = Self.limits
    (limits.shardCount, limits.collectionsPerClientMax) = (1, 10_000)
    let bench = try StoreBench(limits: limits) { $0.durability = .normal }
    for number in 0..<600 {
      let key = CollectionKey(client: name("u\(number % 10)"), name: name("c\(number)"))
      _ = try await bench.bench.put("[]", to: key)
    }
    // Most are of no collection.
    for number in 0..<1000 {
      _ = await refusal {
        try await bench.bench.read(
          ReadRequest(.everything, since: nil, form: .plain),
          CollectionKey(client: name("u1"), name: name("none\(number)")))
      }
    }
    #expect(await wait(0, bench.bench) == 0)
    try await until { try bench.count("last_use") == 600 }
    #expect(await wait(2 * Self.lifetime, bench.bench) == 600)
  }

  @Test func `a collection with a damaged name is reported, and keeps no other from going`()
    async throws
  {
    let bench = try StoreBench(limits: Self.limits)
    // More than are looked at together.
    for number in 0..<300 {
      let key = CollectionKey(client: name("a\(number % 2)"), name: name("c\(number)"))
      _ = try await bench.bench.put("[]", to: key)
    }
    _ = try await bench.bench.put("[]", to: Self.other)
    bench.store.close()
    try await bench.queue().writeWithoutTransaction { db in
      try db.execute(sql: "UPDATE collection SET name = 'no name ' || id WHERE client LIKE 'a_'")
    }
    try bench.open()
    #expect(await wait(0, bench.bench) == 0)
    #expect(await wait(Self.lifetime, bench.bench) == 1)
    let fault = try await bench.faults.first(.collectionDamaged)
    #expect(fault.text.contains("300 "), "\(fault.text)")
  }
}
