import StorePostgres
import StoreTestSupport
import TestSupport
import Testing
import VersionedCollections

/// Images are renewed, whatever became of the older versions.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct OlderVersionTests {
  private let server: PostgresServer

  init() throws { server = try #require(PostgresServer.shared) }

  /// Renews the images that changes lead from.
  private func compact(_ store: PostgresStore) async throws {
    let result = await withCheckedContinuation { continuation in
      store.compact { continuation.resume(returning: $0) }
    }
    _ = try result.get()
  }

  @Test func `an image is renewed where contents of older versions are damaged`() async throws {
    var limits = ServiceLimits()
    limits.retention.versionsMax = 6
    let stored = try PostgresBench(server, limits: limits) { $0.retention.versionsMax = 6 }
    var versions: [VersionToken] = []
    for number in 0..<8 {
      versions.append(try await stored.bench.put("[{\"id\":\(number)}]").version)
      if number == 4 { try await compact(stored.store) }
    }
    #expect(try stored.sql("SELECT seq, oldest FROM livedelta.image") == ["5|1"])
    // The oldest version that is still retained is reached from the first one by this change; the
    // newest is not.
    try stored.sql("UPDATE livedelta.change SET data = '\\x00' WHERE seq = 2")

    try await compact(stored.store)
    let faults = stored.faults.faults
    #expect(faults.map(\.kind) == [.collectionDamaged], "\(faults)")
    #expect(faults.first?.collection == stored.bench.key.name)
    #expect(try stored.sql("SELECT seq, oldest FROM livedelta.image") == ["8|8"])
    #expect(try stored.sql("SELECT count(*) FROM livedelta.change") == ["0"])
    try stored.restart()
    #expect(try await stored.bench.delta(since: nil).text == ":7")
    let failure = await refusal { try await stored.bench.snapshot(at: versions[5]) }
    guard case .contentGone? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(try await stored.bench.put("[]").version.seq == 9)
  }
}
