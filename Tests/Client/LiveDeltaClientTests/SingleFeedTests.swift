import DeltaEngine
import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// A feed against a peer that answers what a test says, with a clock and a chance of the test's own.
@Suite(.timeLimit(.minutes(10))) struct SingleFeedTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  private let snapshot = """
    event: snapshot
    id: v1
    data: {"kind":"snapshot","collection":"inbox","version":"v1","seq":1,"items":[{"id":"a"}]}


    """
  private let delta = """
    event: delta
    id: v2
    data: {"kind":"delta","collection":"inbox","from":"v1","to":"v2","seq":2,\
    "steps":[{"insert":{"items":[[0,1,"b"]]},"counts":[2]}],"items":{"b":{"id":"b"}}}


    """
  private let rotate = """
    retry: 1234

    event: end
    data: {"reason":"rotate","reconnect":true}


    """

  /// Runs a feed until it has this version; returns the pauses it made.
  private func pauses(
    _ peer: ScriptedPeer, _ kind: TransportKind, until version: String,
    of address: CollectionAddress? = nil, _ configure: (inout FeedOptions) -> Void = { _ in }
  ) async throws -> [Duration] {
    let clock = PauseLog()
    var options = FeedOptions(clock)
    configure(&options)
    let feed = SyncFeed(try kind.client(peer), [address ?? inbox], options: options)
    let running = Task {
      try await feed.run { _ in
        if await feed.replica.version == version { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await running.value }
    return clock.pauses
  }

  @Test(arguments: TransportKind.allCases)
  func `a window around an item that is gone stays where it stands`(
    kind: TransportKind
  ) async throws {
    var around = inbox
    around.view = CollectionView(window: "around:x:0:0")
    let seen = #""seq":1,"view":{"total":3,"start":0,"count":1,"anchor":"a"}"#
    let shown = snapshot.replacing(#""seq":1"#, with: seen)
    let peer = try ScriptedPeer([.events(shown + rotate), .events(delta)])
    _ = try await pauses(peer, kind, until: "v2", of: around)
    let queries = peer.requests.map { $0.removingPercentEncoding ?? "" }
    #expect(queries[0].contains("?since=&") && queries[0].contains("window=around:x:0:0"))
    #expect(queries[1].contains("?since=v1&") && queries[1].contains("window=around:a:0:0"))
  }

  @Test(arguments: TransportKind.allCases)
  func `a stream that ends by itself is followed by another after the pause it asks for`(
    kind: TransportKind
  ) async throws {
    let peer = try ScriptedPeer([.events(snapshot + rotate), .events(delta)])
    #expect(try await pauses(peer, kind, until: "v2") == [.milliseconds(1234)])
    #expect(peer.requests[0].contains("/delta?since=&ping=10 "))
    #expect(peer.requests[1].contains("/delta?since=v1&ping=10 "))
  }

  @Test(arguments: TransportKind.allCases)
  func `failures are followed by pauses whose bound doubles, until an event comes`(
    kind: TransportKind
  ) async throws {
    let peer = try ScriptedPeer([
      .busy, .busy, .busy, .events(snapshot), .busy, .events(delta),
    ])
    #expect(
      try await pauses(peer, kind, until: "v2") == [
        .milliseconds(500), .seconds(1), .seconds(2), .milliseconds(500), .seconds(1),
      ])
  }

  @Test(arguments: TransportKind.allCases)
  func `a service that says when to return is not asked before`(kind: TransportKind) async throws {
    let busy = ScriptedPeer.Script(
      answer: "HTTP/1.1 503 X\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\n{}")
    let peer = try ScriptedPeer([busy, .events(snapshot)])
    #expect(try await pauses(peer, kind, until: "v1") == [.seconds(7)])
  }

  @Test(arguments: TransportKind.allCases)
  func `an event that does not fit is dropped, and everything asked for`(kind: TransportKind)
    async throws
  {
    let whole = ScriptedPeer.Script(
      body: #"{"kind":"snapshot","collection":"inbox","version":"v3","seq":3,"items":[]}"#)
    let wrong = delta.replacing("\"counts\":[2]", with: "\"counts\":[3]")
    let peer = try ScriptedPeer([.events(snapshot + wrong, closes: false), whole])
    #expect(try await pauses(peer, kind, until: "v3").isEmpty)
    // The service itself is to say what there is.
    #expect(peer.requests[1].contains("/delta?since=&maxage=0 "))
  }

  @Test(arguments: TransportKind.allCases)
  func `a credential that stays refused ends the feed`(kind: TransportKind) async throws {
    let refusal = ScriptedPeer.Script(body: #"{"code":"unauthenticated"}"#, status: 401)
    let peer = try ScriptedPeer([refusal])
    let feed = SyncFeed(try kind.client(peer), [inbox])
    let error = await #expect(throws: ClientError.self) { try await feed.run { _ in } }
    guard case .problem(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.status == 401)
  }

  private let poll = ScriptedPeer.Script(
    body: #"{"kind":"snapshot","collection":"inbox","version":"v3","seq":3,"items":[]}"#)

  @Test(arguments: TransportKind.allCases, [true, false])
  func `a stream without a first event is left for a long poll at once`(
    kind: TransportKind, hasHead: Bool
  ) async throws {
    let silent: ScriptedPeer.Script = hasHead ? .events("", closes: false) : .init(answer: "")
    let peer = try ScriptedPeer(answering: { [poll] in $0.contains("ping=") ? silent : poll })
    let pauses = try await pauses(peer, kind, until: "v3") {
      $0.firstEventLimit = .milliseconds(20)
    }
    peer.stop()
    #expect(pauses.isEmpty)
    #expect(peer.requests.last?.contains("/delta?since=&wait=25&missing=wait&items=patch ") == true)
  }

  @Test(arguments: TransportKind.allCases)
  func `a long poll without an answer is left for a stream again`(
    kind: TransportKind
  ) async throws {
    let streams = Locked(0)
    let peer = try ScriptedPeer(answering: { [snapshot] request in
      guard request.contains("ping=") else { return .init(answer: "", closes: true) }
      let isFirst = streams.withLock { streams in
        streams += 1
        return streams == 1
      }
      return isFirst ? .events("", closes: false) : .events(snapshot)
    })
    let pauses = try await pauses(peer, kind, until: "v1") {
      $0.firstEventLimit = .milliseconds(100)
    }
    peer.stop()
    #expect(!pauses.isEmpty)
    #expect(peer.requests.contains { $0.contains("wait=25") })
    #expect(peer.requests.last?.contains("/delta?since=&ping=10 ") == true)
  }

  @Test(arguments: TransportKind.allCases)
  func
    `ten answers in a second that lead nowhere, or in a circle, are followed by pauses that grow`(
      kind: TransportKind
    ) async throws
  {
    // Two caches of different ages, of which the older one says that a version has never been.
    @Sendable func snapshot(_ version: Int) -> ScriptedPeer.Script {
      ScriptedPeer.Script(
        body:
          #"{"kind":"snapshot","collection":"inbox","version":"v\#(version)","seq":\#(version),"items":[]}"#
      )
    }
    let count = Locked(0)
    let peer = try ScriptedPeer(answering: { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number > 32 ? snapshot(3) : snapshot(number % 2)
    })
    let pauses = try await pauses(peer, kind, until: "v3") { $0.usesStream = false }
    peer.stop()
    #expect(pauses == [.seconds(1), .seconds(2), .seconds(4)])
    #expect(peer.requests.allSatisfy { $0.contains("wait=25") })
  }

  @Test(arguments: TransportKind.allCases)
  func `a poll asks for patches by its address, by which caches know its answer`(
    kind: TransportKind
  ) async throws {
    let peer = try ScriptedPeer([
      .init(body: #"{"kind":"snapshot","collection":"inbox","version":"v1","seq":1,"items":[]}"#),
      .init(body: #"{"kind":"snapshot","collection":"inbox","version":"v2","seq":2,"items":[]}"#),
    ])
    _ = try await pauses(peer, kind, until: "v2") { $0.usesStream = false }
    #expect(peer.requests.allSatisfy { !$0.contains("Prefer:") })
    #expect(peer.requests[0].contains("/delta?since=&wait=25&missing=wait&items=patch "))
  }

  @Test(arguments: TransportKind.allCases)
  func `a stream with patches is left for one without if the content has another digest`(
    kind: TransportKind
  ) async throws {
    let patching = ScriptedPeer.Script(
      answer: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        + "Preference-Applied: items=patch\r\n\r\n" + snapshot)
    let peer = try ScriptedPeer([patching, .events(delta)])
    #expect(try await pauses(peer, kind, until: "v2").isEmpty)
    #expect(peer.requests[0].contains("Prefer: items=patch\r\n"))
    #expect(!peer.requests[1].contains("Prefer:"))
  }
}
