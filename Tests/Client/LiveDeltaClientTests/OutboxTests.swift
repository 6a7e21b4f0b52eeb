import DeltaEngine
import Foundation
import LiveCollections
import TestSupport
import Testing

@testable import LiveDeltaClient

/// The edits of a device, against a peer that answers what a test says.
@MainActor @Suite(.timeLimit(.minutes(10))) struct OutboxTests {
  private struct Row: Codable, Sendable, Equatable {
    var id: String
    var n: Int?
  }

  private typealias Feed = CollectionFeed<Row, NoContent, NoContent>

  private let inbox = CollectionAddress(client: "u42", name: "inbox")
  private let file = FileManager.default.temporaryDirectory.appending(path: "edits-\(UUID())")

  private let snapshot = ScriptedPeer.Script.events(
    """
    event: snapshot
    id: v1
    data: {"kind":"snapshot","collection":"inbox","version":"v1","seq":1,"items":[{"id":"a"},{"id":"b"}]}


    """, closes: false)

  private nonisolated func taken(_ seq: Int) -> ScriptedPeer.Script {
    .init(body: #"{"version":"v\#(seq)","seq":\#(seq),"changed":true}"#)
  }

  /// The newest version, without its contents.
  private nonisolated func numbers(_ seq: Int) -> ScriptedPeer.Script {
    .init(
      body: #"{"kind":"snapshot","collection":"inbox","version":"v\#(seq)","#
        + #""seq":\#(seq),"view":{"total":9,"start":0,"count":0},"sections":[]}"#)
  }

  /// A peer that sends the list, says that the newest version is the seventh, and answers the n-th edit as a function
  /// says.
  private func peer(
    _ answer: @escaping @Sendable (Int) -> ScriptedPeer.Script
  ) throws -> ScriptedPeer {
    let count = Locked(0)
    return try ScriptedPeer(answering: { [self] request in
      if request.contains("?window=first") { return numbers(7) }
      guard request.hasPrefix("PATCH") else { return snapshot }
      return answer(
        count.withLock { count in
          count += 1
          return count
        })
    })
  }

  /// Runs a feed for the time of a test.
  private func run(
    _ peer: ScriptedPeer, _ body: (Feed, Shown) async throws -> Void
  ) async throws {
    var options = FeedOptions(PauseLog())
    options.edits = file
    let feed = Feed(try TransportKind.curl.client(peer), inbox, options: options)
    let shown = Shown()
    let running = Task {
      try await feed.run { event in
        switch event {
        case .change(let content): shown.content = content
        case .interrupted: break
        case .refused(let edits, let reason): shown.refusals.append("\(edits) \(reason)")
        }
      }
    }
    try await until { shown.content.version == "v1" }
    try await body(feed, shown)
    running.cancel()
    _ = await running.result
    peer.stop()
  }

  @MainActor private final class Shown {
    var content = FeedContent<Row, NoContent, NoContent>()
    var refusals: [String] = []
    var isDone = false
    var ids: String { content.items.map(\.id.text).joined() }
  }

  private func patches(_ peer: ScriptedPeer) -> [String] {
    peer.requests.filter { $0.hasPrefix("PATCH") }
  }

  private func field(_ name: String, _ request: String) -> String? {
    request.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
      String($0.dropFirst(name.count + 2))
    }
  }

  @Test func `an edit shows at once, and rests on the version that is held`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let peer = try peer { _ in .init(answer: "") }
    try await run(peer) { feed, shown in
      try await feed.edit { edits in
        try edits.merge("a", ["n": 2])
        try edits.insert([Row(id: "c")], at: .after("a"))
      }
      try await until { shown.ids == "acb" }
      #expect(shown.content.items.first?.value.n == 2)
      #expect(shown.content.pendingCount == 1)
      try await until { patches(peer).count == 1 }
      let request = patches(peer)[0]
      #expect(request.hasPrefix("PATCH /v1/clients/u42/collections/inbox "))
      #expect(field("Collection-If-Version", request) == "v1")
      #expect(
        request.hasSuffix(
          #"{"edits":[{"op":"merge","id":"a","value":{"n":2}},"#
            + #"{"op":"insert","after":"a","items":[{"id":"c"}]}]}"#))
    }
  }

  @Test func `an edit without an answer is sent again with its key, and the next one after it`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: file) }
    let peer = try peer { [self] number in
      switch number {
      case 1: .init(answer: "", closes: true)
      case 2: .busy
      case 3: .init(body: #"{"code":"version-conflict","current":"v7"}"#, status: 412)
      case 4: taken(8)
      default: taken(9)
      }
    }
    try await run(peer) { feed, shown in
      try await feed.edit { try $0.insert([Row(id: "c")], at: .last(in: "")) }
      try await feed.edit { try $0.insert([Row(id: "d")], at: .last(in: "")) }
      // What is shown may be late: nothing was pending before the edits either.
      try await until {
        shown.ids == "abcd" && shown.content.pendingCount == 0 && patches(peer).count == 5
      }
      let keys = patches(peer).map { field("Idempotency-Key", $0) }
      #expect(Set(keys.prefix(4)).count == 1)
      #expect(keys[4] != keys[0])
      let rests = patches(peer).map { field("Collection-If-Version", $0) }
      #expect(rests == ["v1", "v1", "v1", "v7", "v8"])
    }
  }

  @Test func `what the service refuses is taken back, with the reason`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let refusal = ScriptedPeer.Script(body: #"{"code":"edit-conflict","detail":"no"}"#, status: 409)
    let peer = try peer { [self] number in number == 1 ? refusal : taken(2) }
    try await run(peer) { feed, shown in
      try await feed.edit { $0.delete(["a"]) }
      try await feed.edit { try $0.insert([Row(id: "c")], at: .last(in: "")) }
      try await until { shown.refusals.count == 1 && shown.content.pendingCount == 0 }
      #expect(
        shown.refusals == [
          #"[{"op":"delete","ids":["a"],"missing":"ignore"}] 409 edit-conflict: no"#
        ])
      #expect(shown.ids == "abc")
    }
  }

  @Test func `an edit that refers to what is not there is not made`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let peer = try peer { [self] _ in taken(2) }
    try await run(peer) { feed, shown in
      await #expect(throws: ClientError.self) {
        try await feed.edit { $0.move(["z"], to: .before("a")) }
      }
      let content = try await feed.content
      #expect(content.pendingCount == 0 && shown.ids == "ab")
      #expect(patches(peer).isEmpty)
    }
  }

  @Test func `edits that were not taken are sent by the next run, in order`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let dead = try peer { _ in .init(answer: "", closes: true) }
    try await run(dead) { feed, shown in
      for id in ["c", "d", "e"] {
        try await feed.edit { try $0.insert([Row(id: id)], at: .last(in: "")) }
      }
      try await until { !patches(dead).isEmpty }
    }
    // The address is that of the same service.
    let text = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    #expect(text.contains(dead.address))
    let outbox = try Outbox(inbox, of: ServerAddress(dead.address), at: file)
    #expect(outbox.pending.map { String(decoding: $0.edits, as: UTF8.self).count }.count == 3)
    #expect(outbox.pending[0].sending != nil && outbox.pending[1].sending == nil)
    #expect(throws: ClientError.self) {
      try Outbox(inbox, of: ServerAddress("127.0.0.1:1"), at: file)
    }
  }

  /// Sends an edit by a feed that is told nothing but the newest version, until its fate is known; `sending` is what
  /// is known of it from an earlier run, and the service says a number of times that it rests on another version.
  private func sendUnheld(
    _ sending: OutboxEntry.Sending?, newest: Int, refusals: Int = 0
  ) async throws -> (requests: [String], refusals: [String]) {
    let count = Locked(0)
    let peer = try ScriptedPeer(answering: { [self] request in
      if request.contains("/delta") { return .busy }
      guard request.hasPrefix("PATCH") else { return numbers(newest) }
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number <= refusals else { return taken(newest + 1) }
      return .init(
        body: #"{"status":412,"code":"version-conflict","current":"v\#(newest)"}"#, status: 412)
    })
    do {
      var outbox = try Outbox(inbox, of: ServerAddress(peer.address), at: file)
      try outbox.add(Array(#"[{"op":"reload","ids":["a"]}]"#.utf8), to: nil)
      if let sending { try outbox.rest(outbox.entries[0].key, as: sending) }
    }
    var options = FeedOptions(PauseLog())
    options.edits = file
    let feed = Feed(try TransportKind.curl.client(peer), inbox, options: options)
    let shown = Shown()
    let running = Task {
      try await feed.run { event in
        switch event {
        case .change(let content): shown.isDone = content.pendingCount == 0
        case .interrupted: break
        case .refused(_, let reason): shown.refusals.append("\(reason)")
        }
      }
    }
    try await until { shown.isDone }
    running.cancel()
    _ = await running.result
    peer.stop()
    return (peer.requests.filter { !$0.contains("/delta") }, shown.refusals)
  }

  private let now = Int(Date().timeIntervalSince1970)

  @Test func `an edit that is sent before anything is held rests on the newest version`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: file) }
    let (requests, refusals) = try await sendUnheld(nil, newest: 1200)
    #expect(requests.count == 2 && refusals.isEmpty)
    // The number and the version alone.
    #expect(requests[0].hasPrefix("GET /v1/clients/u42/collections/inbox?window=first"))
    #expect(requests[0].contains("0 HTTP"))
    #expect(field("Collection-If-Version", requests[1]) == "v1200")
    #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self).contains(#""seq":1200"#))
  }

  @Test(arguments: [901, 902])
  func `an edit that may have been made is sent on another version only if its key is known`(
    newest: Int
  ) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let sending = OutboxEntry.Sending(rests: "v1", time: now, seq: 1)
    let (requests, refusals) = try await sendUnheld(sending, newest: newest, refusals: 1)
    let versions = requests.map { field("Collection-If-Version", $0) }
    #expect(versions == (newest == 901 ? ["v1", nil, "v901"] : ["v1", nil]))
    #expect(refusals.count == newest - 901)
  }

  @Test(arguments: [900, 901])
  func `an edit that was sent on no version is sent again only if its key is known`(
    newest: Int
  ) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let sending = OutboxEntry.Sending(rests: nil, time: now, seq: 0)
    let (requests, refusals) = try await sendUnheld(sending, newest: newest)
    #expect(requests.map { $0.hasPrefix("PATCH") } == (newest == 900 ? [false, true] : [false]))
    #expect(refusals.count == newest - 900)
  }

  @Test func `a file of edits belongs to one process at a time`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let address = try ServerAddress("127.0.0.1:1")
    var outbox: Outbox? = try Outbox(inbox, of: address, at: file)
    try outbox?.add(Array("[]".utf8), to: nil)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let error = #expect(throws: CocoaError.self) {
        try Outbox(
          CollectionAddress(client: "u42", name: "inbox"), of: ServerAddress("127.0.0.1:1"),
          at: URL(fileURLWithPath: path))
      }
      #expect(error?.code == .fileLocking)
    }
    #expect(outbox?.pending.count == 1)
    outbox = nil
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let next = try Outbox(
        CollectionAddress(client: "u42", name: "inbox"), of: ServerAddress("127.0.0.1:1"),
        at: URL(fileURLWithPath: path))
      #expect(next.pending.count == 1)
    }
  }

  @Test func `after so long that the key is forgotten, an edit is not sent on another version`()
    throws
  {
    var outbox = try Outbox(inbox, of: ServerAddress("127.0.0.1:1"), at: nil)
    try outbox.add(Array(#"[{"op":"reload","ids":["a"]}]"#.utf8), to: nil)
    let first = try outbox.begin(on: CollectionReplica(), now: 1000)
    #expect(first != nil)
    // Without a version it rests on the key alone.
    #expect(try outbox.begin(on: CollectionReplica(), now: 1000 + 24 * 3600) == nil)
    try outbox.rest(try #require(first).key, as: .init(rests: "v1", time: 1000, seq: 0))
    let later = try outbox.begin(on: CollectionReplica(), now: 1000 + 24 * 3600)
    #expect(later?.isKnown(now: 1000 + 24 * 3600, seq: 0) == false)
    #expect(later?.isKnown(now: 2000, seq: 901) == false)
    #expect(later?.isKnown(now: 2000, seq: 900) == true)
  }

  @Test func `a file that is torn anywhere loses no edit that was acknowledged before`() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let address = try ServerAddress("127.0.0.1:1")
    var ends: [Int] = []
    do {
      var outbox = try Outbox(inbox, of: address, at: file)
      for number in 0..<4 {
        try outbox.add(Array(#"[{"op":"reload","ids":["\#(number)"]}]"#.utf8), to: nil)
        ends.append(try Data(contentsOf: file).count)
      }
    }
    let whole = try Data(contentsOf: file)
    for count in 0...whole.count {
      try whole.prefix(count).write(to: file)
      var outbox = try Outbox(inbox, of: address, at: file)
      // The last byte is a line end, without which the line is there all the same.
      let kept = ends.count { $0 - 1 <= count }
      #expect(outbox.pending.count == kept, "\(count)")
      try outbox.add(Array("[]".utf8), to: nil)
      let next = try Outbox(inbox, of: address, at: file)
      #expect(next.pending.map(\.edits) == outbox.pending.map(\.edits), "\(count)")
    }
  }
}
