import TestSupport
import Testing

/// The example of the protocol in each dialect, to the letter.
///
/// It leads from `today:[m1,m2,m3] earlier:[m4,m5]` to
/// `pinned:[m4,m9] today:[m6,m1,m3'] earlier:[m5]`.
@Suite struct DialectExampleTests {
  private let inbox = TestService.inbox

  /// The delta between the example's versions, without what stands around it.
  private func delta(_ dialect: String) async throws -> String {
    var body = ""
    try await TestService.run { server in
      let from = try await server.put(
        #"{"sections":[{"id":"today","title":"Today","items":[{"id":"m1"},{"id":"m2"},{"id":"m3","title":"Trip","unread":true}]},{"id":"earlier","title":"Earlier","items":[{"id":"m4"},{"id":"m5"}]}]}"#
      )
      let to = try await server.put(
        #"{"sections":[{"id":"pinned","title":"Pinned","items":[{"id":"m4"},{"id":"m9"}]},{"id":"today","title":"Today","items":[{"id":"m6"},{"id":"m1"},{"id":"m3","title":"Trip","unread":false}]},{"id":"earlier","title":"Earlier","items":[{"id":"m5"}]}]}"#
      )
      let answer = try await server.send("GET", inbox + "/delta?since=\(from)&dialect=\(dialect)")
      #expect(answer.status == 200)
      body = answer.text.replacing(from, with: "FROM").replacing(to, with: "TO")
    }
    return body
  }

  private let head = #"{"kind":"delta","collection":"inbox","from":"FROM","to":"TO","seq":2,"#
  private let tail =
    #","items":{"m9":{"id":"m9"},"m6":{"id":"m6"},"m3":{"id":"m3","title":"Trip","unread":false}},"sections":{"pinned":{"id":"pinned","title":"Pinned"}},"deleted":["m2"]}"#

  @Test func `ops are applied one after the other to the items alone`() async throws {
    #expect(
      try await delta("ops")
        == head + #""ops":[["r",1,1],["m",2,0],["i",1,["m9","m6"]],["c",4,["m3"]]]"# + tail)
  }

  @Test func `with headers, ops count a header as a row`() async throws {
    #expect(
      try await delta("ops&headers=1")
        == head
        + #""ops":[["r",2,1],["m",4,0],["i",0,[["s","pinned"]]],["i",2,["m9"]],["i",4,["m6"]],["c",6,["m3"]]]"#
        + tail)
  }

  @Test func `a splice takes out, orders sections, and puts in`() async throws {
    #expect(
      try await delta("splice")
        == head
        + #""order":["pinned","today","earlier"],"removed":["m2","m4"],"added":[["pinned",0,"m4"],["pinned",1,"m9"],["today",0,"m6"]],"changed":["m3"]"#
        + tail)
  }

  @Test func `diffable has all ids in order`() async throws {
    #expect(
      try await delta("diffable")
        == head
        + #""order":[["pinned",["m4","m9"]],["today",["m6","m1","m3"]],["earlier",["m5"]]],"reconfigure":["m3"]"#
        + tail)
  }

  @Test func `a JSON Patch tests the version first and replaces it last`() async throws {
    #expect(
      try await delta("json-patch")
        == #"[{"op":"test","path":"/version","value":"FROM"},"#
        + #"{"op":"remove","path":"/sections/0/items/1"},"#
        + #"{"op":"add","path":"/sections/0","value":{"id":"pinned","title":"Pinned","items":[{"id":"m9"}]}},"#
        + #"{"op":"move","from":"/sections/2/items/0","path":"/sections/0/items/0"},"#
        + #"{"op":"add","path":"/sections/1/items/0","value":{"id":"m6"}},"#
        + #"{"op":"replace","path":"/sections/1/items/2","value":{"id":"m3","title":"Trip","unread":false}},"#
        + #"{"op":"replace","path":"/seq","value":2},{"op":"replace","path":"/version","value":"TO"}]"#
    )
  }

  @Test func `a section's new header replaces the old one and leaves the items`() async throws {
    try await TestService.run { server in
      func patch(_ old: String, _ new: String) async throws -> String {
        let body = #"{"old":{"sections":[\#(old)]},"new":{"sections":[\#(new)]}}"#
        return try await server.send("POST", "/v1/diff?dialect=json-patch", [:], body).text
      }
      let headed = try await patch(
        #"{"id":"a","t":1,"items":[{"id":1}]}"#, #"{"id":"a","u":1,"items":[{"id":1}]}"#)
      #expect(
        headed
          == #"[{"op":"add","path":"/sections/0","value":{"id":"a","u":1}},"#
          + #"{"op":"move","from":"/sections/1/items","path":"/sections/0/items"},"#
          + #"{"op":"remove","path":"/sections/1"}]"#)
      let empty = try await patch(#"{"id":"a","t":1,"items":[]}"#, #"{"id":"a","items":[]}"#)
      #expect(
        empty == #"[{"op":"replace","path":"/sections/0","value":{"id":"a","items":[]}}]"#)
      let equal = try await patch(#"{"id":"a","items":[]}"#, #"{"id":"a","items":[]}"#)
      #expect(equal == "[]")
    }
  }
}
