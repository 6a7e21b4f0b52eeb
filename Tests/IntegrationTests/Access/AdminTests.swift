import Authentication
import CollectionService
import DeltaHTTP
import Foundation
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// What operators do with clients and the store, on the operations listener.
@Suite(.timeLimit(.minutes(10))) struct AdminTests {
  private let inbox = TestServer.inbox

  private func run(
    _ isStored: Bool, _ body: (TestServer) async throws -> Void
  ) async throws {
    if isStored {
      try await TestServer.runOnDisk(body)
    } else {
      try await TestServer.run(store: MemoryStore(), body)
    }
  }

  private func client(_ server: TestServer) -> DeltaClient {
    DeltaClient(server.operations, transport: CurlTransport())
  }

  /// Collections of all kinds: flat, with sections and meta, with rules, with hashes of their own.
  private func fill(_ server: TestServer) async throws {
    let path = "/v1/clients/u42/collections/"
    _ = try await server.put(#"[{"id":1,"t":"a\nb"},{"id":"x"}]"#, to: path + "flat")
    _ = try await server.put(#"[{"id":1},{"id":2}]"#, to: path + "flat")
    _ = try await server.put(
      #"{"sections":[{"id":"s","h":1,"items":[{"id":"a"}]},{"id":"e","items":[]}],"meta":{"m":1}}"#,
      to: path + "sections")
    _ = try await server.put(
      #"{"settings":{"sectionBy":{"path":"/c"},"sortBy":[{"path":"/t"}]},"items":[{"id":1,"c":"y","t":"b"},{"id":2,"c":"y","t":"a"}]}"#,
      to: path + "rules")
    _ = try await server.put(
      #"{"settings":{"identity":"occurrence","idPath":"/k"},"items":[{"k":1},{"k":1}]}"#,
      to: path + "repeated")
    _ = try await server.put(#"[{"id":1,"at":1}]"#, to: path + "ignored")
    let ignored = try await server.send(
      "PATCH", path + "ignored/settings", [:], #"{"equality":{"ignore":["/at"]}}"#)
    #expect(ignored.status == 200)
    let reload = try await server.send(
      "PATCH", path + "sections", ["Content-Type": "application/vnd.livedelta.edits+json"],
      #"{"edits":[{"op":"reload","ids":["a"]}]}"#)
    #expect(reload.status == 200)
  }

  private func export(_ server: TestServer, _ query: String = "") async throws -> String {
    let answer = try await server.send("GET", "/clients/u42/export" + query, on: client(server))
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "application/x-ndjson")
    return answer.text
  }

  private func restore(
    _ text: String, _ server: TestServer, _ query: String = ""
  ) async throws -> ClientResponse {
    try await server.send("POST", "/clients/u42/import" + query, [:], text, on: client(server))
  }

  /// Each reader of the old server goes on with its token at the new one, and the next write gives it
  /// a delta.
  @Test(arguments: [false, true])
  func `a client moves to another server, and its readers go on`(isStored: Bool) async throws {
    let names = ["flat", "ignored", "repeated", "rules", "sections"]
    var (text, versions, contents): (String, [String], [String]) = ("", [], [])
    try await TestServer.run { server in
      try await fill(server)
      text = try await export(server)
      for name in names {
        let answer = try await server.send("GET", "/v1/clients/u42/collections/\(name)")
        versions.append(try #require(answer["Collection-Version"]))
        contents.append(answer.text)
      }
    }
    #expect(text.split(separator: "\n").count == names.count + 2)
    try await run(isStored) { server in
      let answer = try await restore(text, server)
      #expect(answer.status == 200, "\(answer.text)")
      #expect(answer.text == #"{"client":"u42","imported":5,"skipped":0,"last":"sections"}"#)
      for (index, name) in names.enumerated() {
        let path = "/v1/clients/u42/collections/\(name)"
        let unchanged = try await server.send("GET", "\(path)/delta?since=\(versions[index])")
        #expect(unchanged.json["kind"].string == "unchanged", "\(name): \(unchanged.text)")
        #expect(try await server.send("GET", path).text == contents[index])
      }
      #expect(try await export(server) == text)
      let path = "/v1/clients/u42/collections/flat"
      _ = try await server.put("[]", to: path)
      let delta = try await server.send("GET", "\(path)/delta?since=\(versions[0])")
      #expect(delta.json["kind"].string == "delta")
      #expect(delta.json["seq"].int == 3)
      #expect(try await restore(text, server).status == 412)
    }
  }

  /// A version that leaves no room would be followed, a few writes later, by one that is no token.
  @Test(arguments: [false, true])
  func `an import whose version leaves no room is refused, and destroys nothing`(
    isStored: Bool
  ) async throws {
    try await run(isStored) { server in
      let version = try await server.put(#"[{"id":1}]"#)
      let digest = try #require(version.split(separator: ".").last)
      let text = try await export(server)
      let greatest = VersionToken.arrivingSeqMax
      for token in [
        "aaaaaaaa.\(greatest + 1).\(digest)", "aaaaaaaa.999999999999999998.\(digest)",
        "aaaaaaaa.999999999999999999.\(digest)", "aaaaaaaa.1000000000000000000.\(digest)",
        "\(String(repeating: "a", count: 45)).9.\(digest)",
        "\(String(repeating: "a", count: 29)).9.\(digest)",
      ] {
        let moved = text.replacing(version, with: token)
        for query in ["", "?replace=true"] {
          let answer = try await restore(moved, server, query)
          #expect([400, 422].contains(answer.status), "\(token): \(answer.text)")
          #expect(answer.json["errors"][0]["pointer"].string == "/snapshot/version")
        }
        #expect(try await server.send("GET", inbox)["Collection-Version"] == version)
      }
      for token in [
        "aaaaaaaa.\(greatest).\(digest)", "bbbbbbbb.\(greatest - 1).\(digest)",
        "\(String(repeating: "c", count: 28)).4294967294.\(digest)",
      ] {
        let moved = text.replacing(version, with: token)
        let answer = try await restore(moved, server, "?replace=true")
        #expect(answer.status == 200, "\(token): \(answer.text)")
        let start = try #require(
          try await server.send("GET", inbox)["Collection-Version"].flatMap { VersionToken($0) })
        #expect(start.seq == VersionToken(token)?.seq && token.hasPrefix(start.lineage))
        for number in 1...5 {
          let written = try await server.put("[{\"id\":1,\"n\":\(number)}]")
          #expect(VersionToken(written)?.seq == start.seq + number)
          let delta = try await server.send("GET", inbox + "/delta?since=\(start)")
          #expect(delta.json["kind"].string == "delta", "\(delta.text)")
          #expect(delta.json["to"].string == written)
        }
      }
    }
  }

  @Test func `an import that is sent again skips what is there, and an export resumes`()
    async throws
  {
    var text = ""
    try await TestServer.run { server in
      try await fill(server)
      text = try await export(server)
      let lines = text.split(separator: "\n").map(String.init)
      let rest = try await export(server, "?after=ignored").split(separator: "\n").map(String.init)
      #expect(rest.dropFirst().dropLast() == lines[3...5])
      let page = try await export(server, "?after=ignored&limit=1")
      #expect(page.split(separator: "\n").map(String.init) == [lines[0], lines[3]])
    }
    let lines = text.split(separator: "\n").map(String.init)
    try await TestServer.run { server in
      let broken = lines[...2].joined(separator: "\n") + "\n" + lines[3].dropLast(5)
      let first = try await restore(broken, server)
      #expect(first.status == 400)
      #expect(first.json["detail"].string?.hasPrefix("line 4: ") == true)
      #expect(first.json["imported"].int == 2)
      #expect(first.json["last"].string == "ignored")
      let second = try await restore(text, server)
      #expect(second.json["imported"].int == 3)
      #expect(second.json["skipped"].int == 2)
    }
  }

  @Test(arguments: [false, true])
  func `another version is replaced only when that is asked for`(isStored: Bool) async throws {
    var text = ""
    try await TestServer.run { server in
      _ = try await server.put(#"[{"id":1}]"#)
      text = try await export(server)
    }
    try await run(isStored) { server in
      var own = ""
      for count in 1...3 { own = try await server.put(#"[{"id":"own","n":\#(count)}]"#) }
      let refused = try await restore(text, server)
      #expect(refused.status == 412)
      #expect(refused.json["code"].string == "collection-exists")
      #expect(refused.json["current"].string == own)
      let unclear = try await restore(text, server, "?replace=yes")
      #expect(unclear.status == 400 && unclear.json["code"].string == "bad-parameter")
      let poll = server.reader()
      let waiting = Task { [own] in
        try await server.send("GET", inbox + "/delta?since=\(own)&wait=50", on: poll)
      }
      try await server.untilParked()
      #expect(try await restore(text, server, "?replace=true").json["imported"].int == 1)
      let reset = try await waiting.value
      #expect(reset.json["reset"]["reason"].string == "lineage-changed")
      let versions = try await server.send("GET", inbox + "/versions")
      #expect(versions.json["versions"].elements.count == 1)
      // A later version of the same lineage gives way to an older one, too.
      let later = try await server.put(#"[{"id":2}]"#)
      #expect(try await restore(text, server, "?replace=true").json["imported"].int == 1)
      let ahead = try await server.send("GET", inbox + "/delta?since=\(later)")
      #expect(ahead.json["reset"]["reason"].string == "diverged")
      let next = try await server.put(#"[{"id":3}]"#)
      #expect(next != later)
      #expect(try await server.send("GET", inbox).json["sections"].elements.count == 1)
    }
  }

  @Test func `content that is not that of its version is a diverged version`() async throws {
    var (text, version) = ("", "")
    try await TestServer.run { server in
      version = try await server.put(#"[{"id":"before"}]"#)
      text = try await export(server)
    }
    try await TestServer.run { server in
      let changed = text.replacing("before", with: "after1")
      #expect(try await restore(changed, server).json["imported"].int == 1)
      let delta = try await server.send("GET", inbox + "/delta?since=\(version)")
      #expect(delta.json["reset"]["reason"].string == "diverged")
      #expect(try await restore(changed, server).json["skipped"].int == 1)
    }
  }

  @Test(arguments: [
    "{", "[]", "7", #"{"format":"other"}"#, #"{"snapshot":{}}"#, #"{"snapshot":[],"settings":{}}"#,
    #"{"snapshot":{"collection":"a","version":"x"}}"#,
    #"{"snapshot":{"collection":"a/b","version":"abc.1.0123456789abcdef","sections":[]}}"#,
    #"{"snapshot":{"collection":"a","version":"abc.1.0123456789abcdef"}}"#,
    #"{"overrides":"0","snapshot":{"collection":"a","version":"abc.1.0123456789abcdef","sections":[]}}"#,
    #"{"overrides":"zz","snapshot":{"collection":"a","version":"abc.1.0123456789abcdef","sections":[]}}"#,
    #"{"overrides":"00ff","snapshot":{"collection":"a","version":"abc.1.0123456789abcdef","sections":[]}}"#,
    #"{"settings":{"idPath":7},"snapshot":{"collection":"a","version":"abc.1.0123456789abcdef","sections":[]}}"#,
  ])
  func `a line that is none is refused, with its number`(_ line: String) async throws {
    try await TestServer.run { server in
      let answer = try await restore("\n" + line, server)
      #expect([400, 422].contains(answer.status), "\(answer.text)")
      #expect(answer.json["detail"].string?.hasPrefix("line 2: ") == true, "\(answer.text)")
      #expect(try await server.send("GET", "/v1/clients").json["clients"].elements.isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `clients are listed by size and readers, and deleted`(isStored: Bool) async throws {
    try await run(isStored) { server in
      for name in ["u41", "u42", "u43"] {
        _ = try await server.put(#"[{"id":1},{"id":2}]"#, to: "/v1/clients/\(name)/collections/a")
      }
      let version = try await server.put("[]")
      let poll = server.reader()
      let waiting = Task {
        try await server.send("GET", inbox + "/delta?since=\(version)&wait=50", on: poll)
      }
      try await server.untilParked()
      let operations = client(server)
      let page = try await server.send("GET", "/clients?limit=1&cursor=u41", on: operations)
      let entry = page.json["clients"].elements[0]
      #expect(entry["client"].string == "u42")
      #expect(entry["collections"].int == 2)
      #expect(entry["items"].int == 2)
      #expect((entry["bytes"].int ?? 0) > 0)
      #expect(entry["readers"].int == 1)
      #expect(page.json["next"].string == "u42")
      let list = try await server.send("GET", "/clients/u42?cursor=a", on: operations)
      let collection = list.json["collections"].elements[0]
      #expect(collection["name"].string == "inbox")
      #expect(collection["version"].string == version)
      #expect(collection["readers"].int == 1)
      #expect(try await server.send("DELETE", "/clients/u42", on: operations).status == 204)
      #expect(try await waiting.value.json["kind"].string == "deleted")
      let left = try await server.send("GET", "/clients", on: operations)
      #expect(left.json["clients"].elements.map { $0["client"].string } == ["u41", "u43"])
    }
  }

  @Test func `a compaction frees what was deleted, and readers notice nothing`() async throws {
    try await TestServer.runOnDisk { server in
      let item = String(repeating: "x", count: 1000)
      let items = (1...200).map { #"{"id":\#($0),"t":"\#(item)"}"# }.joined(separator: ",")
      for name in ["a", "b", "c"] {
        _ = try await server.put("[\(items)]", to: "/v1/clients/u42/collections/\(name)")
      }
      let version = try await server.put("[]")
      let next = try await server.put(#"[{"id":1}]"#)
      let operations = client(server)
      #expect(try await server.send("DELETE", "/v1/clients/u42/collections/a").status == 204)
      let answer = try await server.send("POST", "/compact", on: operations)
      #expect(answer.status == 200, "\(answer.text)")
      #expect(answer.json["after"]["logBytes"].int == 0)
      #expect((answer.json["after"]["databaseBytes"].int ?? 0) > 0)
      let delta = try await server.send("GET", inbox + "/delta?since=\(version)")
      #expect(delta.json["kind"].string == "delta")
      #expect(delta.json["to"].string == next)
      #expect(try await server.send("POST", "/compact", on: operations).status == 200)
    }
  }

  @Test func `an export ends, without its last line, when its key is withdrawn`() async throws {
    let file = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let goes = Keys.line("goes", "admin write:**")
    try goes.write(toFile: file, atomically: true, encoding: .utf8)
    let authenticator = try Authenticator(.file(file), now: { 0 })
    try await TestServer.run({ $0.authenticator = authenticator }) { server in
      // More than sockets hold.
      let body = #"[{"id":1,"t":"\#(String(repeating: "x", count: 1 << 19))"}]"#
      for number in 1...24 {
        let path = "/v1/clients/u42/collections/\(number)"
        let put = try await server.send("PUT", path, Keys.field("goes"), body)
        #expect(put.status == 201)
      }
      let whole = try await server.send(
        "GET", "/clients/u42/export", Keys.field("goes"), on: client(server))
      #expect(whole.text.hasSuffix("{\"end\":true,\"collections\":24}\n"))
      let connection = try RawConnection(server.operations)
      await connection.send("GET", "/clients/u42/export", Keys.field("goes"))
      #expect(try await connection.head().status == 200)
      #expect(await connection.chunk() != nil)
      try Keys.line("stays", "admin").write(toFile: file, atomically: true, encoding: .utf8)
      authenticator.refresh()
      #expect(await connection.block(endingWith: "\"end\":true") == nil)
    }
  }

  @Test func `an import stops at the line before which its key expires`() async throws {
    let running = Mutex<TestServer?>(nil)
    // The first collection takes until the key has expired.
    let authenticator = try Authenticator(
      .text(Keys.line("a", "admin write:** expires=1970-01-02") + "\n" + Keys.line("b", "read:**")),
      now: {
        let count = running.withLock { $0?.server.service.counters.collections.value }
        return count ?? 0 > 0 ? 86_400 : 0
      })
    try await TestServer.run({ $0.authenticator = authenticator }) { server in
      running.withLock { $0 = server }
      defer { running.withLock { $0 = nil } }
      let version = "abc.1.0123456789abcdef"
      let lines = ["a", "b"].map {
        #"{"settings":{},"snapshot":{"collection":"\#($0)","version":"\#(version)","sections":[]}}"#
      }
      let answer = try await server.send(
        "POST", "/clients/u42/import", Keys.field("a"), lines.joined(separator: "\n"),
        on: client(server))
      #expect(answer.status == 401)
      #expect(answer.json["code"].string == "token-expired")
      #expect(answer.json["imported"].int == 1)
      let path = "/v1/clients/u42/collections/b"
      #expect(try await server.send("GET", path, Keys.field("b")).status == 404)
    }
  }

  @Test func `requests of the operations listener that take no body get none`() async throws {
    try await TestServer.run { server in
      let body = String(repeating: " ", count: 5000)
      let answer = try await server.send("POST", "/compact", [:], body, on: client(server))
      #expect(answer.status == 413)
      #expect(try await server.send("PUT", "/compact", on: client(server)).status == 405)
      #expect(try await server.send("GET", "/clients/a%2Fb", on: client(server)).status == 404)
      #expect(try await server.send("GET", "/clients//export", on: client(server)).status == 404)
    }
  }
}
