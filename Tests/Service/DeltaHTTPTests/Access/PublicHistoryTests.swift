import Authentication
import CollectionService
import HTTPTestSupport
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// What strangers read of a collection's past, and what a reset of theirs looks like.
@Suite struct PublicHistoryTests {
  private let inbox = TestService.inbox
  private let writer = Keys.field("writer")
  private let strict = ["Prefer": "handling=strict"]

  private func configure(_ configuration: inout DeltaServerConfiguration) {
    let keys = [
      Keys.line("writer", "write:**"), Keys.line("viewer", "read:u42/inbox?where=/n:eq:1"),
    ]
    configuration.authenticator = try? Authenticator(
      .text(keys.joined(separator: "\n")), now: { 0 })
  }

  private func put(_ items: String, _ server: TestService) async throws -> String {
    let answer = try await server.send("PUT", inbox, writer, items)
    return try #require(answer["Collection-Version"], "\(answer.text)")
  }

  private func set(_ audience: String, _ server: TestService) async throws {
    let answer = try await server.send(
      "PATCH", inbox + "/settings",
      writer.merging(["Content-Type": "application/merge-patch+json"]) { $1 },
      #"{"audience":"\#(audience)"}"#)
    #expect(answer.status == 200, "\(answer.text)")
  }

  // MARK: History

  @Test(arguments: [false, true])
  func `strangers read no version from before the collection became public`(isInline: Bool)
    async throws
  {
    try await TestService.run(configure) { server in
      let secret = try await put(#"[{"id":"a","n":1}]"#, server)
      var first = try await put(#"[{"id":"a","n":1},{"id":"b","n":1}]"#, server)
      if isInline {
        first = try await put(
          #"{"items":[{"id":"a","n":1},{"id":"b","n":1},{"id":"c","n":1}],"settings":{"audience":"public"}}"#,
          server
        )
      } else {
        try await set("public", server)
      }
      let second = try await put(
        #"[{"id":"a","n":1},{"id":"b","n":1},{"id":"c","n":1},{"id":"d","n":1}]"#, server)
      for fields in [[:], Keys.field("viewer")] {
        for path in [
          "?version=\(secret)", "/delta?from=\(secret)&to=\(second)",
          "/delta?from=\(second)&to=\(secret)", "?version=\(secret)&where=/n:eq:1",
          "/delta?from=\(secret)&to=\(second)&select=/n",
        ] {
          let gone = try await server.send("GET", inbox + path, fields)
          #expect(gone.status == 410 && gone.json["code"].string == "history-compacted", "\(path)")
          #expect(gone.json["detail"].string?.hasSuffix(first) == true, "\(gone.text)")
        }
        for query in ["", "&where=/n:eq:1", "&dialect=splice", "&wait=1", "&window=first:5"] {
          let reset = try await server.send("GET", inbox + "/delta?since=\(secret)" + query, fields)
          #expect(reset.json["kind"].string == "snapshot", "\(reset.text)")
          #expect(reset.json["reset"]["reason"].string == "history-compacted")
          #expect(reset.json["reset"]["oldest"].string == first)
          #expect(reset["Cache-Control"] == "no-store")
        }
        let events = try await server.send(
          "GET", inbox + "/delta?closeafter=event&since=\(secret)",
          fields.merging(["Accept": "text/event-stream"]) { $1 })
        #expect(events.text.contains(#""reason":"history-compacted""#))
        #expect(
          try await server.send(
            "GET", inbox + "/delta?since=\(secret)", fields.merging(strict) { $1 }
          )
          .status == 410)
        for path in [
          "?version=\(first)", "/delta?from=\(first)&to=\(second)", "/delta?since=\(first)",
        ] {
          let answer = try await server.send("GET", inbox + path, fields)
          #expect(answer.status == 200 && answer["Cache-Control"]?.hasPrefix("public") == true)
        }
      }
      // Whoever may read all of it still can, and no shared cache keeps that.
      for path in [
        "?version=\(secret)", "/delta?from=\(secret)&to=\(second)", "/delta?since=\(secret)",
      ] {
        let own = try await server.send("GET", inbox + path, writer)
        #expect(own.status == 200 && own["Cache-Control"]?.hasPrefix("private") == true, "\(path)")
      }
    }
  }

  @Test func `what was public before stays unread once it is public again`() async throws {
    try await TestService.run(configure) { server in
      let old = try await put(#"{"items":[{"id":1}],"settings":{"audience":"public"}}"#, server)
      // Setting it again changes nothing.
      try await set("public", server)
      let next = try await put(#"[{"id":1},{"id":2}]"#, server)
      #expect(try await server.send("GET", inbox + "?version=\(old)").status == 200)
      try await set("private", server)
      let between = try await put(#"[{"id":1},{"id":2},{"id":3}]"#, server)
      try await set("public", server)
      for version in [old, next] {
        #expect(try await server.send("GET", inbox + "?version=\(version)").status == 410)
      }
      #expect(try await server.send("GET", inbox + "?version=\(between)").status == 200)
      let shown = try await server.send("GET", inbox + "/settings", writer)
      #expect(!shown.text.contains("publicSince"))
      let refused = try await server.send(
        "PUT", inbox + "/settings", writer, #"{"audience":"public","publicSince":1}"#)
      #expect(refused.status == 422)
    }
  }

  // MARK: Renewal marks

  /// The version without the mark that it must have.
  private func unmarked(_ version: String?) throws -> (token: String, mark: String) {
    let token = try #require(version.flatMap { VersionToken($0) }, "\(version ?? "none")")
    let mark = try #require(token.mark, "\(token)")
    #expect(mark.kind == .renewal)
    return (token.plain.description, mark.description)
  }

  @Test func `a lost history is reset to a version with a mark, the same within a second`()
    async throws
  {
    let clock = ManualClock()
    try await TestService.run({
      configure(&$0)
      $0.time = TimeSource(clock, date: { 0 })
    }) { server in
      let head = try await put(#"{"items":[{"id":1}],"settings":{"audience":"public"}}"#, server)
      let lineage = head.split(separator: ".")[0]
      let lost = "\(lineage).1.AAAAAAAAAAAAAAAA"
      let other = "other.7.AAAAAAAAAAAAAAAA"
      var marks: Set<String> = []
      for second in 0..<3 {
        var marksOfSecond: Set<String> = []
        for (since, reason) in [(lost, "diverged"), (other, "lineage-changed")] {
          for query in ["", "&where=/id:exists", "&dialect=splice"] {
            let reset = try await server.send("GET", inbox + "/delta?since=\(since)" + query)
            #expect(reset.json["reset"]["reason"].string == reason)
            #expect(reset.json["reset"]["since"].string == since)
            let (token, mark) = try unmarked(reset.json["version"].string)
            #expect(token == head && reset["Collection-Version"] == head + "." + mark)
            #expect(reset["Cache-Control"] == "no-store")
            marksOfSecond.insert(mark)
          }
          let events = try await server.send(
            "GET", inbox + "/delta?closeafter=event&since=\(since)",
            ["Accept": "text/event-stream"])
          #expect(events.text.contains("id: \(head).\(marksOfSecond.first ?? "")\n"))
        }
        #expect(marksOfSecond.count == 1, "\(second)")
        marks.formUnion(marksOfSecond)
        clock.advance(by: .seconds(1))
      }
      #expect(marks.count == 3)
    }
  }

  @Test func `a marked version is the version, and is repeated as it was sent`() async throws {
    try await TestService.run(configure) { server in
      let head = try await put(#"{"items":[{"id":1}],"settings":{"audience":"public"}}"#, server)
      let marked = head + ".rAbCd-_09"
      for (query, version) in [(marked, marked), (head, head)] {
        for view in ["", "&where=/id:exists"] {
          let same = try await server.send("GET", inbox + "/delta?since=\(query)" + view)
          #expect(same.json["kind"].string == "unchanged", "\(same.text)")
          #expect(same.json["version"].string == version)
        }
      }
      let next = try await put(#"[{"id":1},{"id":2}]"#, server)
      for view in ["", "&where=/id:exists", "&items=patch", "&dialect=ops", "&window=first:3"] {
        // One after the other: neither is given what was encoded for the other.
        for since in [marked, head, marked, head + ".r00000000"] {
          let delta = try await server.send("GET", inbox + "/delta?since=\(since)" + view)
          #expect(delta.json["kind"].string == "delta", "\(delta.text)")
          #expect(delta.json["from"].string == since && delta.json["to"].string == next)
          #expect(delta["Cache-Control"]?.hasPrefix("public, ") == true)
        }
      }
      let patch = try await server.send(
        "GET", inbox + "/delta?since=\(marked)&dialect=json-patch")
      #expect(patch.text.contains(marked) && !patch.text.contains("\(head)\""))
      let between = try await server.send(
        "GET", inbox + "/delta?from=\(marked)&to=\(next).r00000000")
      #expect(between.json["from"].string == marked && between.json["to"].string == next)
      #expect(
        try await server.send("GET", inbox + "?version=\(marked)").json["version"].string == head)
    }
  }

  @Test func `a marked version counts in preconditions as the version`() async throws {
    try await TestService.run { server in
      var head = try await server.put("[]")
      func mark() -> String { head + ".r12345678" }
      for number in 1...3 {
        for name in ["If-Match", "Collection-If-Version"] {
          let fields = [name: name == "If-Match" ? "\"\(mark())\"" : mark()]
          let answer = try await server.send(
            "PUT", inbox, fields, #"[{"id":"\#(number)\#(name)"}]"#)
          #expect(answer.status == 200, "\(answer.text)")
          head = try #require(answer["Collection-Version"])
        }
      }
      let same = try await server.send("GET", inbox, ["If-None-Match": "\"\(mark())\""])
      #expect(same.status == 304)
      #expect(try await server.send("GET", inbox, ["If-Match": "\"\(mark())\""]).status == 200)
      let batch = #"{"writes":[{"collection":"inbox","put":[],"ifVersion":"\#(mark())"}]}"#
      #expect(try await server.send("POST", "/v1/clients/u42/batch", [:], batch).status == 200)
      head = try #require(try await server.send("GET", inbox)["Collection-Version"])
      let revert = #"{"to":"\#(mark())"}"#
      #expect(try await server.send("POST", inbox + "/revert", [:], revert).status == 200)
      head = try #require(try await server.send("GET", inbox)["Collection-Version"])
      let sync = #"{"collections":{"inbox":"\#(mark())"}}"#
      let news = try await server.send("POST", "/v1/clients/u42/sync", [:], sync)
      #expect(news.json["unchanged"][0].string == "inbox", "\(news.text)")
      // In a private collection nothing is marked.
      let reset = try await server.send("GET", inbox + "/delta?since=other.1.AAAAAAAAAAAAAAAA")
      #expect(reset.json["version"].string == head)
      let refused = try await server.send(
        "GET", inbox + "/delta?since=other.1.AAAAAAAAAAAAAAAA", strict)
      #expect(refused.status == 410 && refused.json["next"].string == nil)
    }
  }

  @Test func `a refused delta leads to a snapshot that no cache has`() async throws {
    try await TestService.run(configure) { server in
      let head = try await put(#"{"items":[{"id":1}],"settings":{"audience":"public"}}"#, server)
      let lost = "/delta?since=other.1.AAAAAAAAAAAAAAAA&wait=0&where=/id:exists&dialect=splice"
      let refused = try await server.send("GET", inbox + lost, strict)
      #expect(refused.status == 410 && refused.json["code"].string == "lineage-changed")
      let next = try #require(refused.json["next"].string)
      #expect(next.hasPrefix(inbox + "?where=/id:exists&dialect=splice&mark=r"), "\(next)")
      let snapshot = try await server.send("GET", next, strict)
      #expect(snapshot.status == 200 && snapshot["Cache-Control"] == "no-store")
      #expect(snapshot.json["view"]["total"].int == 1)
      let (token, mark) = try unmarked(snapshot.json["version"].string)
      #expect(token == head && snapshot["Collection-Version"] == "\(head).\(mark)")
      for wrong in ["mark=x", "mark=v12345678", "mark=r1234567"] {
        #expect(try await server.send("GET", inbox + "?" + wrong).status == 400)
      }
    }
  }

  @Test func `a stream goes on from the marked version that it was reset to`() async throws {
    try await TestService.run(configure) { server in
      let head = try await put(#"{"items":[{"id":1}],"settings":{"audience":"public"}}"#, server)
      let stream = TestExchange(
        server.reader(), "GET", inbox + "/delta?since=other.1.AAAAAAAAAAAAAAAA",
        ["Accept": "text/event-stream"], nil)
      var text = ""
      var pieces = stream.pieces.makeAsyncIterator()
      while !text.contains("event: snapshot"), let piece = await pieces.next() {
        text += String(decoding: piece, as: UTF8.self)
      }
      let marked = try #require(text.firstMatch(of: /"version":"([^"]+)"/)).1
      #expect(marked.hasPrefix(head + ".r"))
      _ = try await put(#"[{"id":1},{"id":2}]"#, server)
      while !text.contains("event: delta"), let piece = await pieces.next() {
        text += String(decoding: piece, as: UTF8.self)
      }
      #expect(text.contains(#""from":"\#(marked)""#), "\(text)")
    }
  }
}
