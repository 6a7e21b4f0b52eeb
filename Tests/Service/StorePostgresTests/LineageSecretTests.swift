import CollectionService
import StorePostgres
import TestSupport
import Testing
import VersionedCollections

/// The secret of a lineage is kept with it, so that restricted readers go on from the tokens that they hold.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct LineageSecretTests {
  private let server: PostgresServer
  private static let other = CollectionKey(client: name("u42"), name: name("other"))

  init() throws { server = try #require(PostgresServer.shared) }

  /// The tokens that a restricted reader is shown, of two collections.
  private func tokens(_ bench: ServiceBench) async throws -> [VersionToken?] {
    let restriction = try ViewRestriction([("where", "/p:eq:true")])
    var tokens: [VersionToken?] = []
    for key in [bench.key, Self.other] {
      let request = ReadRequest(.restricted(restriction), since: nil, form: .plain)
      tokens.append(try await bench.read(request, key).heldVersion)
    }
    for token in tokens { #expect(token?.mark?.kind == .restriction) }
    return tokens
  }

  private func fill(_ bench: ServiceBench) async throws {
    for number in 0..<9 { _ = try await bench.put(#"[{"id":1,"p":true,"n":\#(number)}]"#) }
    _ = try await bench.put(#"[{"id":1,"p":true}]"#, to: Self.other)
  }

  private static let secrets = """
    SELECT count(DISTINCT secret), min(length(secret)), max(length(secret)) FROM livedelta.collection
    """

  @Test func `it is kept over restarts and new images, and is the same at each replica`()
    async throws
  {
    let stored = try PostgresBench(server) {
      $0.changesMax = 4
      $0.changeBytesMin = 100
    }
    try await fill(stored.bench)
    let held = try await tokens(stored.bench)
    #expect(held[0]?.mark != held[1]?.mark)
    let replica = try stored.replica()
    #expect(try await tokens(replica.bench) == held)
    try stored.restart()
    #expect(try await tokens(stored.bench) == held)
    _ = try await stored.bench.delete()
    try await fill(stored.bench)
    let again = try await tokens(stored.bench)
    #expect(again[0]?.mark != held[0]?.mark && again[1] == held[1])
  }

  @Test func `a database of the release before is given one for each collection`() async throws {
    let stored = try PostgresBench(server)
    try await fill(stored.bench)
    stored.store.close()
    try stored.sql(
      """
      ALTER TABLE livedelta.collection DROP COLUMN secret;
      ALTER TABLE livedelta.feed DROP COLUMN secret;
      DELETE FROM livedelta.migration WHERE number > 3
      """)
    try stored.restart()
    #expect(try stored.sql(Self.secrets) == ["2|16|16"])
    let held = try await tokens(stored.bench)
    // A replica of the release before creates collections meanwhile.
    try stored.sql(
      """
      INSERT INTO livedelta.collection (client, name, version, revision, items, date)
        SELECT client, name || number, version, revision, items, date
        FROM livedelta.collection, generate_series(1, 3) AS number
      """)
    #expect(try stored.sql(Self.secrets) == ["8|16|16"])
    try stored.restart()
    #expect(try await tokens(stored.bench) == held)
  }
}
