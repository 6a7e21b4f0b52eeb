import CollectionService
import HTTPTestSupport
import TestSupport
import Testing

@testable import DeltaHTTP

/// A member that stands twice is refused in every JSON that is taken.
@Suite struct RepeatedMemberTests {
  private let inbox = TestService.inbox
  private let client = "/v1/clients/u42"
  private static let edits = ["Content-Type": "application/vnd.livedelta.edits+json"]

  @Test(
    arguments: [
      ("PATCH", "", #"{"edits":[],"edits":[{"op":"delete","ids":["1"]}]}"#, "/edits"),
      ("PATCH", "", #"{"edits":[{"op":"reload","op":"delete","ids":["1"]}]}"#, "/edits/0/op"),
      ("PATCH", "", #"{"edits":[{"op":"delete","ids":[],"ids":["1"]}]}"#, "/edits/0/ids"),
      ("PATCH", "", #"{"edits":[{"op":"delete","\u006fp":"reload","ids":["1"]}]}"#, "/edits/0/op"),
      (
        "PATCH", "",
        #"{"edits":[{"op":"insertSection","id":"s","last":true,"title":"a","title":"b"}]}"#,
        "/edits/0/title"
      ),
      (
        "PATCH", "", #"{"edits":[{"op":"append","section":"","items":[{"id":1,"id":2}]}]}"#,
        "/edits/0/items/0/id"
      ),
      (
        "PATCH", "", #"{"edits":[{"op":"merge","id":"1","value":{"a":{"b":1,"b":2}}}]}"#,
        "/edits/0/value/a/b"
      ),
      (
        "PATCH", "", #"{"edits":[{"op":"updateSection","id":"s","value":{"t":1,"t":2}}]}"#,
        "/edits/0/value/t"
      ),
      ("PUT", "", #"{"items":[],"meta":{"a":[{"b":1,"b":2}]}}"#, "/meta/a/0/b"),
      ("PUT", "", #"{"sections":[{"id":"s","h":1,"h":2,"items":[]}]}"#, "/sections/0/h"),
      ("PUT", "", #"{"sections":[{"id":"s","items":[],"items":[]}]}"#, "/sections/0/items"),
      ("PUT", "", #"{"items":[],"items":[]}"#, "/items"),
      ("PUT", "", #"{"items":[],"kind":"snapshot","kind":"x"}"#, "/kind"),
      ("PUT", "", #"{"items":[],"seq":1,"seq":2}"#, "/seq"),
      ("PUT", "", #"{"items":[],"settings":{},"settings":{"audience":"public"}}"#, "/settings"),
      (
        "PUT", "", #"{"items":[],"settings":{"audience":"private","audience":"public"}}"#,
        "/settings/audience"
      ),
      ("PUT", "/settings", #"{"audience":"private","audience":"public"}"#, "/audience"),
      ("PUT", "/settings", #"{"retention":{"versions":1,"versions":2}}"#, "/retention/versions"),
      ("PUT", "/settings", #"{"sectionBy":{"path":"/a","path":"/b"}}"#, "/sectionBy/path"),
      ("PUT", "/settings", #"{"sortBy":[{"path":"/a","path":"/b"}]}"#, "/sortBy/0/path"),
      ("PUT", "/settings", #"{"ages":{"delta":1,"delta":2}}"#, "/ages/delta"),
      (
        "PUT", "/settings", #"{"animations":{"rows":{"insert":"fade","insert":"top"}}}"#,
        "/animations/rows/insert"
      ),
      ("PATCH", "/settings", #"{"audience":"private","audience":"public"}"#, "/audience"),
      ("PATCH", "/settings", #"{"retention":{"versions":1,"versions":2}}"#, "/retention/versions"),
      ("POST", "/revert", #"{"to":"VERSION","to":"VERSION"}"#, "/to"),
    ] as [(String, String, String, String)])
  func `a member that stands twice is refused in requests of a collection`(
    _ method: String, _ path: String, _ body: String, _ pointer: String
  ) async throws {
    try await TestService.run { server in
      let version = try await server.put(#"[{"id":1}]"#)
      let body = body.replacing("VERSION", with: version)
      let fields = method == "PATCH" && path.isEmpty ? Self.edits : [:]
      let answer = try await server.send(method, inbox + path, fields, body)
      #expect(answer.status == 422, "\(answer.text)")
      #expect(answer.json["errors"][0]["pointer"].string == pointer, "\(answer.text)")
      #expect(answer.json["detail"].string?.contains("stands twice") == true, "\(answer.text)")
      #expect(try await server.send("GET", inbox)["Collection-Version"] == version)
    }
  }

  @Test(
    arguments: [
      ("/v1/clients/u42/batch", #"{"writes":[],"writes":[]}"#, "/writes"),
      ("/v1/clients/u42/batch", #"{"atomic":true,"atomic":false,"writes":[]}"#, "/atomic"),
      (
        "/v1/clients/u42/batch", #"{"writes":[{"collection":"c","collection":"d","put":[]}]}"#,
        "/writes/0/collection"
      ),
      (
        "/v1/clients/u42/batch", #"{"writes":[{"collection":"c","put":[],"put":[{"id":1}]}]}"#,
        "/writes/0/put"
      ),
      (
        "/v1/clients/u42/batch",
        #"{"writes":[{"collection":"c","edits":[{"op":"reload","op":"delete","ids":[]}]}]}"#,
        "/writes/0/edits/0/op"
      ),
      ("/v1/clients/u42/sync", #"{"collections":{},"collections":{"inbox":null}}"#, "/collections"),
      (
        "/v1/clients/u42/sync", #"{"collections":{"inbox":null,"inbox":null}}"#,
        "/collections/inbox"
      ),
      ("/v1/clients/u42/sync", #"{"collections":{"inbox":null},"wait":1,"wait":2}"#, "/wait"),
      (
        "/v1/clients/u42/sync", #"{"collections":{"inbox":{"since":null,"since":""}}}"#,
        "/collections/inbox/since"
      ),
      ("/v1/diff", #"{"old":[],"new":[],"new":[]}"#, "/new"),
      ("/v1/diff", #"{"old":{"items":[],"items":[]},"new":[]}"#, "/old/items"),
    ] as [(String, String, String)])
  func `a member that stands twice is refused in other requests`(
    _ path: String, _ body: String, _ pointer: String
  ) async throws {
    try await TestService.run { server in
      let answer = try await server.send("POST", path, [:], body)
      #expect(answer.status == 422, "\(answer.text)")
      #expect(answer.json["errors"][0]["pointer"].string == pointer, "\(answer.text)")
      #expect(answer.text.contains("stands twice"), "\(answer.text)")
    }
  }

  @Test func `a member that stands twice is refused in the view of a sync`() async throws {
    try await TestService.run { server in
      let body = #"{"collections":{"inbox":{"view":{"select":"/a","select":"/b"}}}}"#
      let answer = try await server.send("POST", client + "/sync", [:], body)
      #expect(answer.status == 400)
      #expect(answer.json["errors"][0]["pointer"].string == "/collections/inbox/view/select")
    }
  }

  @Test func `an item is the writer's own, and keeps what stands twice in it`() async throws {
    try await TestService.run { server in
      _ = try await server.put(#"[{"id":1,"a":1,"a":2}]"#)
      #expect(try await server.send("GET", inbox).text.contains(#"{"id":1,"a":1,"a":2}"#))
    }
  }

  @Test func `half of a character is told with its place, the item and the mend`() async throws {
    try await TestService.run { server in
      let version = try await server.put("[]")
      let body = #"[{"id":"x","t":"Good morning \ud83d"}]"#
      let answer = try await server.send("PUT", inbox, [:], body)
      #expect(answer.status == 400 && answer.json["code"].string == "bad-json")
      #expect(answer.json["errors"][0]["pointer"].string == "/0/t")
      let detail = answer.json["detail"].string ?? ""
      for part in ["byte 35", "/0/t", "\"x\"", "toWellFormed()"] {
        #expect(detail.contains(part), "\(detail)")
      }
      #expect(try await server.send("GET", inbox)["Collection-Version"] == version)
    }
  }
}
