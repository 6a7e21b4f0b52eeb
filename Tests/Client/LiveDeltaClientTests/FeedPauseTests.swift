import DeltaEngine
import LiveDeltaClient
import TestSupport
import Testing

/// No loop of a feed is without pauses, whatever it is answered.
@Suite(.timeLimit(.minutes(10))) struct FeedPauseTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  private let snapshot =
    #"{"kind":"snapshot","collection":"inbox","version":"v1","seq":1,"items":[{"id":"a"}]}"#

  /// Runs a feed until it has paused so often for so long.
  private func run(
    _ kind: TransportKind, _ peer: ScriptedPeer, until count: Int, of atLeast: Duration
  ) async throws {
    let clock = PauseLog()
    let feed = SyncFeed(try kind.client(peer), [inbox], options: FeedOptions(clock))
    let running = Task { try await feed.run { _ in } }
    try await until { clock.pauses.count { $0 >= atLeast } >= count }
    running.cancel()
    _ = await running.result
    peer.stop()
  }

  @Test(arguments: TransportKind.allCases)
  func `streams that end at once are not opened again without pauses`(
    kind: TransportKind
  ) async throws {
    let end = "retry: 0\n\nevent: end\ndata: {\"reason\":\"rotate\",\"reconnect\":true}\n\n"
    let peer = try ScriptedPeer(answering: { [snapshot] _ in
      .events("event: snapshot\ndata: \(snapshot)\n\n" + end)
    })
    try await run(kind, peer, until: 3, of: .seconds(1))
  }

  @Test(arguments: TransportKind.allCases)
  func `streams that always begin with what does not fit are not opened again without pauses`(
    kind: TransportKind
  ) async throws {
    let wrong = #"{"kind":"delta","collection":"inbox","from":"x","to":"y","seq":9,"steps":[]}"#
    let peer = try ScriptedPeer(answering: { [snapshot] request in
      request.contains("ping=")
        ? .events("event: delta\ndata: \(wrong)\n\n") : .init(body: snapshot)
    })
    try await run(kind, peer, until: 3, of: .seconds(1))
  }

  @Test(arguments: TransportKind.allCases)
  func `a provider of credentials that is always cancelled ends a poll`(
    kind: TransportKind
  ) async throws {
    let peer = try ScriptedPeer([])
    let feed = SyncFeed(try kind.client(peer) { _ in throw CancellationError() }, [inbox])
    await #expect(throws: ClientError.cancelled) { try await feed.poll() }
    peer.stop()
  }

  @Test(arguments: TransportKind.allCases)
  func `a problem in a stream is followed by the pause that the stream asks for`(
    kind: TransportKind
  ) async throws {
    let busy = "retry: 15000\nevent: problem\ndata: {\"status\":503,\"code\":\"too-much-work\"}\n\n"
    let peer = try ScriptedPeer(answering: { _ in .events(busy) })
    try await run(kind, peer, until: 2, of: .seconds(15))
  }
}
