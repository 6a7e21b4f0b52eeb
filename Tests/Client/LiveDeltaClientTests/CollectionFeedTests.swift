import DeltaEngine
import Foundation
import LiveCollections
import LiveDeltaClient
import LiveDeltaCurl
import Observation
import TestSupport
import Testing

/// A feed in an app's own types, against a peer that answers what a test says.
@MainActor @Suite(.timeLimit(.minutes(10))) struct CollectionFeedTests {
  private struct Row: Codable, Sendable, Equatable {
    var id: Int
    var title: String
  }

  private struct Header: Codable, Sendable, Equatable { var title: String }

  private struct Meta: Codable, Sendable, Equatable { var owner: String }

  private typealias Feed = CollectionFeed<Row, Header, Meta>

  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  private nonisolated func event(_ name: String, _ version: String, _ json: String) -> String {
    "event: \(name)\nid: \(version)\ndata: {\"kind\":\"\(name)\",\"collection\":\"inbox\",\(json)}\n\n"
  }

  private nonisolated func snapshot(_ items: String, meta: String = "") -> String {
    event(
      "snapshot", "v1",
      #""version":"v1","seq":1,"sections":[{"id":"s","title":"S","items":[\#(items)]}]\#(meta)"#)
  }

  private nonisolated func items(_ range: Range<Int>, title: String = "t") -> String {
    range.map { #"{"id":\#($0),"title":"\#(title)"}"# }.joined(separator: ",")
  }

  private nonisolated func reload(_ id: Int, count: Int, from: Int, _ item: String) -> String {
    event(
      "delta", "v\(from + 1)",
      #"""
      "from":"v\#(from)","to":"v\#(from + 1)","seq":\#(from + 1),\#
      "steps":[{"reload":{"items":[[0,\#(id),"\#(id)"]]},"counts":[\#(count)]}],\#
      "items":{"\#(id)":\#(item)}
      """#)
  }

  @Test func `of a thousand rows of which one changes, one is decoded and one invalidated`()
    async throws
  {
    let peer = try ScriptedPeer(answering: { [self] request in
      if request.contains("since=v1 ") {
        return .init(
          body: #"""
            {"kind":"delta","collection":"inbox","from":"v1","to":"v2","seq":2,"steps":\#
            [{"reload":{"items":[[0,7,"7"]]},"counts":[1000]}],\#
            "items":{"7":{"id":7,"title":"new"}}}
            """#)
      }
      return .events(request.contains("since=&") ? snapshot(items(0..<1000)) : "", closes: false)
    })
    let feed = Feed(try TransportKind.curl.client(peer), inbox)
    let list = ObservableSections<FeedSection<Row, Header>>()
    let running = Task { try await feed.run(showing: list) }
    try await until { list.sections.first?.rows.count == 1000 }
    #expect(list.sections[0].section.value == Header(title: "S"))
    let (rows, lists) = (Locked<[Int]>([]), Locked(0))
    for row in list.sections[0].rows {
      let id = row.item.value.id
      withObservationTracking {
        _ = row.item
      } onChange: {
        rows.withLock { $0.append(id) }
      }
    }
    withObservationTracking {
      for section in list.sections { _ = (section.section, section.rows) }
    } onChange: {
      lists.withLock { $0 += 1 }
    }
    try await feed.refresh()
    try await until { list.sections[0].rows[7].item.value.title == "new" }
    #expect(rows.withLock { $0 } == [7])
    #expect(lists.withLock { $0 } == 0)
    running.cancel()
    _ = await running.result
    peer.stop()
  }

  @Test func `what cannot be decoded is left out, and reported once`() async throws {
    let bad = #"{"id":1,"title":7}"#
    let peer = try ScriptedPeer([
      .events(
        snapshot(items(0..<1) + "," + bad + "," + items(2..<3), meta: #","meta":{"owner":"me"}"#)
          + reload(0, count: 3, from: 1, #"{"id":0,"title":"new"}"#)
          + reload(1, count: 3, from: 2, #"{"id":1,"title":"mended"}"#), closes: false)
    ])
    let reported = Locked<[String]>([])
    let feed = Feed(try TransportKind.curl.client(peer), inbox) { id, _ in
      reported.withLock { $0.append(id.text) }
    }
    var seen: [FeedContent<Row, Header, Meta>] = []
    let running = Task {
      try await feed.run { if case .change(let content) = $0 { seen.append(content) } }
    }
    try await until { seen.last?.version == "v3" }
    running.cancel()
    _ = await running.result
    #expect(seen.first { $0.version == "v1" }?.items.map(\.value.id) ?? [0, 2] == [0, 2])
    #expect(seen.last?.items.map(\.value.title) == ["new", "mended", "t"])
    #expect(seen.last?.meta == Meta(owner: "me"))
    #expect(reported.withLock { $0 } == ["1"])
  }

  @Test func `a type that does not match is said in the log, once`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      struct Wrong: Decodable { var title: Int }
      let sections = (0..<3).map { number in
        let json = Array(#"{"id":\#(number),"title":"secret"}"#.utf8)
        return ReplicaItem(
          id: ReplicaID("m\(number)"), json: json, content: ContentHash(high: 0, low: 0))
      }
      let address = try ServerAddress("http://127.0.0.1:1")
      let client = DeltaClient(address, transport: CurlTransport())
      // A list that shows nothing, and would have said nothing.
      _ = ListFeed<Wrong>(client, CollectionAddress(client: "u42", name: "inbox"))
      let decoder = await ItemDecoder<Wrong>()
      for item in sections { await #expect(decoder.value(of: item) == nil) }
    }
    let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(log.contains(#""m0" cannot be decoded, and is not shown (Wrong): title: "#))
    #expect(!log.contains("m1") && !log.contains("secret"))
  }

  @Test func `a feed of a flat list that does not match says so, and one that is cancelled`()
    async throws
  {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      struct Wrong: Codable, Sendable { var subject: String }
      let peer = try ScriptedPeer([
        .events(
          "event: snapshot\nid: v1\ndata: {\"kind\":\"snapshot\",\"collection\":\"inbox\","
            + "\"version\":\"v1\",\"seq\":1,\"items\":[{\"id\":1,\"title\":\"secret\"},"
            + "{\"id\":2,\"title\":\"secret\"}]}\n\n", closes: false)
      ])
      let feed = ListFeed<Wrong>(
        try TransportKind.curl.client(peer), CollectionAddress(client: "u42", name: "inbox"))
      let seen = Locked<String?>(nil)
      let running = Task {
        try await feed.run { event in
          if case .change(let content) = event { seen.withLock { $0 = content.version } }
        }
      }
      try await until { seen.withLock { $0 } == "v1" }
      running.cancel()
      await #expect(throws: CancellationError.self) { try await running.value }
      peer.stop()
    }
    let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(log.contains(#""1" cannot be decoded, and is not shown (Wrong): no member "subject""#))
    #expect(!log.contains(#""2" cannot"#) && !log.contains("secret"))
  }
}
