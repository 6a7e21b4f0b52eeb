import LiveDeltaClient
import Testing

/// Collections whose items have their ids elsewhere than in `id`.
@Suite(.timeLimit(.minutes(10))) struct IDPathTests {
  private let put = """
    {"settings":{"idPath":"/key/text"},
     "items":[{"key":{"text":"a"},"title":"One"},{"key":{"text":"b"},"title":"Two"}]}
    """

  @Test func `a follower finds ids where the snapshot says`() async throws {
    try await TestServer.run { server in
      _ = try await server.put(put)
      let inbox = CollectionAddress(client: "u42", name: "inbox")
      var follower = CollectionFollower(server.client, inbox)
      _ = try await follower.next(wait: nil)
      #expect(follower.replica.sections.map { $0.items.map(\.id) } == [["a", "b"]])
      _ = try await server.put(#"{"items":[{"key":{"text":"b"},"title":"2"}]}"#)
      let news = try await follower.next(wait: nil)
      #expect(news.dropped == nil)
      let head = try await server.client.snapshot(of: inbox).value
      #expect(follower.replica.sections == head.sections)
    }
  }
}
