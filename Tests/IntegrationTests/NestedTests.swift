import HTTPTestSupport
import LiveDeltaClient
import TestSupport
import Testing

/// PROTOCOL §10, `nested`: a change only inside an item's own list is no reload of the item.
@Suite struct NestedTests {
  private let inbox = TestServer.inbox
  private let settings = #""settings":{"nested":{"path":"/movies"}}"#

  @Test func `a change inside an item's list is a delta of that list`() async throws {
    try await TestServer.run { server in
      let first = try await server.put(
        #"{\#(settings),"items":[{"id":"a","n":1,"movies":[{"id":"x"},{"id":7,"t":1}]},{"id":"b"}]}"#
      )
      let put = try await server.send(
        "PUT", inbox, ["Prefer": "return=delta"],
        #"[{"id":"b"},{"id":"a","n":1,"movies":[{"id":7,"t":2},{"id":"x"},{"id":"y"}]}]"#)
      #expect(
        "\(put.json["nested"])"
          == #"{"a":{"path":"/movies","kind":"delta","steps":[{"insert":{"items":[[0,2,"y"]]},"move":{"items":[[0,1,0,0]]},"counts":[3]},{"reload":{"items":[[0,0,"7"]]},"counts":[3]}],"items":{"y":{"id":"y"},"7":{"id":7,"t":2}},"sections":{},"deleted":[]}}"#
      )
      #expect("\(put.json["items"])" == "{}")
      #expect(
        "\(put.json["steps"])" == #"[{"move":{"items":[[0,1,0,0]]},"counts":[2]}]"#)
      let same = try await server.send("GET", inbox + "/delta?since=\(first)")
      #expect(same.body == put.body)
      let receipt = try await server.send(
        "PATCH", inbox, ["Content-Type": "application/vnd.livedelta.edits+json"],
        #"{"edits":[{"op":"merge","id":"a","value":{"movies":[]}}]}"#)
      #expect(receipt.json["changed"].bool == true)
      #expect(receipt.json["counts"]["reloaded"].int == 0)
      #expect(receipt.json["counts"]["nested"].int == 1)
    }
  }

  @Test func `what is beside the list reloads the item, which then comes whole`() async throws {
    try await TestServer.run { server in
      let bodies = [
        #"[{"id":"a","n":1,"movies":[{"id":"x"}]}]"#,
        // Other content and the list; then no list; then one that is none; then one again.
        #"[{"id":"a","n":2,"movies":[{"id":"y"}]}]"#, #"[{"id":"a","n":2}]"#,
        #"[{"id":"a","n":2,"movies":[{"id":"y"},{"id":"y"}]}]"#,
        #"[{"id":"a","n":2,"movies":[{"id":"y"},{"no":1}]}]"#,
        #"[{"id":"a","n":2,"movies":[]}]"#,
      ]
      var since = try await server.put(#"{\#(settings),"items":[]}"#)
      for body in bodies {
        let version = try await server.put(body)
        let delta = try await server.send("GET", inbox + "/delta?since=\(since)")
        #expect(!delta.json["nested"].exists)
        #expect("[\(delta.json["items"]["a"])]" == body)
        since = version
      }
    }
  }

  @Test func `other dialects, which have no words for it, bring the item whole`() async throws {
    try await TestServer.run { server in
      let first = try await server.put(#"{\#(settings),"items":[{"id":"a","movies":[]}]}"#)
      _ = try await server.put(#"[{"id":"a","movies":[{"id":1}]}]"#)
      let since = inbox + "/delta?since=\(first)&dialect="
      for dialect in ["ops", "splice", "diffable", "swift-diff"] {
        let delta = try await server.send("GET", since + dialect)
        #expect("\(delta.json["items"])" == #"{"a":{"id":"a","movies":[{"id":1}]}}"#)
        #expect(!delta.json["nested"].exists)
      }
      let patch = try await server.send("GET", since + "json-patch")
      #expect("\(patch.json[1]["value"])" == #"{"id":"a","movies":[{"id":1}]}"#)
    }
  }

  @Test func `a list that was added to may be looked back at, one that lost something not`()
    async throws
  {
    try await TestServer.run { server in
      let first = try await server.put(
        #"{\#(settings),"items":[{"id":"a","movies":[{"id":1}]}]}"#)
      let second = try await server.put(#"[{"id":"a","movies":[{"id":1},{"id":2}]}]"#)
      let back = try await server.send("GET", inbox + "/delta?from=\(second)&to=\(first)")
      #expect("\(back.json["nested"]["a"]["deleted"])" == #"["2"]"#)
      let forth = try await server.send("GET", inbox + "/delta?from=\(first)&to=\(second)")
      #expect("\(forth.json["nested"]["a"]["items"])" == #"{"2":{"id":2}}"#)
      // The item as it was is not held, and a dialect without nested deltas would need it.
      let whole = try await server.send(
        "GET", inbox + "/delta?from=\(second)&to=\(first)&dialect=splice")
      #expect(whole.status == 410)
      _ = try await server.put(#"[{"id":"a","movies":[{"id":1}]}]"#)
      let gone = try await server.send("GET", inbox + "/delta?from=\(first)&to=\(second)")
      #expect(gone.status == 410)
      #expect(gone.json["code"].string == "history-compacted")
    }
  }

  @Test func `the setting may come and go, and nobody is told wrong`() async throws {
    try await TestServer.run { server in
      let first = try await server.put(#"[{"id":"a","movies":[{"id":1}]}]"#)
      let second = try await server.put(#"[{"id":"a","movies":[{"id":2}]}]"#)
      let on = try await server.send(
        "PATCH", inbox + "/settings", [:], #"{"nested":{"path":"/movies"}}"#)
      #expect(on["Collection-Version"] == second)
      let third = try await server.put(#"[{"id":"a","movies":[{"id":3}]}]"#)
      let near = try await server.send("GET", inbox + "/delta?since=\(second)")
      #expect("\(near.json["nested"]["a"]["deleted"])" == #"["2"]"#)
      let far = try await server.send("GET", inbox + "/delta?since=\(first)")
      #expect(far.json["reset"]["reason"].string == "history-compacted")
      _ = try await server.send("PATCH", inbox + "/settings", [:], #"{"nested":null}"#)
      let head = try await server.send("GET", inbox + "/delta?since=\(third)")
      #expect(head.json["kind"].string == "unchanged")
      let older = try await server.send("GET", inbox + "/delta?since=\(second)")
      #expect(older.json["reset"]["reason"].string == "history-compacted")
      _ = try await server.put(#"[{"id":"a","movies":[{"id":4}]}]"#)
      let plain = try await server.send("GET", inbox + "/delta?since=\(third)")
      #expect("\(plain.json["items"])" == #"{"a":{"id":"a","movies":[{"id":4}]}}"#)
    }
  }

  @Test func `an item as it was before the rule went and came is not taken for one with its list`()
    async throws
  {
    try await TestServer.run { server in
      func configure(_ settings: String) async throws {
        let answer = try await server.send("PATCH", inbox + "/settings", [:], settings)
        #expect(answer.status == 200, "\(answer.text)")
      }
      let first = try await server.put(
        #"{\#(settings),"items":[{"id":"a","n":1,"movies":[{"id":1}]}]}"#)
      // Readers have the item with the hash of its other content, and keep it so.
      try await configure(#"{"nested":null}"#)
      _ = try await server.put(#"[{"id":"a","n":2,"movies":[{"id":2}]}]"#)
      try await configure(#"{"nested":{"path":"/movies"}}"#)
      _ = try await server.put("[]")
      // The same other content again, and with it the same hash.
      _ = try await server.put(#"[{"id":"a","n":1,"movies":[{"id":3}]}]"#)
      let answer = try await server.send("GET", inbox + "/delta?since=\(first)")
      #expect(answer.json["reset"]["reason"].string == "history-compacted", "\(answer.text)")
    }
  }

  @Test func `what one rule leaves out is not what another leaves out`() async throws {
    try await TestServer.run { server in
      let first = try await server.put(
        #"{"settings":{"nested":{"path":"/movies"}},"items":[{"id":"a","movies":[{"id":1}]}]}"#)
      _ = try await server.send(
        "PATCH", inbox + "/settings", [:], #"{"nested":{"path":"/series"}}"#)
      _ = try await server.put(#"[{"id":"a","series":[{"id":2}]}]"#)
      let delta = try await server.send("GET", inbox + "/delta?since=\(first)")
      #expect("\(delta.json["items"])" == #"{"a":{"id":"a","series":[{"id":2}]}}"#)
    }
  }

  @Test func `a replica applies what changed in such a list, without a snapshot`() async throws {
    try await TestServer.run { server in
      let seed = UInt64.random(in: 1...UInt64.max)
      var random = RandomNested(seed: seed)
      _ = try await server.put(#"{\#(settings),"items":[]}"#)
      let address = try CollectionAddress("u42/inbox")
      var follower = CollectionFollower(server.client, address)
      _ = try await follower.next(wait: nil)
      for round in 0..<100 {
        let version = try await server.put(random.body)
        let news = try await follower.next(wait: nil)
        #expect(news.dropped == nil, "seed \(seed), round \(round)")
        if case .replaced = news.change { Issue.record("seed \(seed), round \(round): a snapshot") }
        #expect(follower.replica.version == version)
        let snapshot = try await server.client.snapshot(of: address).value
        #expect(follower.replica.sections == snapshot.sections, "seed \(seed), round \(round)")
        random.advance()
      }
    }
  }

  @Test(arguments: [
    (#"{"nested":{}}"#, "/nested"), (#"{"nested":{"path":""}}"#, "/nested/path"),
    (#"{"nested":{"path":"/id"}}"#, "/nested/path"), (#"{"nested":{"path":"x"}}"#, "/nested/path"),
    (#"{"nested":{"path":"/a"},"equality":{"ignore":["/a"]}}"#, "/nested/path"),
  ])
  func `a nested list that cannot be one is refused`(
    settings: String, pointer: String
  ) async throws {
    try await TestServer.run { server in
      _ = try await server.put("[]")
      let answer = try await server.send("PUT", inbox + "/settings", [:], settings)
      #expect(answer.status == 422)
      #expect(answer.json["errors"][0]["pointer"].string == pointer)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `in each dialect, from any version, readers come to the same`(seed: UInt64) async throws {
    try await TestServer.run { server in
      var random = RandomNested(seed: seed)
      var held: [(version: String, document: JSONTree)] = []
      _ = try await server.put(#"{\#(settings),"items":[]}"#)
      for round in 0..<60 {
        let version = try await server.put(random.body)
        let document = try await JSONTree(parsing: server.send("GET", inbox).body)
        for source in held.suffix(4) {
          for dialect in CheckedDialect.all {
            let delta = try await server.send(
              "GET", inbox + "/delta?since=\(source.version)&dialect=\(dialect.name)")
            #expect(
              throws: Never.self, "seed \(seed), round \(round), \(dialect.name): \(delta.text)"
            ) {
              if delta.json["kind"].string != "unchanged" {
                try dialect.check(
                  JSONTree(parsing: delta.body), from: source.document, to: document)
              }
            }
          }
          let between = try await server.send(
            "GET", inbox + "/delta?from=\(version)&to=\(source.version)")
          if between.status == 200 {
            let staged = CheckedDialect.all[0]
            #expect(throws: Never.self, "seed \(seed), round \(round): \(between.text)") {
              try staged.check(JSONTree(parsing: between.body), from: document, to: source.document)
            }
          }
        }
        held.append((version, document))
        random.advance()
      }
    }
  }
}

/// Items with lists inside, as a writer sends them.
private struct RandomNested {
  private struct Item {
    var id: Int
    var revision = 0
    var movies: [(id: Int, revision: Int)]?
  }

  private var generator: SeededGenerator
  private var items: [Item] = []
  private var count = 0

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    for _ in 0..<12 { advance() }
  }

  var body: String {
    let texts = items.map { item in
      let movies = item.movies.map { list in
        let texts = list.map { #"{"id":\#($0.id),"r":\#($0.revision)}"# }
        return #","movies":[\#(texts.joined(separator: ","))]"#
      }
      return #"{"id":\#(item.id),"n":\#(item.revision)\#(movies ?? "")}"#
    }
    return "[\(texts.joined(separator: ","))]"
  }

  mutating func advance() {
    for _ in 0..<number(1..<4) { edit() }
  }

  private mutating func edit() {
    count += 1
    guard let index = items.indices.randomElement(using: &generator), number(0..<8) > 0 else {
      return items.insert(
        Item(id: count, movies: number(0..<5) == 0 ? nil : []), at: number(0..<items.count + 1))
    }
    switch number(0..<10) {
    case 0: items[index].revision += 1
    case 1: items.remove(at: index)
    case 2: items.swapAt(index, number(0..<items.count))
    case 3: items[index].movies = items[index].movies == nil ? [] : nil
    default: editMovies(of: index)
    }
  }

  private mutating func editMovies(of index: Int) {
    guard var movies = items[index].movies else { return }
    switch (number(0..<4), movies.indices.randomElement(using: &generator)) {
    case (0, let movie?): movies[movie].revision += 1
    case (1, let movie?): movies.remove(at: movie)
    case (2, let movie?): movies.swapAt(movie, number(0..<movies.count))
    default: movies.insert((count, 0), at: number(0..<movies.count + 1))
    }
    items[index].movies = movies
  }

  private mutating func number(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }
}
