import CollectionService
import TestSupport
import Testing
import VersionedCollections

@Suite(.timeLimit(.minutes(10))) struct LifetimeTests {
  @Test func `a service that nobody holds is released with its store`() async throws {
    weak var released: MemoryStore?
    do {
      let store = MemoryStore()
      released = store
      let bench = ServiceBench(store: store)
      _ = try await bench.put(#"[{"id":1}]"#)
      _ = try await bench.delta(since: nil)
    }
    // A queue may hold it until its work has returned.
    try await until { released == nil }
  }

  @Test(arguments: ["e.+7", "e.007", "e.-0", "e.", "e.7.", ".7", "E.7"])
  func `what is not written as a mark is none`(text: String) {
    #expect(ChangeMark(text) == nil)
  }

  @Test func `a mark reads as it is written`() throws {
    #expect(try #require(ChangeMark("k3f9m2qx.7")).description == "k3f9m2qx.7")
  }
}
