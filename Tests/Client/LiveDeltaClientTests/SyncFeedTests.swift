import DeltaEngine
import LiveDeltaClient
import TestSupport
import Testing

/// A feed of several collections against a peer that answers what a test says.
@Suite(.timeLimit(.minutes(10))) struct SyncFeedTests {
  private let collections = ["inbox", "cart"].map { CollectionAddress(client: "u42", name: $0) }

  private func snapshot(_ name: String, _ version: String, _ ids: String) -> String {
    let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    return #"""
      "\#(name)":{"kind":"snapshot","collection":"\#(name)","version":"\#(version)","seq":1,\#
      "items":[\#(items)]}
      """#
  }

  /// The delta of a collection with one item, to which `b` is appended.
  private func delta(_ name: String, _ from: String, _ to: String, count: Int = 2) -> String {
    #"""
    "\#(name)":{"kind":"delta","collection":"\#(name)","from":"\#(from)","to":"\#(to)","seq":2,\#
    "steps":[{"insert":{"items":[[0,1,"b"]]},"counts":[\#(count)]}],"items":{"b":{"id":"b"}}}
    """#
  }

  private func answer(_ parts: String...) -> String {
    #"{"kind":"sync","collections":{\#(parts.joined(separator: ","))},"unchanged":[]}"#
  }

  private func event(_ parts: String...) -> String {
    let data = #"{"kind":"sync","collections":{\#(parts.joined(separator: ","))},"unchanged":[]}"#
    return "event: sync\nid: x\ndata: \(data)\n\n"
  }

  /// What a feed has after each of so many changes, as `cart:w1 inbox:v1`.
  private func contents(
    _ peer: ScriptedPeer, _ kind: TransportKind, changes: Int, _ collections: [CollectionAddress],
    _ configure: (inout FeedOptions) -> Void = { _ in }
  ) async throws -> [String] {
    var options = FeedOptions(PauseLog())
    configure(&options)
    let feed = SyncFeed(try kind.client(peer), collections, options: options)
    let seen = Locked<[String]>([])
    let running = Task {
      try await feed.run { event in
        guard case .change(let changes) = event else { return }
        let versions = await feed.replicas.mapValues { $0.version ?? "-" }
        let text = versions.sorted { $0.key < $1.key }.map { "\($0):\($1)" }
        let line = (text + ["of"] + changes.keys.sorted()).joined(separator: " ")
        seen.withLock { $0.append(line) }
      }
    }
    try await until { seen.withLock({ $0.count }) >= changes }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    return seen.withLock { $0 }
  }

  @Test(arguments: TransportKind.allCases)
  func `one stream brings the changes of all, and one event those of one moment`(
    kind: TransportKind
  ) async throws {
    let first = event(snapshot("inbox", "v1", "a"), snapshot("cart", "w1", ""))
    let peer = try ScriptedPeer([
      .events(
        first + event(delta("inbox", "v1", "v2")) + "event: ping\ndata: {}\n\n"
          + event(#""cart":{"kind":"deleted","collection":"cart"}"#), closes: false)
    ])
    #expect(
      try await contents(peer, kind, changes: 3, collections) == [
        "cart:w1 inbox:v1 of cart inbox", "cart:w1 inbox:v2 of inbox", "cart:- inbox:v2 of cart",
      ])
    let request = try #require(peer.requests.first)
    #expect(request.hasPrefix("GET /v1/clients/u42/sync?collections=inbox:,cart:&ping=10 "))
    #expect(request.contains("Accept: text/event-stream\r\n"))
  }

  @Test(arguments: TransportKind.allCases)
  func `a stream without a first event is left for a long poll at once`(
    kind: TransportKind
  ) async throws {
    let whole = answer(snapshot("inbox", "v1", "a"), snapshot("cart", "w1", ""))
    let next = answer(delta("inbox", "v1", "v2"))
    let peer = try ScriptedPeer(answering: { request in
      if request.hasPrefix("GET") { return .events("", closes: false) }
      if request.hasSuffix(#"{"collections":{"cart":null,"inbox":null},"wait":25}"#) {
        return .init(body: whole)
      }
      let isNext = request.hasSuffix(#"{"collections":{"cart":"w1","inbox":"v1"},"wait":25}"#)
      return isNext ? .init(body: next) : nil
    })
    let contents = try await contents(peer, kind, changes: 2, collections) {
      $0.firstEventLimit = .milliseconds(20)
    }
    peer.stop()
    #expect(contents == ["cart:w1 inbox:v1 of cart inbox", "cart:w1 inbox:v2 of inbox"])
  }

  @Test(arguments: TransportKind.allCases)
  func `of an event of which a part does not fit nothing is applied, and that part asked for`(
    kind: TransportKind
  ) async throws {
    let first = event(snapshot("inbox", "v1", "a"), snapshot("cart", "w1", "a"))
    let wrong = event(delta("inbox", "v1", "v2"), delta("cart", "w1", "w2", count: 7))
    let peer = try ScriptedPeer([
      .events(first + wrong, closes: false),
      .init(body: answer(delta("inbox", "v1", "v2"), snapshot("cart", "w2", "ab"))),
      .events("", closes: false),
    ])
    #expect(
      try await contents(peer, kind, changes: 2, collections) == [
        "cart:w1 inbox:v1 of cart inbox", "cart:w2 inbox:v2 of cart inbox",
      ])
    #expect(peer.requests[1].hasPrefix("POST /v1/clients/u42/sync "))
    #expect(peer.requests[1].hasSuffix(#"{"collections":{"cart":null,"inbox":"v1"}}"#))
  }

  @Test(arguments: TransportKind.allCases)
  func `a bookmark of a later version is told, one of the version that is held is not`(
    kind: TransportKind
  ) async throws {
    let bookmarks = [1, 2, 2].map { number in
      let data =
        #"{"kind":"unchanged","collection":"inbox","version":"l.\#(number).x","seq":\#(number)}"#
      return "event: bookmark\nid: l.\(number).x\ndata: \(data)\n\n"
    }
    let snapshot = String(snapshot("inbox", "l.1.x", "a").drop { $0 != "{" })
    let peer = try ScriptedPeer([
      .events(
        "event: snapshot\nid: x\ndata: \(snapshot)\n\n" + bookmarks.joined()
          + "event: deleted\nid: y\ndata: {\"kind\":\"deleted\",\"collection\":\"inbox\"}\n\n",
        closes: false)
    ])
    #expect(
      try await contents(peer, kind, changes: 3, [collections[0]]) == [
        "inbox:l.1.x of inbox", "inbox:l.2.x of inbox", "inbox:- of inbox",
      ])
  }

  @Test(arguments: TransportKind.allCases)
  func `more collections than a path has room for are asked about by long polls`(
    kind: TransportKind
  ) async throws {
    let many = (0..<100).map {
      CollectionAddress(client: "u42", name: "\($0)" + String(repeating: "x", count: 100))
    }
    let first = answer(snapshot(many[0].name, "v1", "a"))
    let peer = try ScriptedPeer(answering: { request in
      request.contains(#""v1""#) ? nil : .init(body: first)
    })
    _ = try await contents(peer, kind, changes: 1, many)
    peer.stop()
    #expect(peer.requests[0].hasPrefix("POST /v1/clients/u42/sync "))
  }

  @Test(arguments: TransportKind.allCases, [414, 431])
  func `a path that is too long for a proxy is left for long polls, or told`(
    kind: TransportKind, status: Int
  ) async throws {
    let whole = answer(snapshot("inbox", "v1", "a"), snapshot("cart", "w1", ""))
    let peer = try ScriptedPeer(answering: { request in
      request.hasPrefix("GET") ? .init(body: "", status: status) : .init(body: whole)
    })
    _ = try await contents(peer, kind, changes: 1, collections)
    let error = await #expect(throws: ClientError.self) {
      try await SyncFeed(kind.client(peer), [collections[0]]).run { _ in }
    }
    guard case .problem(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.status == status)
    peer.stop()
  }

  @Test func `what an answer says is missing is told`() async throws {
    let peer = try ScriptedPeer([
      .init(body: #"{"kind":"sync","collections":{},"unchanged":["a"],"missing":["b"]}"#)
    ])
    let client = try TransportKind.curl.client(peer)
    let reply = try await client.sync("u42", holding: ["a": "v1", "b": nil])
    #expect(reply.value.unchanged == ["a"] && reply.value.missing == ["b"])
  }
}
