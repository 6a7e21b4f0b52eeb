import Authentication
import CollectionService
import HTTPTestSupport
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// Views of a collection, over the routes; the kit of conformance judges what they show.
@Suite struct ViewTests {
  private let inbox = TestService.inbox
  private static let content =
    #"[{"id":"a","unread":true},{"id":"b","unread":false},{"id":"c","unread":true}]"#
  private static let unread = "where=/unread:eq:true"

  private func edit(_ server: TestService, _ edits: String) async throws -> String {
    let answer = try await server.send(
      "PATCH", inbox, ["Content-Type": "application/vnd.livedelta.edits+json"],
      #"{"edits":[\#(edits)]}"#)
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(answer["Collection-Version"])
  }

  @Test func `a window around an id that nobody had begins at 0, and is polled without resets`()
    async throws
  {
    try await TestService.run { server in
      let held = try await server.put(#"[{"id":"a"},{"id":"b"},{"id":"c"}]"#)
      let delta = inbox + "/delta?since=\(held)&window=around:nobody:1:1"
      let same = try await server.send("GET", delta).json
      #expect(same["kind"].string == "unchanged")
      #expect("\(same["view"])" == #"{"total":3,"start":0,"count":2,"anchor":"a"}"#)
      // Of an id that was there the reader's window depends on what it had before.
      let head = try await edit(server, #"{"op":"delete","ids":["b"]}"#)
      let gone = inbox + "/delta?since=\(head)&window=around:b:1:1"
      #expect(try await server.send("GET", gone).json["reset"]["reason"].string == "diverged")
    }
  }

  @Test func `a change that misses a view wakes none of its readers, and one that does not does`()
    async throws
  {
    try await TestService.run { server in
      let first = try await server.put(Self.content)
      let reader = server.reader()
      async let answer = server.send(
        "GET", inbox + "/delta?since=\(first)&wait=55&\(Self.unread)", on: reader)
      try await server.untilParked()
      let missed = try await edit(server, #"{"op":"merge","id":"b","value":{"x":1}}"#)
      // The reader waits again once its view was looked at, and has the newer version.
      try await server.untilParked()
      let last = try await edit(server, #"{"op":"merge","id":"a","value":{"unread":false}}"#)
      let delta = try await answer.json
      #expect(delta["kind"].string == "delta")
      #expect([first, missed].contains(delta["from"].string))
      #expect(delta["to"].string == last)
      #expect("\(delta["left"]) \(delta["deleted"])" == #"["a"] []"#)
      #expect("\(delta["view"])" == #"{"total":1,"start":0,"count":1}"#)
    }
  }

  @Test func `a reader who waits is told by a delta, however many changes missed its view`()
    async throws
  {
    try await TestService.run { configuration in
      configuration.serviceLimits.retention.versionsMax = 2
    } _: { server in
      let first = try await server.put(Self.content)
      let reader = server.reader()
      async let answer = server.send(
        "GET", inbox + "/delta?since=\(first)&wait=55&\(Self.unread)", on: reader)
      try await server.untilParked()
      for number in 1...5 {
        _ = try await edit(server, #"{"op":"merge","id":"b","value":{"x":\#(number)}}"#)
        try await server.untilParked()
      }
      let last = try await edit(server, #"{"op":"merge","id":"a","value":{"x":1}}"#)
      let delta = try await answer.json
      #expect(delta["kind"].string == "delta")
      #expect(delta["from"].string == first && delta["to"].string == last)
      #expect("\(delta["items"])" == #"{"a":{"id":"a","unread":true,"x":1}}"#)
    }
  }

  @Test func `at the end of a wait unchanged has the newest version that gives the same view`()
    async throws
  {
    try await TestService.run { server in
      let first = try await server.put(Self.content)
      let second = try await edit(server, #"{"op":"delete","ids":["b"]}"#)
      let path = inbox + "/delta?since=\(first)&\(Self.unread)"
      for wait in ["", "&wait=0"] {
        let answer = try await server.send("GET", path + wait)
        #expect(answer.json["kind"].string == "unchanged")
        #expect(answer["Collection-Version"] == second)
        #expect("\(answer.json["view"])" == #"{"total":2,"start":0,"count":2}"#)
      }
    }
  }

  @Test func `a stream tells only what changes its view, and its newest version instead of a ping`()
    async throws
  {
    try await TestService.run { server in
      let first = try await server.put(Self.content)
      let reader = try EventReader(
        server.listener, inbox + "/delta?since=\(first)&ping=5&\(Self.unread)")
      #expect(try #require(await reader.next()).name == "bookmark")
      let missed = try await edit(server, #"{"op":"merge","id":"b","value":{"x":1}}"#)
      let bookmark = try #require(await reader.next())
      #expect(bookmark.name == "bookmark" && bookmark.id == missed)
      let last = try await edit(server, #"{"op":"delete","ids":["c"]}"#)
      let delta = try #require(await reader.next())
      #expect(delta.name == "delta" && delta.id == last)
      #expect(delta.json["from"].string == missed)
      #expect("\(delta.json["deleted"])" == #"["c"]"#)
    }
  }

  @Test func `a view has an ETag of its own`() async throws {
    try await TestService.run { server in
      _ = try await server.put(Self.content)
      let whole = try #require(try await server.send("GET", inbox)["ETag"])
      let path = inbox + "?" + Self.unread
      let tag = try #require(try await server.send("GET", path)["ETag"])
      #expect(tag != whole)
      for (path, tag, status) in [
        (path, tag, 304), (path, whole, 200), (inbox, tag, 200), (inbox, whole, 304),
        (inbox + "?where=/unread:eq:%74rue&sections=drop", tag, 304),
        (path + "&window=first:1", tag, 200),
      ] {
        let answer = try await server.send("GET", path, ["If-None-Match": tag])
        #expect(answer.status == status, "\(path) \(tag)")
      }
    }
  }

  @Test func `sync takes a view of each collection`() async throws {
    try await TestService.run { server in
      let first = try await server.put(Self.content)
      _ = try await edit(server, #"{"op":"merge","id":"b","value":{"x":1}}"#)
      func sync(_ entry: String) async throws -> TestResponse {
        try await server.send(
          "POST", "/v1/clients/u42/sync", ["Content-Type": "application/json"],
          #"{"collections":{"inbox":\#(entry)}}"#)
      }
      let view = #""view":{"where":["/unread:eq:true"],"select":"/unread"}"#
      let answer = try await sync(#"{"since":"\#(first)",\#(view)}"#).json
      #expect("\(answer["unchanged"])" == #"["inbox"]"#)
      #expect(answer["views"]["inbox"]["version"].string?.contains(".2.") == true)
      let initial = try await sync("{\(view)}").json["collections"]["inbox"]
      #expect("\(initial["view"])" == #"{"total":2,"start":0,"count":2}"#)
      let wrong = try await sync(#"{"view":{"where":["/a:xx:1"]}}"#)
      #expect(wrong.status == 400)
      #expect(wrong.json["errors"][0]["pointer"].string == "/collections/inbox/view/where/0")
    }
  }

  @Test(
    arguments: [
      ("where=/a:xx:1", "where[0], byte 3"), ("where=a:eq:1", "where[0], byte 0"),
      ("window=first:1001", "window, byte 6"), ("sections=all", "sections, byte 0"),
      ("select=/a,,/b", "select, byte 3"), ("order=/a:up", "order[0], byte 3"),
      (Array(repeating: "where=/a:exists", count: 9).joined(separator: "&"), "where[8]"),
      ("where=/n:eq:%ff", "`where` must be UTF-8"), ("where=/n:eq:%C3", "`where` must be UTF-8"),
      ("where=/n:in:%5B%22%ED%A0%80%22%5D", "`where` must be UTF-8"),
      ("where=/%80:exists", "`where` must be UTF-8"), ("select=/%c3", "`select` must be UTF-8"),
      ("order=/a%F8", "`order` must be UTF-8"),
    ])
  func `what is no view is refused with its place`(_ query: String, _ place: String) async throws {
    try await TestService.run { server in
      _ = try await server.put(Self.content)
      let answer = try await server.send("GET", inbox + "?" + query)
      #expect(answer.status == 400 && answer.json["code"].string == "bad-parameter")
      #expect(answer.json["detail"].string?.hasPrefix(place) == true, "\(answer.text)")
    }
  }

  @Test(arguments: [
    ("wher", "where"), ("wheres", "where"), ("wehre", "where"), ("Where", "where"),
    ("windoe", "window"), ("slect", "select"), ("section", "sections"), ("ordre", "order"),
  ])
  func `a misspelled parameter of a view is refused`(_ name: String, _ meant: String) async throws {
    try await TestService.run { server in
      let first = try await server.put(Self.content)
      for path in [inbox + "?", inbox + "/delta?since=\(first)&"] {
        let answer = try await server.send("GET", path + name + "=x")
        #expect(answer.status == 400 && answer.json["code"].string == "bad-parameter")
        #expect(
          answer.json["detail"].string
            == "there is no parameter `\(name)`; did you mean `\(meant)`?")
      }
    }
  }

  @Test(arguments: ["_", "v", "ws", "utm_source", "traceid", "session", "bordered"])
  func `other unknown parameters are ignored`(_ name: String) async throws {
    try await TestService.run { server in
      _ = try await server.put(Self.content)
      #expect(try await server.send("GET", inbox + "?\(name)=1").status == 200)
    }
  }

  @Test func `a window may begin past the end of every list`() async throws {
    try await TestService.run { server in
      _ = try await server.put(Self.content)
      let path = inbox + "?window=at:99999999999999999999:5"
      #expect("\(try await server.send("GET", path).json["sections"])" == "[]")
    }
  }

  @Test func `members of a header that are named as the numbers of a section stay its own`()
    async throws
  {
    func content(_ items: String) -> String {
      #"{"sections":[{"id":"s","total":"9 €","items":[\#(items)]},{"id":"t","items":[]}]}"#
    }
    try await TestService.run { server in
      let first = try await server.put(content(#"{"id":"a"},{"id":"b"}"#))
      let path = inbox + "?window=first:1"
      let sections = try await server.send("GET", path).json["sections"]
      #expect("\(sections)" == #"[{"id":"s","total":"9 €","items":[{"id":"a"}]}]"#)
      // The section was shown in part, and now is whole.
      _ = try await server.put(content(#"{"id":"a"}"#))
      let query = "?since=\(first)&window=first:1&dialect=json-patch"
      let patch = try await server.send("GET", inbox + "/delta" + query)
      #expect(patch.status == 200 && !patch.text.contains("/sections/"), "\(patch.text)")
    }
  }

  @Test func `without a store a view's reader is told what changed as long as the version is kept`()
    async throws
  {
    try await TestService.run { server in
      func items(_ changed: Int) -> String {
        let items = (0..<12).map { #"{"id":"\#($0)","n":\#($0 == changed % 12 ? changed : -1)}"# }
        return "[" + items.joined(separator: ",") + "]"
      }
      var versions: [String] = []
      for number in 0..<60 { versions.append(try await server.put(items(number))) }
      for (index, version) in versions.enumerated().dropLast() {
        for view in ["where=/n:ge:0", "where=/n:lt:0&select=/id", "order=/n&window=first:3"] {
          let answer = try await server.send(
            "GET", inbox + "/delta?since=\(version)&\(view)")
          let kind = answer.json["kind"].string
          #expect(kind == "delta" || kind == "unchanged", "\(index) \(view): \(answer.text)")
        }
      }
    }
  }

  // MARK: Views that are imposed

  private func impose(_ configuration: inout DeltaServerConfiguration) {
    let keys = [
      Keys.line("writer", "write:**"),
      Keys.line("viewer", "read:u42/inbox?where=/unread:eq:true&select=/n"),
    ].joined(separator: "\n")
    configuration.authenticator = try? Authenticator(.text(keys), now: { 0 })
  }

  @Test func `what an imposed view hides is in no answer, number or list`() async throws {
    try await TestService.run(impose) { server in
      let writer = Keys.field("writer")
      let viewer = Keys.field("viewer")
      let put = try await server.send(
        "PUT", inbox, writer,
        #"[{"id":"a","n":1,"unread":true,"secret":"s"},{"id":"hidden","n":2,"secret":"s"}]"#)
      let first = try #require(put["Collection-Version"])
      let edits = ["Content-Type": "application/vnd.livedelta.edits+json"]
      for query in ["", "?where=/n:ge:0", "?order=/secret", "?window=around:hidden:5:5"] {
        let text = try await server.send("GET", inbox + query, viewer).text
        #expect(!text.contains("secret") && !text.contains("\"id\":\"hidden\""), "\(text)")
        #expect(text.contains(#""total":1"#))
      }
      let held = try #require(try await server.send("GET", inbox, viewer)["Collection-Version"])
      for query in ["where=/secret:exists", "where=/secret:eq:s", "where=/unread:exists"] {
        let answer = try await server.send("GET", inbox + "?" + query, viewer)
        #expect("\(answer.json["view"])" == #"{"total":0,"start":0,"count":0}"#)
      }
      _ = try await server.send(
        "PATCH", inbox, writer.merging(edits) { $1 },
        #"{"edits":[{"op":"merge","id":"a","value":{"unread":false}},{"op":"delete","ids":["hidden"]}]}"#
      )
      // The writer's token was not given under the reader's restriction.
      let other = try await server.send("GET", inbox + "/delta?since=\(first)", viewer).json
      #expect(other["reset"]["reason"].string == "view-changed")
      let delta = try await server.send("GET", inbox + "/delta?since=\(held)", viewer).json
      #expect("\(delta["deleted"]) \(delta["left"])" == #"["a"] []"#)
      for (method, path) in [
        ("GET", "/v1/clients/u42/collections"), ("PUT", inbox), ("DELETE", inbox),
      ] {
        let answer = try await server.send(method, path, viewer, method == "PUT" ? "[]" : nil)
        #expect(answer.status == 403, "\(method) \(path)")
      }
    }
  }
}
