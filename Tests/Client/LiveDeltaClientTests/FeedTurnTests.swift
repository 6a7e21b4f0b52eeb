import DeltaEngine
import Foundation
import LiveDeltaClient
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Whose turn it is to ask: one loop owns the replica, whoever wants something of it.
@Suite(.timeLimit(.minutes(10))) struct FeedTurnTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  private func snapshot(_ version: String) -> String {
    """
    event: snapshot
    id: \(version)
    data: {"kind":"snapshot","collection":"inbox","version":"\(version)","seq":1,"items":[{"id":"a"}]}


    """
  }

  private let delta = ScriptedPeer.Script(
    body: #"""
      {"kind":"delta","collection":"inbox","from":"v1","to":"v2","seq":2,\#
      "steps":[{"insert":{"items":[[0,1,"b"]]},"counts":[2]}],"items":{"b":{"id":"b"}}}
      """#)

  /// A feed that runs, and the versions that it has shown.
  private func running(
    _ feed: SyncFeed, _ seen: EventLog
  ) -> Task<Void, any Error> {
    Task {
      try await feed.run { event in
        switch event {
        case .change: _ = seen.append(await feed.replica.version ?? "-")
        case .interrupted: _ = seen.append("interrupted")
        case .refused: break
        }
      }
    }
  }

  private func end(_ task: Task<Void, any Error>) async {
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: TransportKind.allCases)
  func `what is polled while a stream is open is asked for by its loop, and shown`(
    kind: TransportKind
  ) async throws {
    let peer = try ScriptedPeer(answering: { [delta] request in
      if request.contains("/delta?since= ") || request.contains("since=v1 ") { return delta }
      return .events(request.contains("since=&") ? snapshot("v1") : "", closes: false)
    })
    let feed = SyncFeed(try kind.client(peer), [inbox])
    let seen = EventLog()
    let running = running(feed, seen)
    try await until { seen.events == ["v1"] }
    guard case .updated(let update)? = try await feed.poll()["inbox"] else {
      Issue.record("no delta")
      return
    }
    #expect(update.delta.changeCount == 1)
    #expect(seen.events == ["v1", "v2"])
    try await until { peer.requests.count == 3 }
    await end(running)
    peer.stop()
    #expect(peer.requests[0].contains("/delta?since=&ping="))
    #expect(peer.requests[1].contains("/delta?since=v1 "))
    #expect(peer.requests[2].contains("/delta?since=v2&ping="))
  }

  @Test(arguments: TransportKind.allCases)
  func `a refresh that fails says why, and the feed goes on`(kind: TransportKind) async throws {
    let peer = try ScriptedPeer(answering: { request in
      if request.contains("since=v1 ") { return .busy }
      return .events(request.contains("since=&") ? snapshot("v1") : "", closes: false)
    })
    let feed = SyncFeed(try kind.client(peer), [inbox], options: FeedOptions(PauseLog()))
    let seen = EventLog()
    let running = running(feed, seen)
    try await until { seen.events == ["v1"] }
    let error = await #expect(throws: ClientError.self) { try await feed.refresh() }
    #expect(error?.isTemporary == true)
    try await until { peer.requests.count == 3 }
    await end(running)
    peer.stop()
    #expect(seen.events == ["v1", "interrupted"])
    #expect(peer.requests[2].contains("/delta?since=v1&ping="))
  }

  @Test(arguments: TransportKind.allCases)
  func `to wake a feed ends its pause`(kind: TransportKind) async throws {
    let peer = try ScriptedPeer([.busy, .events(snapshot("v1"), closes: false)])
    var options = FeedOptions()
    options.clock = ManualClock()
    let feed = SyncFeed(try kind.client(peer), [inbox], options: options)
    let seen = EventLog()
    let running = running(feed, seen)
    try await until { seen.events == ["interrupted"] }
    await feed.wake()
    try await until { seen.events == ["interrupted", "v1"] }
    await end(running)
  }

  @Test(arguments: TransportKind.allCases)
  func `to wake a feed replaces a connection on which nothing comes`(
    kind: TransportKind
  ) async throws {
    let peer = try ScriptedPeer([
      .events(snapshot("v1"), closes: false), .events(snapshot("v2"), closes: false),
    ])
    let feed = SyncFeed(try kind.client(peer), [inbox])
    let seen = EventLog()
    let running = running(feed, seen)
    try await until { seen.events == ["v1"] }
    await feed.wake()
    try await until { seen.events == ["v1", "v2"] }
    await end(running)
  }

  @Test(arguments: TransportKind.allCases)
  func `a poll that is cancelled ends at once, and another one asks again`(
    kind: TransportKind
  ) async throws {
    let whole = ScriptedPeer.Script(
      body: #"{"kind":"snapshot","collection":"inbox","version":"v3","seq":3,"items":[]}"#)
    let peer = try ScriptedPeer([.init(answer: ""), whole])
    let feed = SyncFeed(try kind.client(peer), [inbox])
    let polling = Task { try await feed.poll() }
    try await until { peer.requests.count == 1 }
    polling.cancel()
    await #expect(throws: ClientError.cancelled) { try await polling.value }
    try await feed.poll()
    #expect(await feed.replica.version == "v3")
  }

  /// What a feed shows of a stream with these versions, whose file is in a folder that `touch` makes and removes.
  private func shown(
    _ versions: [String], pausing pause: Duration,
    _ touch: @escaping @Sendable (String, URL) throws -> Void = { _, _ in }
  ) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID())")
    let peer = try ScriptedPeer([.events(versions.map(snapshot).joined(), closes: false)])
    var options = FeedOptions(file: ReplicaFile(at: folder.appending(path: "replica")))
    options.savePause = pause
    let feed = SyncFeed(try TransportKind.curl.client(peer), [inbox], options: options)
    let seen = EventLog()
    let running = Task {
      try await feed.run { event in
        switch event {
        case .change:
          let version = await feed.replica.version ?? "-"
          _ = seen.append(version)
          #expect(throws: Never.self) { try touch(version, folder) }
          if version == versions.last { withUnsafeCurrentTask { $0?.cancel() } }
        case .interrupted(.file, let pause): _ = seen.append("file, \(pause)")
        case .interrupted, .refused: _ = seen.append("interrupted")
        }
      }
    }
    await #expect(throws: CancellationError.self) { try await running.value }
    return seen.events
  }

  @Test func `that the file cannot be written is told once until it can be`() async throws {
    let seen = try await shown(["v1", "v2", "v3", "v4", "v5"], pausing: .zero) { version, folder in
      let files = FileManager.default
      if version == "v2" {
        try files.createDirectory(at: folder, withIntermediateDirectories: false)
      }
      if version == "v3" { try files.removeItem(at: folder) }
    }
    let fault = "file, \(Duration.zero)"
    #expect(seen == ["v1", fault, "v2", "v3", "v4", fault, "v5"])
  }

  @Test func `that the file cannot be written is told when a run ends`() async throws {
    let seen = try await shown(["v1"], pausing: .seconds(600))
    #expect(seen == ["v1", "file, \(Duration.seconds(600))"])
  }

  @Test func `a second run begins when the first one has ended`() async throws {
    let peer = try ScriptedPeer(answering: { request in
      .events(request.contains("since=&") ? snapshot("v1") : "", closes: false)
    })
    let feed = SyncFeed(try TransportKind.urlSession.client(peer), [inbox])
    let (first, second) = (EventLog(), EventLog())
    let one = running(feed, first)
    try await until { first.events == ["v1"] }
    let other = running(feed, second)
    let never = running(feed, second)
    await end(never)
    #expect(second.events.isEmpty)
    await end(one)
    try await until { second.events == ["v1"] }
    await end(other)
    peer.stop()
  }

  @Test(arguments: [true, false])
  func `a provider of credentials without a network is asked again, one that refuses is not`(
    isOfNetwork: Bool
  ) async throws {
    struct SignedOut: Error {}
    let peer = try ScriptedPeer([.events(snapshot("v1"), closes: false)])
    let asked = Locked(0)
    let client = try TransportKind.curl.client(peer) { _ in
      let isFirst = asked.withLock { asked in
        asked += 1
        return asked == 1
      }
      guard isFirst else { return "secret" }
      if isOfNetwork { throw URLError(.notConnectedToInternet) }
      throw SignedOut()
    }
    let feed = SyncFeed(client, [inbox], options: FeedOptions(PauseLog()))
    let seen = EventLog()
    let running = running(feed, seen)
    if isOfNetwork {
      try await until { seen.events == ["interrupted", "v1"] }
      await end(running)
    } else {
      await #expect(throws: ClientError.noToken("SignedOut()")) { try await running.value }
    }
  }

  @Test func `the file is read by the first use, not by whoever makes the feed`() async throws {
    let file = ReplicaFile(
      at: FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID())"))
    defer { try? file.remove() }
    let whole = ScriptedPeer.Script(
      body: #"{"kind":"snapshot","collection":"inbox","version":"v3","seq":3,"items":[]}"#)
    let peer = try ScriptedPeer([whole])
    let client = try TransportKind.curl.client(peer)
    let feed = SyncFeed(client, [inbox], options: FeedOptions(file: file))
    try await SyncFeed(client, [inbox], options: FeedOptions(file: file)).poll()
    #expect(await feed.replica.version == "v3")
  }

  @Test func `the requests of a client over libcurl do not wait for each other`() async throws {
    let peer = try ScriptedPeer(answering: { request in
      request.hasPrefix("GET /wait") ? .init(answer: "") : .init(body: "{}")
    })
    let client = try TransportKind.curl.client(peer)
    let waiting = Task { try await client.request("GET", "/wait") }
    try await until { peer.requests.count == 1 }
    #expect(try await client.request("GET", "/").status == 200)
    waiting.cancel()
    await #expect(throws: ClientError.cancelled) { try await waiting.value }
    peer.stop()
  }
}
