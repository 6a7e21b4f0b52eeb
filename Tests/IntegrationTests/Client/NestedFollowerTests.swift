import LiveDeltaClient
import TestSupport
import Testing

/// Lists inside items (the setting `nested`), followed by the Swift client.
@Suite(.timeLimit(.minutes(10))) struct NestedFollowerTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  /// Some items, each with some movies.
  private func items(_ random: inout SeededGenerator) -> String {
    let items = (0..<4).shuffled(using: &random).map { id in
      let count = Int.random(in: 0...6, using: &random)
      let movies = (0..<6).shuffled(using: &random).prefix(count).map {
        #"{"id":\#($0),"v":\#(Int.random(in: 0...1, using: &random))}"#
      }
      return #"{"id":\#(id),"movies":[\#(movies.joined(separator: ","))]}"#
    }
    return items.joined(separator: ",")
  }

  @Test func `after random changes inside items a replica has what GET has, without a snapshot`()
    async throws
  {
    try await TestServer.run { server in
      let seed = UInt64.random(in: 1...UInt64.max)
      var random = SeededGenerator(seed: seed)
      var follower = CollectionFollower(server.client, inbox)
      var nested = 0
      for round in 0..<60 {
        _ = try await server.put(
          #"{"settings":{"nested":{"path":"/movies"}},"items":[\#(items(&random))]}"#)
        let news = try await follower.next(wait: nil)
        #expect(news.dropped == nil, "seed \(seed), round \(round)")
        if case .updated = news.change {
          if news.answer.text.contains(#""nested":{"#) { nested += 1 }
        } else {
          #expect(round == 0 || news.answer.status == 304, "seed \(seed), round \(round)")
        }
        let head = try await server.client.snapshot(of: inbox).value
        #expect(follower.replica.sections == head.sections, "seed \(seed), round \(round)")
      }
      #expect(nested > 30)
    }
  }
}
