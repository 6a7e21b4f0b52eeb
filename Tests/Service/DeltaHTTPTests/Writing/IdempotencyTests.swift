import TestSupport
import Testing

@Suite struct IdempotencyTests {
  private let inbox = TestService.inbox

  @Test func `a request that comes again gets the first answer, and does nothing`() async throws {
    try await TestService.run { server in
      func put(_ key: String, _ body: String) async throws -> TestResponse {
        try await server.send("PUT", inbox, ["Idempotency-Key": key], body)
      }
      let first = try await put("k1", #"[{"id":1}]"#)
      #expect(first.status == 201)
      #expect(first["Idempotency-Replayed"] == nil)
      let second = try await put("k2", #"[{"id":2}]"#)
      #expect(second.status == 200)
      let again = try await put("k1", #"[{"id":1}]"#)
      #expect(again.status == 201)
      #expect(again.body == first.body)
      #expect(again["Location"] == first["Location"])
      #expect(again["Idempotency-Replayed"] == "true")
      #expect(
        try await server.send("GET", inbox)["Collection-Version"] == second["Collection-Version"])
      let reuse = try await put("k1", #"[{"id":3}]"#)
      #expect(reuse.status == 422)
      #expect(reuse.json["code"].string == "idempotency-key-reuse")
      let equal = try await put("k3", #"[{"id":2}]"#)
      #expect(equal.json["changed"].bool == false)
      _ = try await put("k4", "[]")
      #expect(try await put("k3", #"[{"id":2}]"#).body == equal.body)
      let long = try await put(String(repeating: "k", count: 129), "[]")
      #expect(long.status == 400)
    }
  }

  @Test func `settings that are sent again with their key change nothing, and are not refused`()
    async throws
  {
    try await TestService.run { server in
      let version = try await server.put(#"[{"id":2},{"id":1}]"#)
      let body = #"{"sortBy":[{"path":"/id","type":"number"}]}"#
      func patch(_ body: String) async throws -> TestResponse {
        try await server.send(
          "PATCH", inbox + "/settings",
          ["Idempotency-Key": "k", "Collection-If-Version": version], body)
      }
      let first = try await patch(body)
      #expect(first.status == 200 && first["Collection-Version"] != version, "\(first.text)")
      let again = try await patch(body)
      #expect(again.status == 200 && again.body == first.body, "\(again.text)")
      #expect(again["Idempotency-Replayed"] == "true" && first["Idempotency-Replayed"] == nil)
      #expect(again["Collection-Version"] == first["Collection-Version"])
      #expect(try await patch("{}").json["code"].string == "idempotency-key-reuse")
    }
  }

  @Test(arguments: ["return=representation", "return=delta"])
  func `a request that comes again gets the content that was preferred`(preference: String)
    async throws
  {
    try await TestService.run { server in
      func put(_ key: String, _ body: String) async throws -> TestResponse {
        try await server.send(
          "PUT", inbox, ["Idempotency-Key": key, "Prefer": preference], body)
      }
      for (key, body) in [
        ("k1", #"[{"id":1},{"id":2}]"#), ("k2", #"[{"id":2},{"id":1}]"#),
        ("k3", #"[{"id":2},{"id":1}]"#),
      ] {
        let first = try await put(key, body)
        let again = try await put(key, body)
        #expect(again.status == first.status && again.body == first.body, "\(key) \(again.text)")
        #expect(again["Preference-Applied"] == preference)
        #expect(again["Idempotency-Replayed"] == "true")
      }
      // Its contents are in the newest version, too.
      _ = try await server.put(#"[{"id":1},{"id":2},{"id":3}]"#)
      let late = try await put("k2", #"[{"id":2},{"id":1}]"#)
      #expect(late["Preference-Applied"] == preference, "\(late.text)")
      // Now nobody has them any more.
      _ = try await server.put(#"[{"id":1},{"id":4}]"#)
      let gone = try await put("k1", #"[{"id":1},{"id":2}]"#)
      #expect(gone.status == 201 && gone["Preference-Applied"] == nil, "\(gone.text)")
      #expect(gone.json["changed"].bool == true)
    }
  }

  @Test func `a request that failed may be tried again with its key`() async throws {
    try await TestService.run { server in
      let key = ["Idempotency-Key": "k", "If-Match": "*"]
      #expect(try await server.send("PUT", inbox, key, "[]").status == 412)
      _ = try await server.put(#"[{"id":1}]"#)
      #expect(try await server.send("PUT", inbox, key, "[]").status == 200)
    }
  }

  @Test func `a deletion that comes again is still one, whatever came in between`() async throws {
    try await TestService.run { server in
      _ = try await server.put("[]")
      let key = ["Idempotency-Key": "k"]
      #expect(try await server.send("DELETE", inbox, key).status == 204)
      #expect(try await server.send("DELETE", inbox).status == 404)
      _ = try await server.put("[]")
      let again = try await server.send("DELETE", inbox, key)
      #expect(again.status == 204)
      #expect(again["Idempotency-Replayed"] == "true")
      #expect(try await server.send("GET", inbox).status == 200)
    }
  }

  @Test func `a batch has a key too`() async throws {
    try await TestService.run { server in
      let body = #"{"writes":[{"collection":"inbox","put":[{"id":1}]}]}"#
      let key = ["Idempotency-Key": "k"]
      let first = try await server.send("POST", "/v1/clients/u42/batch", key, body)
      #expect(first.json["results"][0]["status"].int == 201)
      _ = try await server.put("[]")
      let again = try await server.send("POST", "/v1/clients/u42/batch", key, body)
      #expect(again.body == first.body)
      #expect(again["Idempotency-Replayed"] == "true")
      #expect(try await server.send("PUT", inbox, key, "[]").status == 200)
    }
  }
}
