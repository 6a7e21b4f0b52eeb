import TestSupport
import Testing

@Suite struct PatchTests {
  private let inbox = TestService.inbox
  private let edits = ["Content-Type": "application/vnd.livedelta.edits+json"]

  @Test func `edits are one version and one delta`() async throws {
    try await TestService.run { server in
      let first = try await server.put(#"[{"id":"a"},{"id":"b"}]"#)
      let answer = try await server.send(
        "PATCH", inbox, edits.merging(["Prefer": "return=delta"]) { $1 },
        #"{"edits":[{"op":"append","items":[{"id":"c"}]},{"op":"merge","id":"a","value":{"x":1}},{"op":"delete","ids":["b"]}]}"#
      )
      #expect(answer.status == 200)
      #expect(answer.json["from"].string == first)
      #expect(
        "\(answer.json["steps"])"
          == #"[{"delete":{"items":[[0,1]]},"insert":{"items":[[0,1,"c"]]},"reload":{"items":[[0,0,"a"]]},"counts":[2]}]"#
      )
    }
  }

  @Test func `a POST of edits is a PATCH, for clients that cannot send one`() async throws {
    try await TestService.run { server in
      let body = #"{"edits":[{"op":"append","items":[{"id":"b"}]}]}"#
      let missing = try await server.send("POST", inbox, edits, body)
      #expect(missing.status == 404)
      let first = try await server.put(#"[{"id":"a"}]"#)
      let typed = ["Content-Type": "Application/vnd.LiveDelta.edits+json; charset=utf-8"]
      let conditional = typed.merging(["If-Match": "\"\(first)\""]) { $1 }
      let done = try await server.send("POST", inbox, conditional, body)
      #expect(done.status == 200)
      #expect(done.json["previous"].string == first)
      #expect("\(done.json["counts"]["inserted"])" == "1")
      #expect(try await server.send("POST", inbox, conditional, body).status == 412)
      let patch = ["Content-Type": "application/json-patch+json", "If-Match": "*"]
      #expect(try await server.send("POST", inbox, patch, "[]").status == 415)
    }
  }

  @Test func `an edit that does not fit is 409, with a pointer to it`() async throws {
    try await TestService.run { server in
      let missing = try await server.send("PATCH", inbox, edits, #"{"edits":[]}"#)
      #expect(missing.status == 404)
      let first = try await server.put(#"[{"id":"a"}]"#)
      let answer = try await server.send(
        "PATCH", inbox, edits,
        #"{"edits":[{"op":"delete","ids":["a"]},{"op":"delete","ids":["b"]}]}"#)
      #expect(answer.status == 409)
      #expect(answer.json["code"].string == "edit-conflict")
      #expect(answer.json["current"].string == first)
      #expect(answer.json["errors"][0]["pointer"].string == "/edits/1")
      let none = try await server.send("PATCH", inbox, edits, #"{"edits":[{"op":"x"}]}"#)
      #expect(none.status == 422)
      let late = try await server.send(
        "PATCH", inbox, edits.merging(["If-Match": "\"x\""]) { $1 }, #"{"edits":[]}"#)
      #expect(late.status == 412)
      #expect(try await server.send("GET", inbox)["Collection-Version"] == first)
    }
  }

  @Test func `the section of a flat list is named by the empty id`() async throws {
    try await TestService.run { server in
      _ = try await server.put(#"[{"id":"a"},{"id":"b"}]"#)
      let answer = try await server.send(
        "PATCH", inbox, edits.merging(["Prefer": "return=representation"]) { $1 },
        #"{"edits":[{"op":"insertSection","id":"x","first":true},{"op":"move","ids":["b"],"section":"","first":true},{"op":"append","section":"","items":[{"id":"c"}]},{"op":"moveSection","id":"","first":true}]}"#
      )
      #expect(
        "\(answer.json["sections"])"
          == #"[{"id":"","items":[{"id":"b"},{"id":"a"},{"id":"c"}]},{"id":"x","items":[]}]"#)
    }
  }

  @Test func `other languages of edits are refused, with the one there is`() async throws {
    try await TestService.run { server in
      let version = try await server.put(#"[{"id":"a"}]"#)
      let patch = #"[{"op":"remove","path":"/sections/0/items/0"}]"#
      for type in ["application/json-patch+json", "application/merge-patch+json", nil] {
        let fields = type.map { ["Content-Type": $0] } ?? [:]
        let answer = try await server.send("PATCH", inbox, fields, patch)
        #expect(answer.status == 415)
        #expect(answer["Accept-Patch"] == "application/vnd.livedelta.edits+json")
      }
      #expect(try await server.send("GET", inbox)["Collection-Version"] == version)
    }
  }
}
