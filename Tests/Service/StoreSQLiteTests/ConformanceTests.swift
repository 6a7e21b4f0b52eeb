import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// The embedded store does what every store does.
@Suite(.timeLimit(.minutes(10))) struct ConformanceTests {
  @Test(arguments: StoreConformance.allCases, [512 << 10, 20])
  func `a store in a directory does what every store does`(
    rule: StoreConformance, partBytesMax: Int
  ) async throws {
    let bench = try StoreBench { $0.partBytesMax = partBytesMax }
    #expect(try await rule.violations(of: bench.store) == [])
    try await bench.untilCleared()
    #expect(try StoreVerifier.verify(directory: bench.directory).faults.isEmpty)
  }
}
