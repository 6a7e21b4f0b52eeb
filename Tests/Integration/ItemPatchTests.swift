import CollectionService
import DeltaHTTP
import LiveDeltaClient
import TestSupport
import Testing
import VersionedCollections

/// `Prefer: items=patch`: entries of `items` as merge patches of what the reader has.
@Suite struct ItemPatchTests {
  private let inbox = TestServer.inbox
  private let prefer = ["Prefer": "items=patch"]
  private static let long = String(repeating: "x", count: 100)

  /// One long item with a number that changes.
  private static func list(_ n: Int) -> String { #"[{"id":"a","t":"\#(long)","n":\#(n)}]"# }

  // MARK: Exactness

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `applied to what a version has, entries are the new items, on every way`(
    seed: UInt64
  ) async throws {
    try await TestServer.run { server in
      var items = RandomItems(seed: seed)
      var held: [(version: String, body: String, items: [String: JSONTree])] = []
      var patchCount = 0
      for round in 0..<25 {
        let receipt = try await server.send(
          "PUT", inbox, ["Prefer": "return=delta, items=patch"], items.body)
        let version = try #require(receipt["Collection-Version"])
        if let last = held.last, receipt.json["kind"].string == "delta" {
          patchCount += try check(receipt.json, last.items, items.all, "round \(round): receipt")
        }
        held.append((version, items.body, items.all))
        for old in held.suffix(6).dropLast() where old.version != version {
          let note = "seed \(seed), round \(round), from \(old.version)"
          for dialect in ["staged", "ops", "splice", "diffable"] {
            let path = "\(inbox)/delta?since=\(old.version)&dialect=\(dialect)"
            let answer = try await server.send("GET", path, prefer)
            patchCount += try check(answer.json, old.items, items.all, "\(note), \(dialect)")
            let whole = try await server.send("GET", path)
            #expect(try check(whole.json, [:], items.all, note) == 0)
            #expect(whole.json["items"].keys == answer.json["items"].keys, "\(note)")
          }
          for (from, to, before, after) in [
            (old.version, version, old.items, items.all),
            (version, old.version, items.all, old.items),
          ] {
            let between = try await server.send(
              "GET", "\(inbox)/delta?from=\(from)&to=\(to)&items=patch")
            if between.status == 410 { continue }
            patchCount += try check(between.json, before, after, note)
          }
          let diff = try await server.send(
            "POST", "/v1/diff", prefer, #"{"old":\#(old.body),"new":\#(items.body)}"#)
          patchCount += try check(diff.json, old.items, items.all, note)
          let sync = try await server.send(
            "POST", "/v1/clients/u42/sync", prefer, #"{"collections":{"inbox":"\#(old.version)"}}"#)
          patchCount += try check(
            sync.json["collections"]["inbox"], old.items, items.all, "\(note), sync")
        }
        items.advance()
      }
      #expect(patchCount > 100, "seed \(seed)")
      #expect(server.server.service.counters.refusedDeltas.value == 0)
    }
  }

  /// Compares what the entries of a delta come to with the items of its target.
  ///
  /// - Returns: How many of them are patches.
  private func check(
    _ delta: JSONTree, _ old: [String: JSONTree], _ new: [String: JSONTree], _ note: String
  ) throws -> Int {
    #expect(delta["kind"].string == "delta", "\(note)")
    var count = 0
    for (id, entry) in delta["items"].members {
      let item = try #require(new[id], "\(note): \(id)")
      if !old.isEmpty, entry.keys == ["~patch"] {
        count += 1
        let before = try #require(old[id], "\(note): \(id)")
        #expect(before.merging(entry["~patch"]) == item, "\(note): \(id) was \(before)")
        #expect("\(entry)".utf8.count < item.text.utf8.count + 200, "\(note)")
      } else {
        #expect(entry == item, "\(note): \(id)")
      }
    }
    return count
  }

  @Test func `a patch is sent only where it is shorter and exact`() async throws {
    try await TestServer.run { server in
      let text = "\"t\":\"\(Self.long)\""
      let from = try await server.put(
        #"[{"id":"a",\#(text),"n":1},{"id":"b","n":1},{"id":"c",\#(text),"n":1},{"id":"d",\#(text),"l":[1]}]"#
      )
      _ = try await server.put(
        #"[{"id":"a",\#(text),"n":12345678901234567890.50},{"id":"b","n":2},{"id":"c",\#(text),"n":null},{"id":"d",\#(text),"l":[1,null]},{"id":"e",\#(text)}]"#
      )
      let answer = try await server.send("GET", inbox + "/delta?since=\(from)", prefer)
      let items = answer.json["items"]
      #expect("\(items["a"])" == #"{"~patch":{"n":12345678901234567890.50}}"#)
      #expect("\(items["b"])" == #"{"id":"b","n":2}"#)
      #expect("\(items["c"])" == #"{"id":"c",\#(text),"n":null}"#)
      #expect("\(items["d"])" == #"{"~patch":{"l":[1,null]}}"#)
      #expect("\(items["e"])" == #"{"id":"e",\#(text)}"#)
    }
  }

  @Test func `an item that looks like a patch or a wrapper is wrapped, for those who patch`()
    async throws
  {
    try await TestServer.run { server in
      for mark in ["~patch", "~item"] {
        let settings = ##""settings":{"idPath":"/~0\##(mark.dropFirst())/id"}"##
        let path = inbox + mark.dropFirst()
        func item(_ n: Int) -> String {
          ##"{"\##(mark)":{"id":"a","t":"\##(Self.long)","n":\##(n)}}"##
        }
        let from = try await server.put("{\(settings),\"items\":[]}", to: path)
        let second = try await server.put("[\(item(1))]", to: path)
        _ = try await server.put("[\(item(2))]", to: path)
        for since in [from, second] {
          let patched = try await server.send("GET", path + "/delta?since=\(since)&items=patch")
          #expect("\(patched.json["items"]["a"])" == "{\"~item\":\(item(2))}")
          let whole = try await server.send("GET", path + "/delta?since=\(since)")
          #expect("\(whole.json["items"]["a"])" == item(2))
        }
        let escaped = item(3).replacing("~", with: "\\u007E")
        _ = try await server.put("[\(escaped)]", to: path)
        let patched = try await server.send("GET", path + "/delta?since=\(second)&items=patch")
        #expect(patched.text.contains("{\"~item\":\(escaped)}"))
      }
    }
  }

  @Test func `where equal items may differ, they are whole`() async throws {
    try await TestServer.run { server in
      let text = "\"t\":\"\(Self.long)\""
      let settings = #"{"equality":{"ignore":["/at"]}}"#
      func body(_ n: Int, _ at: Int) -> String {
        #"{"settings":\#(settings),"items":[{"id":"a","at":\#(at),\#(text),"n":\#(n)}]}"#
      }
      let from = try await server.put(body(1, 1))
      _ = try await server.put(body(1, 2))
      _ = try await server.put(body(2, 2))
      let answer = try await server.send("GET", inbox + "/delta?since=\(from)", prefer)
      #expect("\(answer.json["items"]["a"]["n"])" == "2")
      #expect(answer["Preference-Applied"] == "items=patch")
    }
  }

  // MARK: Representations

  @Test func `the two kinds are two representations`() async throws {
    try await TestServer.run { server in
      let from = try await server.put(Self.list(1))
      _ = try await server.put(Self.list(2))
      let path = inbox + "/delta?since=\(from)"
      for _ in 0..<2 {
        let whole = try await server.send("GET", path)
        #expect(whole["Preference-Applied"] == nil)
        #expect(whole["Vary"] == "Accept-Encoding, Accept, Authorization, Prefer")
        #expect(!whole.text.contains("~patch"))
        for (path, fields) in [(path, prefer), (path + "&items=patch", [:])] {
          let patched = try await server.send("GET", path, fields)
          #expect(patched["Preference-Applied"] == "items=patch")
          #expect(patched["Vary"] == "Accept-Encoding, Accept, Authorization, Prefer")
          #expect("\(patched.json["items"])" == #"{"a":{"~patch":{"n":2}}}"#)
        }
      }
      let other = try await server.send("GET", path, ["Prefer": "handling=strict, items=whole"])
      #expect(other["Preference-Applied"] == nil)
      #expect(!other.text.contains("~patch"))
      let odd = try await server.send("GET", path + "&items=some")
      #expect(odd.json["code"].string == "bad-parameter")
    }
  }

  @Test func `dialects without items have no patches`() async throws {
    try await TestServer.run { server in
      let from = try await server.put(Self.list(1))
      _ = try await server.put(Self.list(2))
      for dialect in ["json-patch", "snapshot"] {
        let path = inbox + "/delta?since=\(from)&dialect=\(dialect)"
        let answer = try await server.send("GET", path, prefer)
        #expect(answer["Preference-Applied"] == nil)
        #expect(answer.body == (try await server.send("GET", path)).body)
      }
      let state = try await server.send("GET", inbox, prefer)
      #expect(state["Preference-Applied"] == nil)
      #expect(state["ETag"] == (try await server.send("GET", inbox))["ETag"])
    }
  }

  @Test func `long polls and streams have patches too`() async throws {
    try await TestServer.run { server in
      let from = try await server.put(Self.list(1))
      let stream = try EventReader(server.address, inbox + "/delta?since=\(from)&items=patch")
      #expect(try await stream.head().contains("Preference-Applied: items=patch\r\n"))
      #expect(await stream.next()?.name == "bookmark")
      let syncs = try EventReader(
        server.address, "/v1/clients/u42/sync?collections=inbox:\(from)", prefer)
      _ = try await syncs.head()
      let reader = server.reader()
      async let poll = server.send(
        "GET", inbox + "/delta?since=\(from)&wait=50", prefer, on: reader)
      try await server.untilParked(3)
      _ = try await server.put(Self.list(2))
      let entry = #"{"a":{"~patch":{"n":2}}}"#
      #expect("\(try await poll.json["items"])" == entry)
      #expect("\(try #require(await stream.next()).json["items"])" == entry)
      var event = try #require(await syncs.next())
      while !event.json["collections"]["inbox"].exists { event = try #require(await syncs.next()) }
      #expect("\(event.json["collections"]["inbox"]["items"])" == entry)
    }
  }

  @Test func `receipts say which preferences they heed, and are repeated alike`() async throws {
    try await TestServer.run { server in
      _ = try await server.put(Self.list(1))
      let fields = ["Prefer": "items=patch, return=delta", "Idempotency-Key": "k"]
      let first = try await server.send("PUT", inbox, fields, Self.list(2))
      #expect(first["Preference-Applied"] == "return=delta, items=patch")
      #expect("\(first.json["items"])" == #"{"a":{"~patch":{"n":2}}}"#)
      let again = try await server.send("PUT", inbox, fields, Self.list(2))
      #expect(again["Idempotency-Replayed"] == "true")
      #expect(again["Preference-Applied"] == "return=delta, items=patch")
      #expect(again.body == first.body)
      let plain = try await server.send("PUT", inbox, prefer, Self.list(3))
      #expect(plain["Preference-Applied"] == nil)
      let all = try await server.send(
        "PUT", inbox, ["Prefer": "items=patch, return=representation"], Self.list(4))
      #expect(all["Preference-Applied"] == "return=representation")
      let info = try await server.send("GET", "/v1")
      #expect(info.json["preferences"].elements.compactMap(\.string).contains("items=patch"))
    }
  }

  // MARK: The client

  @Test func `a follower takes patches, and holds what the service has`() async throws {
    try await TestServer.run { server in
      let address = CollectionAddress(client: "u42", name: "inbox")
      var items = RandomItems(seed: 99)
      var follower = CollectionFollower(server.reader(), address)
      var patched = 0
      for round in 0..<60 {
        _ = try await server.put(items.body)
        let news = try await follower.next(wait: nil)
        #expect(news.dropped == nil, "round \(round)")
        #expect(follower.replica.takesItemPatches)
        if news.answer.text.contains(#"{"~patch":"#) { patched += 1 }
        let held = follower.replica.sections.flatMap(\.items)
        let all = Dictionary(uniqueKeysWithValues: held.map { ($0.id.text, JSONTree($0.json)) })
        #expect(all == items.all)
        items.advance()
      }
      #expect(patched > 20)
    }
  }

  @Test func `a patch that gives another item is refused, and nothing is changed`() async throws {
    try await TestServer.run { server in
      let address = CollectionAddress(client: "u42", name: "inbox")
      let from = try await server.put(Self.list(1))
      var replica = CollectionReplica()
      try replica.apply(await server.client.delta(of: address, since: nil).value)
      _ = try await server.put(Self.list(2))
      let answer = try await server.client.delta(of: address, since: from, patchesItems: true).value
      guard case .delta(let right) = answer else { throw BadAnswer() }
      #expect(right.itemPatches == ["a": Array(#"{"n":2}"#.utf8)])
      for wrong: [ReplicaID: String] in [
        ["a": #"{"n":3}"#], ["a": "7"], ["b": #"{"n":2}"#],
      ] {
        var delta = right
        delta.itemPatches = wrong.mapValues { Array($0.utf8) }
        #expect(throws: ReplicaError.self) { try replica.apply(.delta(delta)) }
        #expect(replica.version == from)
      }
      try replica.apply(.delta(right))
      #expect(replica.sections[0].items[0].json == Array(Self.list(2).dropFirst().dropLast().utf8))
    }
  }

  /// What equality leaves out is not in the digest: who cannot check takes items whole.
  @Test func `a replica whose content has another digest takes no patches`() async throws {
    try await TestServer.run { server in
      let address = CollectionAddress(client: "u42", name: "inbox")
      _ = try await server.put(
        #"{"settings":{"equality":{"ignore":["/at"]}},"items":[{"id":"a","at":1}]}"#)
      var follower = CollectionFollower(server.reader(), address)
      _ = try await follower.next(wait: nil)
      #expect(!follower.replica.takesItemPatches)
    }
  }
}

private struct BadAnswer: Error {}

extension JSONTree {
  fileprivate var hasUniqueNames: Bool {
    switch self {
    case .object(let members):
      members.byName.count == members.pairs.count
        && members.pairs.allSatisfy(\.value.hasUniqueNames)
    case .array(let elements): elements.allSatisfy(\.hasUniqueNames)
    default: true
    }
  }
}

/// Items with random members, each list made of the one before.
private struct RandomItems {
  private(set) var all: [String: JSONTree] = [:]
  private(set) var body = ""
  private var order: [String] = []
  private var generator: SeededGenerator
  private var count = 0

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    for _ in 0..<12 { insert() }
    spell()
  }

  mutating func advance() {
    for _ in 0..<Int.random(in: 0..<8, using: &generator) {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: insert()
      case 1: remove()
      case 2: order.shuffle(using: &generator)
      default: change()
      }
    }
    spell()
  }

  private mutating func insert() {
    count += 1
    let id = ["i\(count)", "ü/\(count)~\"", "\(count)"][count % 3]
    var item = JSONTree.random(depth: 3, using: &generator).with("id", .string(id))
    // Long enough that a patch pays.
    item = item.with("body", .string(String(repeating: "lorem ipsum ", count: count % 4 * 5)))
    all[id] = item
    order.insert(id, at: Int.random(in: 0...order.count, using: &generator))
  }

  private mutating func remove() {
    guard let at = order.indices.randomElement(using: &generator) else { return }
    all[order.remove(at: at)] = nil
  }

  private mutating func change() {
    guard let id = order.randomElement(using: &generator), let item = all[id] else { return }
    let changed = item.changed(using: &generator).with("id", .string(id))
    // Names that occur twice keep their order, which spelling does not.
    if changed.hasUniqueNames { all[id] = changed }
  }

  /// Equal items are written otherwise each time.
  private mutating func spell() {
    let texts = order.compactMap { all[$0]?.spelled(using: &generator) }
    body = "[\(texts.joined(separator: ","))]"
  }
}
