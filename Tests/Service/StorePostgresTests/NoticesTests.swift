import TestSupport
import Testing
import VersionedCollections

@testable import StorePostgres

/// The connection that tells other replicas of writes and listens to theirs.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct NoticesTests {
  @Test func `notices that do not arrive are told once, and counted until they do`() async throws {
    let server = try #require(PostgresServer.shared)
    let cutter = try CommitCutter(to: server.directory)
    defer { cutter.stop() }
    cutter.swallowsNotices = true
    let direct = try PostgresBench(server)
    let replica = try direct.replica(through: cutter.directory)
    #expect(replica.store.noticesArrive != true)
    try await until { replica.store.noticesArrive == false }
    try await until { direct.store.noticesArrive == true }
    // The stores of both report to the first.
    let told = direct.faults.faults.filter { $0.kind == .notices }
    #expect(told.count == 1 && told[0].isWarning && told[0].text.contains("database.notices"))
    cutter.swallowsNotices = false
    try await until { replica.store.noticesArrive == true }
    #expect(direct.faults.faults.count { $0.kind == .notices } == 1)
  }

  @Test func `a probe that is overdue is news once, and names no client`() {
    var probe = NoticeProbe()
    let start = ContinuousClock.now
    let first = probe.begin()
    probe.noteSent(at: start)
    #expect(ResourceName(first) == nil && !probe.isDue && probe.arrives == nil)
    let (isEarly, isOverdue) = (
      probe.isNewlyOverdue(at: start), probe.isNewlyOverdue(at: start + NoticeProbe.patience)
    )
    #expect(!isEarly && isOverdue)
    #expect(probe.arrives == false && probe.isDue)
    let second = probe.begin()
    let (isOld, isNews) = (
      probe.take(first), probe.isNewlyOverdue(at: start + NoticeProbe.patience)
    )
    #expect(!isOld && !isNews && probe.arrives == false)
    let third = probe.begin()
    let (isLate, isTaken) = (probe.take(second), probe.take(third))
    #expect(!isLate && isTaken && probe.arrives == true && !probe.isDue)
  }

  /// A connection of the pool may be lost while this one is not, and then nobody else connects.
  @Test func `a replica that is told without pause finds the database back`() async throws {
    let server = try #require(PostgresServer.shared)
    let link = PostgresLink(server.uri(try server.makeDatabase()), PostgresOptions())
    let notices = PostgresNotices(link, housekeep: {}) { _, end in end(false) }
    defer { notices.close() }
    let (listening, reports) = AsyncStream<Void>.makeStream()
    notices.report { _ in reports.yield() }
    notices.start()
    for await _ in listening { break }
    let other = try link.connect()
    link.noteLoss(PostgresFailure(state: "", text: "a connection was lost"))
    while link.secondsAway != nil {
      try other.run("SELECT pg_notify('livedelta', 'u42')")
      try Task.checkCancellation()
    }
  }
}
