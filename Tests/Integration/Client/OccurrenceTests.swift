import LiveDeltaClient
import TestSupport
import Testing

/// Lists with repeated ids: `identity: "occurrence"` (`docs/protocol.md`).
@Suite(.timeLimit(.minutes(10))) struct OccurrenceTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  /// Some sections and items, with few ids.
  private func sections(_ random: inout SeededGenerator) -> String {
    let text = String(repeating: "long enough to patch ", count: 4)
    let sections = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let items = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        let (id, value) = (
          Int.random(in: 1...4, using: &random), Int.random(in: 0...1, using: &random)
        )
        return #"{"id":\#(id),"v":\#(value),"text":"\#(text)"}"#
      }
      let id = ["s", "t"].randomElement(using: &random) ?? "s"
      return #"{"id":"\#(id)","items":[\#(items.joined(separator: ","))]}"#
    }
    return "[\(sections.joined(separator: ","))]"
  }

  @Test(arguments: TransportKind.allCases)
  func `after random writes of repeated ids a replica has what GET has`(
    kind: TransportKind
  ) async throws {
    try await TestServer.run { server in
      let seed = UInt64.random(in: 1...UInt64.max)
      var random = SeededGenerator(seed: seed)
      var follower = CollectionFollower(kind.client(server), inbox)
      var deltas = 0
      for round in 0..<60 {
        _ = try await server.put(
          #"{"settings":{"identity":"occurrence"},"sections":\#(sections(&random))}"#)
        let news = try await follower.next(wait: nil)
        #expect(news.dropped == nil, "seed \(seed), round \(round)")
        if case .updated = news.change { deltas += 1 }
        let head = try await server.client.snapshot(of: inbox).value
        let replica = follower.replica
        #expect(replica.sections == head.sections, "seed \(seed), round \(round)")
        #expect(replica.takesItemPatches, "the digest is that of these ids")
        let ids = replica.sections.flatMap { $0.items.map(\.id) }
        #expect(Set(ids).count == ids.count && ids.count == replica.itemCount)
      }
      #expect(deltas > 30)
    }
  }
}
