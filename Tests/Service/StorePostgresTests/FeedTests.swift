import CollectionService
import Foundation
import StorePostgres
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// The feed of changes of several replicas.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct FeedTests {
  private let replicas: [PostgresBench]
  private let services: [ServiceBench]

  init() throws {
    let first = try PostgresBench(try #require(PostgresServer.shared))
    replicas = [first, try first.replica(), try first.replica()]
    services = replicas.map(\.bench)
  }

  private static func key(_ number: Int) -> CollectionKey {
    CollectionKey(client: name("u\(number % 7)"), name: name("c\(number)"))
  }

  @Test func `a reader who resumes at any replica misses no acknowledged write`() async throws {
    let services = services
    let reader = FeedReader()
    reader.follow(services[0])
    try await reader.until { $0.mark != nil }
    let isOver = SharedNumber(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { isOver.value = 1 }
        try await withThrowingTaskGroup(of: Void.self) { writers in
          for writer in 0..<8 {
            writers.addTask {
              for number in 0..<40 {
                _ = try await services[writer % 2].put("[]", to: Self.key(writer * 40 + number))
              }
            }
          }
          try await writers.waitForAll()
        }
      }
      group.addTask { try await reader.resume(at: services) { _ in isOver.value == 1 } }
      try await group.waitForAll()
    }
    try await reader.resume(at: services) { $0.count == 320 }
    #expect(!reader.wasReset)
    for replica in replicas { #expect(replica.faults.faults.isEmpty, "\(replica.faults.faults)") }
  }

  @Test func `a transaction that commits after later ones is not missed`() async throws {
    let reader = FeedReader()
    reader.follow(services[0])
    try await reader.until { $0.mark != nil }
    let late = try replicas[0].session()
    try late.run(
      """
      BEGIN; INSERT INTO livedelta.collection (client, name, version, revision, items, date)
      VALUES ('late', 'late', 'late.1.AAAAAAAAAAAAAAAA', 1, 0, 0)
      """)
    for number in 0..<20 { _ = try await services[number % 2].put("[]", to: Self.key(number)) }
    services[0].clock.advance(by: .seconds(1))
    reader.follow(services[1])
    try late.run("COMMIT")
    try await reader.resume(at: services) { $0.count == 21 }
    #expect(!reader.wasReset)
  }

  @Test func `a transaction that is older than the feed makes no reset`() async throws {
    let old = try replicas[0].session()
    try old.run("BEGIN; SELECT pg_current_xact_id()")
    let bench = try PostgresBench(try #require(PostgresServer.shared), isNew: true)
    let reader = FeedReader()
    reader.follow(bench.bench)
    try await reader.until { $0.mark != nil }
    _ = try await bench.bench.put("[]")
    try old.run("COMMIT")
    try await reader.resume(at: [bench.bench]) { $0.count == 1 || $0.wasReset }
    #expect(!reader.wasReset)
  }

  @Test func `transactions of other databases, prepared ones and long readers hold up no change`()
    async throws
  {
    let other = try PostgresBench(try #require(PostgresServer.shared)).session()
    try other.run("BEGIN; SELECT pg_current_xact_id()")
    let prepared = try replicas[0].session()
    try prepared.run(
      "CREATE TABLE other (id int); BEGIN; INSERT INTO other VALUES (1); PREPARE TRANSACTION 'one'")
    let long = try replicas[0].session()
    try long.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM livedelta.feed")
    let reader = FeedReader()
    reader.follow(services[0])
    try await reader.until { $0.mark != nil }
    _ = try await services[0].put("[]")
    // The clock stands still: it is read because it was written, and not again a second later.
    try await reader.until { $0.count == 1 }
    try prepared.run("ROLLBACK PREPARED 'one'")
  }

  @Test func `a writer is waited for where the numbers pass the bits that a lock has`() async throws
  {
    try replicas[0].sql("SELECT setval('livedelta.feed_number_seq', 4294967290)")
    let reader = FeedReader()
    reader.follow(services[1])
    try await reader.until { $0.mark != nil }
    let late = try replicas[0].session()
    try late.run(
      """
      BEGIN; INSERT INTO livedelta.collection (client, name, version, revision, items, date)
      VALUES ('late', 'late', 'late.1.AAAAAAAAAAAAAAAA', 1, 0, 0)
      """)
    for number in 0..<20 { _ = try await services[0].put("[]", to: Self.key(number)) }
    services[1].clock.advance(by: .seconds(1))
    reader.follow(services[2])
    try late.run("COMMIT")
    try await reader.resume(at: services) { $0.count == 21 }
    #expect(!reader.wasReset)
  }

  @Test(arguments: [false, true])
  func `a position that a restored store does not have is a reset, also once it has grown past it`(
    grows: Bool
  ) async throws {
    let reader = FeedReader()
    reader.follow(services[0])
    try await reader.until { $0.mark != nil }
    for number in 0..<3 { _ = try await services[0].put("[]", to: Self.key(number)) }
    try await reader.until { $0.count == 3 }
    reader.leave()
    let waiting = FeedReader()
    waiting.follow(services[0])
    try await waiting.until { $0.mark != nil }
    try replicas[0].sql(
      """
      DELETE FROM livedelta.feed WHERE number > 1;
      SELECT setval('livedelta.feed_number_seq', 1)
      """)
    if grows {
      for number in 0..<9 { _ = try await services[1].put("[]", to: Self.key(10 + number)) }
    }
    for service in services {
      service.clock.advance(by: .seconds(1))
      let resumed = FeedReader()
      resumed.follow(service, since: reader.mark)
      try await resumed.until { $0.wasReset }
    }
    try await TestSupport.until {
      services[0].clock.advance(by: .seconds(1))
      return waiting.wasReset
    }
  }

  @Test func `one replica at a time has the turn of a job, and goes on where the last one was`()
    async throws
  {
    func turn(
      _ replica: Int, seconds: Int = 100, at position: String? = nil, isNew: Bool = true
    ) async throws -> JobTurn? {
      try await services[replica].service.turn(
        "webhook", holder: "\(replica)", seconds: seconds, position: position,
        isNew: isNew && position == nil)
    }
    #expect(try await turn(0) == JobTurn(position: nil))
    #expect(try await turn(1) == nil)
    #expect(try await turn(0, at: "a") == JobTurn(position: "a"))
    #expect(try await turn(0, seconds: 0) == JobTurn(position: "a"))
    #expect(try await turn(1) == JobTurn(position: "a"))
    #expect(try await turn(0, at: "late") == nil)
    #expect(try await turn(1, seconds: 0, at: "b") == JobTurn(position: "b"))
    // Its time is over, but only who has the turn saves a position.
    #expect(try await turn(0, at: "late") == nil)
    // Nor does it keep a turn that another has had meanwhile: its position is an old one.
    #expect(try await turn(0, isNew: false) == nil)
    #expect(try await turn(2) == JobTurn(position: "b"))
  }

  @Test func `a mark of another order of transactions is a reset`() async throws {
    let reader = FeedReader()
    reader.follow(services[0], since: ChangeMark("00000000.65536"))
    try await reader.until { $0.wasReset }
    _ = try await services[1].put("[]")
    try await reader.resume(at: services) { $0.count == 1 }
  }

  @Test func `a deletion is told, and a reader of old changes gets them from the database`()
    async throws
  {
    let reader = FeedReader()
    reader.follow(services[0])
    try await reader.until { $0.mark != nil }
    _ = try await services[1].put("[]")
    _ = try await services[1].delete()
    // This replica has not read the feed before.
    reader.follow(services[2])
    try await reader.resume(at: [services[2]]) { $0.deleted == 1 }
    #expect(!reader.wasReset)
  }
}

/// Follows the feed of changes, at one replica at a time.
private final class FeedReader: Sendable {
  private struct State {
    var turn = 0
    var eventCount = 0
    var mark: ChangeMark?
    var seen: [CollectionKey: CollectionChange] = [:]
    var wasReset = false
    var order: [String] = []
    var ticket: FollowTicket?
  }

  private let state = Mutex(State())

  var mark: ChangeMark? { state.withLock(\.mark) }
  var count: Int { state.withLock(\.seen.count) }
  var deleted: Int { state.withLock { $0.seen.values.count(where: \.isDeleted) } }
  var wasReset: Bool { state.withLock(\.wasReset) }
  /// The clients whose collections changed, in the order told.
  var order: [String] { state.withLock(\.order) }

  /// Returns once a condition holds; others have the thread meanwhile.
  func until(_ condition: (FeedReader) -> Bool) async throws {
    try await TestSupport.until { condition(self) }
  }

  /// Goes on at one replica after the other, a second later each time, until a condition holds.
  ///
  /// A change that was committed beside an open transaction is found a second later at most.
  func resume(at benches: [ServiceBench], until condition: (FeedReader) -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while true {
      try #require(ContinuousClock.now < end, "\(count) collections after two minutes")
      for bench in benches {
        let count = state.withLock(\.eventCount)
        bench.clock.advance(by: .seconds(1))
        follow(bench)
        try await until { $0.state.withLock(\.eventCount) > count }
        if condition(self) { return }
      }
    }
  }

  /// Follows nothing for now.
  func leave() {
    state.withLock { state in
      state.ticket?.cancel()
      state.turn += 1
    }
  }

  /// Goes on from where it is.
  func follow(_ bench: ServiceBench, since: ChangeMark? = nil) {
    let ticket = bench.service.changesTicket()
    let (turn, mark) = state.withLock { state in
      state.ticket?.cancel()
      state.ticket = ticket
      state.turn += 1
      return (state.turn, since ?? state.mark)
    }
    let request = ChangesRequest(since: mark, ping: .seconds(60), lifetime: .seconds(6000))
    bench.service.followChanges(request, ticket) { _ in { self.take($0, turn) } }
  }

  private func take(_ event: ChangeEvent, _ turn: Int) -> Bool {
    state.withLock { state in
      guard turn == state.turn else { return false }
      state.eventCount += 1
      switch event {
      case .changes(let changes):
        for (mark, change) in changes {
          state.mark = mark
          state.seen[change.key] = change
          state.order.append(change.key.client.text)
        }
      case .bookmark(let mark): state.mark = mark
      case .incomplete(let mark, _):
        state.mark = mark
        state.wasReset = true
      case .ping, .end: break
      }
      return true
    }
  }
}
