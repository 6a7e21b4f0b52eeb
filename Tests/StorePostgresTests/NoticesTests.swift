import TestSupport
import Testing
import VersionedCollections

@testable import StorePostgres

/// The connection that tells other replicas of writes and listens to theirs.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct NoticesTests {
  /// A connection of the pool may be lost while this one is not, and then nobody else connects.
  @Test func `a replica that is told without pause finds the database back`() async throws {
    let server = try #require(PostgresServer.shared)
    let link = PostgresLink(server.uri(try server.makeDatabase()), PostgresOptions())
    let notices = PostgresNotices(link, housekeep: {})
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
