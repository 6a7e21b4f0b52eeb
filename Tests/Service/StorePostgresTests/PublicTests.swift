import CollectionService
import StorePostgres
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// Who reads without a credential, from any of several services.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct PublicTests {
  @Test func `what one service makes public or private is so for those who wait at another`()
    async throws
  {
    let a = try PostgresBench(try #require(PostgresServer.shared))
    let replica = try a.replica()
    let other = replica.bench
    let body = #"{"items":[{"id":1}],"settings":{"audience":"public"}}"#
    let head = try await a.bench.put(body).version
    var request = ReadRequest(.everything, since: nil, form: .plain)
    request.access = .ifPublic
    #expect(try await other.read(request).text == ":1")
    (request.since, request.waitSeconds) = (head, 50)
    async let waiting = refusal { [request] in try await other.read(request) }
    try await other.untilParked()
    let close = #"{"audience":"private"}"#
    _ = try await a.bench.write(
      WriteRequest(.settings(body: Array(close.utf8), isPatch: true)))
    guard case .notPublic? = await waiting?.error else {
      Issue.record("the reader was not refused")
      return
    }
    let failure = await refusal { try await a.bench.read(request) }
    #expect(failure?.current == nil && failure != nil)
  }
}
