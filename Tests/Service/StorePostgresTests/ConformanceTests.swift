import TestSupport
import Testing

/// The store in PostgreSQL does what every store does.
@Suite(
  .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"),
  .timeLimit(.minutes(10)))
struct ConformanceTests {
  @Test(arguments: StoreConformance.allCases)
  func `a store in a database does what every store does`(rule: StoreConformance) async throws {
    let bench = try PostgresBench(try #require(PostgresServer.shared))
    #expect(try await rule.violations(of: bench.store) == [])
    #expect(bench.faults.faults.isEmpty)
  }
}
