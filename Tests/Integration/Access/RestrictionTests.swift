import Authentication
import DeltaHTTP
import Foundation
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import Logging
import StoreSQLite
import TestSupport
import Testing
import VersionedCollections

/// What a restricted reader is shown, and what not.
@Suite(.timeLimit(.minutes(10))) struct RestrictionTests {
  private let inbox = TestServer.inbox
  private let writer = Keys.field("writer")
  private static let edits = ["Content-Type": "application/vnd.livedelta.edits+json"]

  private func run(
    _ reader: String = RestrictedReader.visible, log: RecordedLog = RecordedLog(),
    _ body: (TestServer, RestrictedReader, ChangingKeys) async throws -> Void
  ) async throws {
    let keys = try ChangingKeys(["writer": "write:** admin changes", "reader": reader])
    try await TestServer.runOnDisk(
      { $0.authenticator = keys.authenticator }, logger: log.logger
    ) { server in
      try await body(server, RestrictedReader(server: server, key: "reader"), keys)
    }
  }

  /// Puts a collection; its plain version.
  @discardableResult
  private func put(_ body: String, _ server: TestServer, to name: String = "inbox") async throws
    -> String
  {
    let path = "/v1/clients/u42/collections/\(name)"
    let answer = try await server.send("PUT", path, writer, body)
    #expect(200...201 ~= answer.status, "\(answer.text)")
    return try #require(answer["Collection-Version"])
  }

  private func edit(_ edits: String, _ server: TestServer) async throws -> String {
    let answer = try await server.send(
      "PATCH", inbox, writer.merging(Self.edits) { $1 }, #"{"edits":[\#(edits)]}"#)
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(answer["Collection-Version"])
  }

  @Test func `history and settings are not part of a view, except in a public collection`()
    async throws
  {
    try await run { server, reader, _ in
      for audience in ["private", "public"] {
        let name = "list-\(audience)"
        let reader = RestrictedReader(server: server, key: "reader", name: name)
        let body = #"{"settings":{"audience":"\#(audience)"},"items":\#(RestrictedReader.items)}"#
        try await put(body, server, to: name)
        let first = try await reader.version()
        try await put("[]", server, to: name)
        let second = try await reader.version()
        for rest in [
          "?version=\(first)", "?version=\(second)", "/delta?from=\(first)&to=\(second)",
          "/delta?from=\(first)&to=\(first)", "/settings",
        ] {
          let answer = try await reader.get(rest)
          #expect(answer.status == (audience == "public" ? 200 : 403), "\(rest): \(answer.text)")
          if answer.status == 403 {
            #expect(answer.json["code"].string == "insufficient-scope", "\(answer.text)")
          }
        }
        #expect(first.split(separator: ".").count == (audience == "public" ? 3 : 4))
        #expect(try await reader.get("/versions").status == 200)
      }
    }
  }

  // MARK: What is shown beside items

  private static let grouped = """
    {"settings":{"sectionBy":{"path":"/g","headerFrom":["/h"]},
    "animations":{"rows":{"insert":"fade"},"bySection":{"a":{},"x":{}}}},
    "meta":{"m":1},"items":[{"id":"1","g":"a","h":"HIDDEN","public":false},
    {"id":"2","g":"a","h":"shown","public":true},{"id":"3","g":"x","h":"q","public":false}]}
    """

  @Test func `headers are made from what is in the view, of sections that are in it`() async throws
  {
    try await run { server, reader, keys in
      try await put(Self.grouped, server)
      let first = try await reader.get()
      #expect(!first.text.contains("HIDDEN") && !first.text.contains(#""x""#), "\(first.text)")
      #expect(first.json["sections"][0]["h"].string == "shown")
      #expect(!first.json["meta"].exists && !first.json["animations"].exists)
      // The header that hidden items make is not told, nor that it changed.
      _ = try await edit(#"{"op":"merge","id":"1","value":{"h":"OTHER"}}"#, server)
      let same = try await reader.ask(.poll, try #require(first["Collection-Version"]))
      #expect(same["kind"].string == "unchanged")
      _ = try await edit(#"{"op":"merge","id":"2","value":{"h":"new"}}"#, server)
      let news = try await reader.ask(.poll, try #require(first["Collection-Version"]))
      #expect(news["sections"]["a"]["h"].string == "new", "\(news)")
      for (rest, header) in [("&select=/h,/g", "new"), ("&select=/g", nil)] {
        keys["reader"] = RestrictedReader.visible + rest
        #expect(try await reader.get().json["sections"][0]["h"].string == header, "\(rest)")
      }
    }
  }

  @Test func `show says what is shown beside items`() async throws {
    try await run { server, reader, keys in
      try await put(Self.grouped, server)
      for (show, hasHeader, hasMeta, hasAnimations) in [
        ("", false, false, false), ("headers", true, false, false), ("meta", false, true, false),
        ("animations", false, false, true), ("headers,meta,animations", true, true, true),
      ] {
        keys["reader"] = RestrictedReader.visible + "&show=\(show)"
        for rest in ["", "/delta", "?where=/public:exists", "/delta?dialect=ops"] {
          let json = try await reader.get(rest).json
          #expect(json["sections"][0]["h"].exists == hasHeader, "\(show): \(json)")
          #expect(json["meta"].exists == hasMeta, "\(show): \(json)")
          let animations = json["animations"].ifPresent ?? json["settings"]["animations"]
          #expect(animations.exists == hasAnimations, "\(show): \(json)")
          // Only those of sections that are shown.
          if hasAnimations { #expect(animations["bySection"].keys == ["a"], "\(json)") }
        }
      }
    }
  }

  /// F0 of the third review: a term of the reader's own sees items as the restriction leaves them, also while
  /// somebody waits.
  @Test func `a hidden member is absent to the reader's own terms, whoever waits`() async throws {
    try await run("read:u42/**?select=/title") { server, reader, _ in
      try await put(#"[{"id":"a","t":1},{"id":"b","t":1}]"#, server)
      let held = try await reader.version()
      let events = try reader.follow(.stream, held)
      _ = await events.next()
      _ = try await edit(#"{"op":"append","section":"","items":[{"id":"c","t":1}]}"#, server)
      _ = await events.next()
      for (term, ids) in [("absent", ["c"]), ("ne:1", ["c"]), ("eq:1", []), ("exists", [])] {
        let answer = try await reader.get("/delta?since=\(held)&where=/t:\(term)")
        #expect(answer.json["items"].keys == ids, "\(term): \(answer.text)")
        #expect((answer.json["kind"].string == "delta") == !ids.isEmpty, "\(term)")
        let list = try await reader.get("?where=/t:\(term)").json.shownIDs
        #expect(list == (ids.isEmpty ? [] : ["a", "b", "c"]), "\(term)")
      }
    }
  }

  // MARK: Failing closed

  /// H3 of the third review: what is stored may be deeper than today's limit.
  @Test
  func `a stored item that is deeper than the limit of today is not shown to who may not see it`()
    async throws
  {
    let keys = try ChangingKeys([
      "writer": "write:**", "reader": RestrictedReader.visible,
      "selecting": "read:u42/**?select=/title",
    ])
    let folder = FileManager.default.temporaryDirectory.appending(path: "livedelta-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteStore(directory: folder.path, options: StoreOptions())
    defer { store.close() }
    let deep = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
    let body = """
      [{"id":"h","public":false,"title":"SECRET","x":\(deep)},{"id":"v","public":true,"title":"ok","x":\(deep)}]
      """
    for depthMax in [64, 16] {
      try await TestServer.run(
        {
          $0.authenticator = keys.authenticator
          $0.serviceLimits.depthMax = depthMax
        }, store: store
      ) { server in
        if depthMax == 64 { try await put(body, server) }
        for (key, secret) in [("reader", "SECRET"), ("selecting", deep)] {
          let reader = RestrictedReader(server: server, key: key)
          for rest in ["", "?order=/title", "/delta", "?where=/title:exists", "?window=first:9"] {
            let answer = try await reader.get(rest)
            #expect(!answer.text.contains(secret), "\(key) \(rest)")
            #expect(answer.status == 200 && answer.text.contains("ok"), "\(rest): \(answer.text)")
          }
          let sync = try await reader.ask(.sync, "zzzzzzzz.1.AAAAAAAAAAAAAAAA")
          #expect(!"\(sync)".contains(secret) && "\(sync)".contains("ok"))
        }
      }
    }
  }

  @Test func `restrictions that differ refuse, with a line in the log; equal ones and none do not`()
    async throws
  {
    let log = RecordedLog()
    try await run(log: log) { server, reader, keys in
      try await put(RestrictedReader.items, server)
      let visible = RestrictedReader.visible
      for (scopes, status) in [
        ("\(visible) read:u42/inbox?where=/public:eq:true", 200),
        ("\(visible) read:u42/inbox?where=/public:eq:true&where=/public:eq:true", 200),
        ("\(visible) read:u7/inbox?where=/public:eq:false", 200),
        ("\(visible) read:u42/inbox", 200),
        ("\(visible) read:u42/inbox?where=/public:eq:false", 403),
        ("\(visible) read:u42/*?where=/public:eq:true&show=meta", 403),
        ("\(visible) read:u42/inbox?select=/t", 403),
      ] {
        keys["reader"] = scopes
        let count = log.faults.count
        for rest in ["", "/delta", "/versions"] {
          let answer = try await reader.get(rest)
          #expect(answer.status == status, "\(scopes): \(answer.text)")
          #expect(status == 200 || !answer.text.contains("h1"))
        }
        let sync = try await server.send(
          "POST", "/v1/clients/u42/sync", reader.field, #"{"collections":{"inbox":null}}"#)
        #expect(sync.status == status, "\(scopes): \(sync.text)")
        let lines = log.faults.dropFirst(count).map { $0.metadata["kind"]?.description }
        #expect(status == 403 || lines.isEmpty, "\(scopes)")
        #expect(lines.allSatisfy { $0 == "view" })
        let lists = scopes.hasSuffix("read:u42/inbox")
        #expect(try await reader.get().text.contains("h1") == lists, "\(scopes)")
      }
      // The log has a few lines of a kind each second.
      #expect(!log.faults.isEmpty)
    }
  }

  @Test func `a view that tests a member which equality leaves out is refused and logged`()
    async throws
  {
    let log = RecordedLog()
    try await run(log: log) { server, reader, keys in
      for (ignored, grant, status) in [
        ("/public", RestrictedReader.visible, 403), ("/t", RestrictedReader.visible, 200),
        ("/public/deep", RestrictedReader.visible, 403),
        ("/o", "read:u42/**?where=/o/p:eq:true", 403),
        ("/public", "read:u42/**?select=/public", 200),
      ] {
        keys["reader"] = grant
        let count = log.faults.count
        try await put(
          #"{"settings":{"equality":{"ignore":["\#(ignored)"]}},"items":\#(RestrictedReader.items)}"#,
          server)
        for rest in ["", "/delta", "/versions"] {
          let answer = try await reader.get(rest)
          #expect(answer.status == status, "\(ignored) \(rest): \(answer.text)")
          #expect(status == 200 || answer.json["code"].string == "insufficient-scope")
        }
        let lines = log.faults.dropFirst(count)
        #expect(status == 200 ? lines.isEmpty : !lines.isEmpty, "\(ignored)")
        #expect(
          lines.allSatisfy { $0.metadata["kind"] == "view" && $0.text.contains("equality.ignore") })
      }
    }
  }
}
