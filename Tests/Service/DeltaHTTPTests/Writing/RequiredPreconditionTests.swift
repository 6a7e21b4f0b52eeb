import CollectionService
import DeltaHTTP
import TestSupport
import Testing
import VersionedCollections

/// PROTOCOL §9: with `requirePrecondition` a write says what it builds on.
@Suite struct RequiredPreconditionTests {
  @Test func `a write without a precondition gets 428`() async throws {
    try await TestService.run { configuration in
      configuration.serviceLimits.requiresPrecondition = true
    } _: { server in
      let inbox = TestService.inbox
      let edits = ["Content-Type": "application/vnd.livedelta.edits+json"]
      for (method, path, fields, body) in [
        ("PUT", inbox, [:], "[]"), ("POST", inbox, [:], "[]"),
        ("PATCH", inbox, edits, #"{"edits":[]}"#), ("DELETE", inbox, [:], nil),
        ("PUT", inbox + "/settings", [:], "{}"),
        ("POST", "/v1/clients/u42/batch", [:], #"{"writes":[{"collection":"a","put":[]}]}"#),
      ] as [(String, String, [String: String], String?)] {
        let answer = try await server.send(method, path, fields, body)
        #expect(answer.status == 428, "\(method) \(path) \(answer.text)")
        #expect(answer.json["code"].string == "precondition-required")
      }
      let created = try await server.send("PUT", inbox, ["If-None-Match": "*"], "[]")
      #expect(created.status == 201)
      let version = try #require(created["Collection-Version"])
      let put = try await server.send(
        "PUT", inbox, ["Collection-If-Version": version], #"[{"id":1}]"#)
      #expect(put.status == 200)
      let batch = try await server.send(
        "POST", "/v1/clients/u42/batch", [:],
        #"{"writes":[{"collection":"a","put":[],"ifNoneMatch":"*"}]}"#)
      #expect(batch.status == 200)
      #expect(batch.json["results"][0]["status"].int == 201)
      #expect(try await server.send("DELETE", "/v1/clients/u42").status == 204)
    }
  }
}
