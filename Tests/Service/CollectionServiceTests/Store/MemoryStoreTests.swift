import TestSupport
import Testing
import VersionedCollections

@Suite struct MemoryStoreTests {
  @Test(arguments: StoreConformance.allCases)
  func `a store in memory does what every store does`(rule: StoreConformance) async throws {
    #expect(try await rule.violations(of: MemoryStore()) == [])
  }
}
