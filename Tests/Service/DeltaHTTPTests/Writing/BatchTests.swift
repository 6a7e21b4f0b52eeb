import TestSupport
import Testing

@Suite struct BatchTests {
  private let path = "/v1/clients/u42"

  @Test func `a batch writes all, and tells what came of each`() async throws {
    try await TestService.run { server in
      _ = try await server.put("[]", to: path + "/collections/old")
      let cart = try await server.put(#"[{"id":1}]"#, to: path + "/collections/cart")
      let answer = try await server.send(
        "POST", path + "/batch", [:],
        #"{"writes":[{"collection":"inbox","put":{"items":[{"id":"a"}]}},{"collection":"cart","ifVersion":"\#(cart)","edits":[{"op":"append","items":[{"id":2}]}]},{"collection":"old","delete":true}]}"#
      )
      #expect(answer.status == 200, "\(answer.text)")
      let results = answer.json["results"]
      #expect((0..<3).map { results[$0]["status"].int } == [201, 200, 204])
      #expect((0..<3).map { results[$0]["collection"].string } == ["inbox", "cart", "old"])
      let head = try await server.send("GET", path + "/collections/cart")
      #expect(head["Collection-Version"] == results[1]["version"].string)
      #expect(try await server.send("GET", path + "/collections/old").status == 404)
    }
  }

  @Test func `an atomic batch is all or nothing, with the first failure's status`() async throws {
    try await TestService.run { server in
      let cart = try await server.put(#"[{"id":1}]"#, to: path + "/collections/cart")
      for (write, status, code) in [
        (#"{"collection":"cart","edits":[{"op":"delete","ids":["x"]}]}"#, 409, "edit-conflict"),
        (#"{"collection":"cart","put":[{}]}"#, 422, "bad-snapshot"),
        (
          #"{"collection":"cart","ifVersion":"zzzzzzzz.1.AAAAAAAAAAAAAAAA","delete":true}"#, 412,
          "version-conflict"
        ),
        (#"{"collection":"none","delete":true}"#, 404, "collection-not-found"),
      ] {
        let answer = try await server.send(
          "POST", path + "/batch", [:],
          #"{"atomic":true,"writes":[{"collection":"inbox","put":[]},\#(write)]}"#)
        #expect(answer.status == status)
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(answer.json["code"].string == code)
        #expect(answer.json["results"][0]["status"].int == 424)
        #expect(answer.json["results"][0]["problem"]["code"].string == "not-applied")
        #expect(answer.json["results"][1]["problem"]["code"].string == code)
        #expect(try await server.send("GET", path + "/collections/inbox").status == 404)
      }
      #expect(
        try await server.send("GET", path + "/collections/cart")["Collection-Version"] == cart)
      let each = try await server.send(
        "POST", path + "/batch", [:],
        #"{"atomic":false,"writes":[{"collection":"none","delete":true},{"collection":"inbox","put":[]}]}"#
      )
      #expect(each.status == 200)
      #expect((0..<2).map { each.json["results"][$0]["status"].int } == [404, 201])
    }
  }

  @Test func `a batch that is none is refused with a pointer`() async throws {
    try await TestService.run { server in
      for (body, pointer) in [
        ("{}", ""), (#"{"writes":[1]}"#, "/writes/0/collection"),
        (#"{"writes":[{"collection":"a/b","delete":true}]}"#, "/writes/0/collection"),
        (#"{"writes":[{"collection":"a"}]}"#, "/writes/0"),
        (#"{"writes":[{"collection":"a","put":[],"delete":true}]}"#, "/writes/0"),
        (#"{"writes":[{"collection":"a","put":[],"ifVersion":"x"}]}"#, "/writes/0/ifVersion"),
        (
          #"{"writes":[{"collection":"a","put":[]},{"collection":"a","put":[]}]}"#,
          "/writes/1/collection"
        ),
        (#"{"writes":[],"atomic":1}"#, "/atomic"),
      ] {
        let answer = try await server.send("POST", path + "/batch", [:], body)
        let code = answer.json["code"].string
        #expect(answer.status == (code == "bad-snapshot" ? 422 : 400), "\(body)")
        #expect(["bad-snapshot", "bad-identifier", "bad-token"].contains(code), "\(body)")
        #expect(answer.json["errors"][0]["pointer"].string == pointer, "\(answer.text)")
      }
    }
  }
}
