import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import LiveDeltaURLSession
import Synchronization
import TestSupport
import Testing

/// A feed against a peer that answers what a test says, with a clock and a chance of the test's own.
@Suite(.timeLimit(.minutes(10))) struct CollectionFeedTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  private func events(_ text: String, closes: Bool = true) -> ScriptedPeer.Script {
    .init(
      answer: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        + text, closes: closes)
  }

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

  enum Kind: CaseIterable, Sendable {
    case curl, urlSession

    var transport: any Transport {
      switch self {
      case .curl: CurlTransport()
      case .urlSession: URLSessionTransport()
      }
    }
  }

  /// Runs a feed until it has this version; returns the pauses it made.
  private func pauses(
    _ peer: ScriptedPeer, _ kind: Kind, until version: String, stream: Bool = true
  ) async throws -> [Duration] {
    let clock = PauseLog()
    var options = CollectionFeed.Options()
    options.clock = clock
    options.random = { $0.upperBound }
    options.usesStream = stream
    let client = DeltaClient(
      try ServerAddress(peer.address), tokens: { _ in nil }, transport: kind.transport)
    let feed = CollectionFeed(client, inbox, options: options)
    let running = Task {
      try await feed.run { _ in
        if await feed.replica.version == version { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: ClientError.cancelled) { try await running.value }
    return clock.pauses
  }

  @Test(arguments: Kind.allCases)
  func `a stream that ends by itself is followed by another after the pause it asks for`(
    kind: Kind
  ) async throws {
    let peer = try ScriptedPeer([events(snapshot + rotate), events(delta)])
    #expect(try await pauses(peer, kind, until: "v2") == [.milliseconds(1234)])
    #expect(peer.requests[0].contains("/delta?since=&ping=10 "))
    #expect(peer.requests[1].contains("/delta?since=v1&ping=10 "))
  }

  @Test(arguments: Kind.allCases)
  func `failures are followed by pauses whose bound doubles, until an event comes`(
    kind: Kind
  ) async throws {
    let busy = ScriptedPeer.Script(body: #"{"code":"overloaded"}"#, status: 503)
    let peer = try ScriptedPeer([busy, busy, busy, events(snapshot), busy, events(delta)])
    #expect(
      try await pauses(peer, kind, until: "v2") == [
        .milliseconds(500), .seconds(1), .seconds(2), .milliseconds(500), .seconds(1),
      ])
  }

  @Test(arguments: Kind.allCases)
  func `a service that says when to return is not asked before`(kind: Kind) async throws {
    let busy = ScriptedPeer.Script(
      answer: "HTTP/1.1 503 X\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\n{}")
    let peer = try ScriptedPeer([busy, events(snapshot)])
    #expect(try await pauses(peer, kind, until: "v1") == [.seconds(7)])
  }

  @Test(arguments: Kind.allCases)
  func `an event that does not fit is dropped, and everything asked for`(kind: Kind) async throws {
    let whole = ScriptedPeer.Script(
      body: #"{"kind":"snapshot","collection":"inbox","version":"v3","seq":3,"items":[]}"#)
    let wrong = delta.replacing("\"counts\":[2]", with: "\"counts\":[3]")
    let peer = try ScriptedPeer([events(snapshot + wrong, closes: false), whole])
    #expect(try await pauses(peer, kind, until: "v3").isEmpty)
    #expect(peer.requests[1].contains("/delta?since= "))
  }

  @Test(arguments: Kind.allCases)
  func `a credential that stays refused ends the feed`(kind: Kind) async throws {
    let refusal = ScriptedPeer.Script(body: #"{"code":"unauthenticated"}"#, status: 401)
    let peer = try ScriptedPeer([refusal])
    let client = DeltaClient(
      try ServerAddress(peer.address), tokens: { _ in nil }, transport: kind.transport)
    let feed = CollectionFeed(client, inbox)
    let error = await #expect(throws: ClientError.self) { try await feed.run { _ in } }
    guard case .problem(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.status == 401)
  }
}

/// A clock whose sleepers wake at once, and that notes how long they meant to sleep.
private final class PauseLog: Clock {
  private let manual = ManualClock()
  private let log = Mutex<[Duration]>([])

  var now: ManualClock.Instant { manual.now }
  var minimumResolution: Duration { .nanoseconds(1) }
  var pauses: [Duration] { log.withLock { $0 } }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    let pause = manual.now.duration(to: deadline)
    log.withLock { $0.append(pause) }
    manual.advance(by: pause)
    try Task.checkCancellation()
  }
}
