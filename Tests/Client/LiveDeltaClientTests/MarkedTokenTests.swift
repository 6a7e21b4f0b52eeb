import DeltaEngine
import SnapshotJSON
import TestSupport
import Testing

@testable import LiveDeltaClient

/// Tokens with a fourth part, and what a reader does whose view changed.
@Suite(.timeLimit(.minutes(10))) struct MarkedTokenTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  private func snapshot(_ version: String, _ items: String) throws -> WireSnapshot {
    let text =
      #"{"kind":"snapshot","collection":"inbox","version":"\#(version)","seq":4,"items":[\#(items)]}"#
    return try WireSnapshot(JSONValue(parsing: Array(text.utf8)), idPath: "/id")
  }

  private func digest(_ items: String) throws -> String {
    VersionDigest(of: try snapshot("k.4.x", items).sections, meta: nil, lineage: "k").text
  }

  @Test func `the third part of a token is the digest, with an r mark too; a v mark tells nothing`()
    throws
  {
    let items = #"{"id":"a","n":1}"#
    let digest = try digest(items)
    let other = String(digest.reversed())
    let rows: [(token: String, matches: Bool?)] = [
      ("k.4.\(digest)", true), ("k.4.\(other)", false),
      ("k.4.\(digest).r0a1B2c3d", true), ("k.4.\(other).r0a1B2c3d", false),
      ("k.4.\(other).v0a1B2c3d", nil), ("k.4.\(digest).v0a1B2c3d", nil),
      (digest, false), ("k.\(digest)", false), ("", false),
    ]
    let sections = try snapshot("k.4.x", items).sections
    for (token, matches) in rows {
      let computed = VersionDigest(of: sections, meta: nil, lineage: "k")
      #expect(computed.matches(token) == matches, "\(token)")
      var replica = CollectionReplica()
      replica.replace(by: try snapshot(token, items))
      #expect(replica.version == token)
      #expect(replica.takesItemPatches == (matches == true), "\(token)")
    }
  }

  @Test(arguments: ["v0a1B2c3d", "r0a1B2c3d"])
  func `merge patches are applied unless the digest shows that they went wrong`(mark: String) throws
  {
    let items = #"{"id":"a","n":1}"#
    let from = "k.4.\(try digest(items)).\(mark)"
    let wrong = "k.5.\(String(repeating: "A", count: 16)).\(mark)"
    let text = #"""
      {"kind":"delta","collection":"inbox","from":"\#(from)","to":"\#(wrong)","seq":5,\#
      "steps":[{"reload":{"items":[[0,0,"a"]]},"counts":[1]}],"items":{"a":{"~patch":{"n":2}}}}
      """#
    var replica = CollectionReplica()
    replica.replace(by: try snapshot(from, items))
    let answer = try DeltaAnswer(
      JSONValue(parsing: Array(text.utf8)), patchesItems: true, idPath: "/id")
    if mark.hasPrefix("v") {
      try replica.apply(answer)
      #expect(replica.version == wrong)
    } else {
      #expect(throws: ReplicaError.self) { try replica.apply(answer) }
      #expect(replica.version == from)
    }
  }

  /// A token as long as one may be: 64 bytes and a mark.
  private let long = "k3f9m2qx.123456789012345678.\(String(repeating: "Z", count: 36)).v0a1B2c3d"

  @Test(arguments: TransportKind.allCases, [true, false])
  func `a reset because the view changed replaces everything, and the feed goes on`(
    kind: TransportKind, streams: Bool
  ) async throws {
    let whole =
      #"{"kind":"snapshot","collection":"inbox","version":"v1","seq":1,"items":[{"id":"a"}]}"#
    let reset = #"""
      {"kind":"snapshot","collection":"inbox","version":"\#(long)","seq":1,"items":[{"id":"b"}],\#
      "reset":{"reason":"view-changed","since":"v1"}}
      """#
    let delta = #"""
      {"kind":"delta","collection":"inbox","from":"\#(long)","to":"w2","seq":2,\#
      "steps":[{"insert":{"items":[[0,1,"c"]]},"counts":[2]}],"items":{"c":{"id":"c"}}}
      """#
    #expect(long.utf8.count == 74)
    let peer =
      streams
      ? try ScriptedPeer([
        .events(
          "event: snapshot\ndata: \(whole)\n\nevent: snapshot\ndata: \(reset)\n\nevent: delta\ndata: \(delta)\n\n"
        )
      ]) : try ScriptedPeer([whole, reset, delta].map { .init(body: $0) })
    var options = FeedOptions(PauseLog())
    options.usesStream = streams
    let feed = SyncFeed(try kind.client(peer), [inbox], options: options)
    let log = EventLog()
    let running = Task {
      try await feed.run { event in
        guard case .change(let changes) = event, let change = changes["inbox"] else { return }
        switch change {
        case .replaced(_, let reset): _ = log.append("replaced \(reset?.reason ?? "-")")
        case .updated: _ = log.append("updated")
        default: _ = log.append("other")
        }
        if await feed.replica.version == "w2" { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(log.events == ["replaced -", "replaced view-changed", "updated"])
    #expect(await feed.replica.sections.flatMap { $0.items.map(\.id.text) } == ["b", "c"])
    if !streams { #expect(peer.requests[2].contains("since=\(long)&")) }
  }
}
