import LiveDeltaClient
import LiveDeltaCurl
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FollowerTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")
  private let first = ScriptedPeer.Script(
    body: #"{"kind":"snapshot","collection":"inbox","version":"v1","seq":1,"items":[{"id":"a"}]}"#)
  private let second = ScriptedPeer.Script(
    body: """
      {"kind":"delta","collection":"inbox","from":"v1","to":"v2","seq":2,
       "steps":[{"insert":{"items":[[0,1,"b"]]},"counts":[2]}],"items":{"b":{"id":"b"}}}
      """)

  @Test func `a follower loads, then follows from what it holds`() async throws {
    let peer = try ScriptedPeer([first, second])
    var follower = CollectionFollower(
      DeltaClient(try ServerAddress(peer.address), transport: CurlTransport()), inbox)
    guard case .replaced = try await follower.next().change else {
      Issue.record("not replaced")
      return
    }
    guard case .updated = try await follower.next(wait: 5).change else {
      Issue.record("not updated")
      return
    }
    #expect(follower.replica.sections.map { $0.items.map(\.id) } == [["a", "b"]])
    #expect(peer.requests[1].contains("since=v1&wait=5 "))
  }

  @Test func `a delta that does not fit is dropped and everything asked for`() async throws {
    let bad = ScriptedPeer.Script(
      body: """
        {"kind":"delta","collection":"inbox","from":"v1","to":"v2","seq":2,
         "steps":[{"delete":{"items":[[0,9]]},"counts":[0]}]}
        """)
    let peer = try ScriptedPeer([first, bad, first])
    var follower = CollectionFollower(
      DeltaClient(try ServerAddress(peer.address), transport: CurlTransport()), inbox)
    _ = try await follower.next()
    let news = try await follower.next()
    #expect(
      news.dropped == .badDelta(step: 0, reason: "item [0, 9] does not exist or is named twice"))
    #expect(follower.replica.version == "v1")
    #expect(peer.requests[2].contains("since=&maxage=0 "))
  }

  @Test func `a refusal leaves what is held`() async throws {
    let gone = ScriptedPeer.Script(body: #"{"code":"overloaded"}"#, status: 503)
    let peer = try ScriptedPeer([first, gone, second])
    var follower = CollectionFollower(
      DeltaClient(try ServerAddress(peer.address), transport: CurlTransport()), inbox)
    _ = try await follower.next()
    await #expect(throws: ClientError.self) { try await follower.next() }
    #expect(follower.replica.version == "v1")
    _ = try await follower.next()
    #expect(follower.replica.version == "v2")
  }

  @Test func `a collection that is gone between two requests was deleted`() async throws {
    let missing = ScriptedPeer.Script(body: #"{"code":"collection-not-found"}"#, status: 404)
    let peer = try ScriptedPeer([first, missing, missing])
    var follower = CollectionFollower(
      DeltaClient(try ServerAddress(peer.address), transport: CurlTransport()), inbox)
    _ = try await follower.next()
    guard case .deleted = try await follower.next(awaitsCreation: true).change else {
      Issue.record("not deleted")
      return
    }
    #expect(follower.replica.version == nil)
    await #expect(throws: ClientError.self) { try await follower.next(awaitsCreation: true) }
    #expect(!peer.requests[1].contains("missing=wait"))
    #expect(peer.requests[2].contains("missing=wait"))
  }
}
