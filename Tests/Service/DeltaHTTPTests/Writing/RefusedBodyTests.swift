import CollectionService
import DeltaHTTP
import TestSupport
import Testing
import VersionedCollections

/// Refusals of a body say what would be accepted.
@Suite struct RefusedBodyTests {
  @Test(arguments: [
    (#"{"items":[],"title":"Inbox"}"#, "/title", "members of your own go into meta"),
    (
      #"{"items":[],"user":1}"#, "/user",
      "there is no member user; there are sections, items, meta, settings, kind, collection, version, seq, idPath, animations; members of your own go into meta"
    ),
    (#"[{"key":1}]"#, "/0", "the item has no /id; the setting idPath says where ids are"),
    (
      #"{"sections":[{"id":"a","rows":[]}]}"#, "/sections/0",
      "the section has no /items; the setting itemsPath says where items are"
    ),
  ])
  func `a refused snapshot names the member or setting that helps`(
    body: String, pointer: String, hint: String
  ) async throws {
    try await TestService.run { server in
      let answer = try await server.send("PUT", TestService.inbox, [:], body)
      #expect(answer.status == 422)
      #expect(answer.json["code"].string == "bad-snapshot")
      #expect(answer.json["errors"][0]["pointer"].string == pointer)
      #expect(answer.json["detail"].string?.hasSuffix(hint) == true, "\(answer.text)")
    }
  }

  @Test func `a version in If-Match needs no quotes`() async throws {
    try await TestService.run { server in
      let first = try await server.put("[]")
      let put = try await server.send(
        "PUT", TestService.inbox, ["If-Match": first], #"[{"id":1}]"#)
      #expect(put.status == 200)
      let stale = try await server.send("PUT", TestService.inbox, ["If-Match": first], "[]")
      #expect(stale.status == 412)
      // What is not a token matches nothing, and neither does a weak tag (RFC 9110 §13.1.1).
      let second = try #require(put["Collection-Version"])
      for tag in ["x", "W/\"\(second)\"", "W/\(second)"] {
        let answer = try await server.send("PUT", TestService.inbox, ["If-Match": tag], "[]")
        #expect(answer.status == 412, "\(tag)")
      }
    }
  }
}
