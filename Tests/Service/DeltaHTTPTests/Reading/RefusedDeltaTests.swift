import DeltaEngine
import DeltaHTTP
import TestSupport
import Testing

/// PROTOCOL §6: what the simulator says no to is not sent; a snapshot is, and it is counted.
@Suite struct RefusedDeltaTests {
  @Test func `a delta that breaks a law becomes a snapshot`() async throws {
    try await TestService.run { configuration in
      configuration.judge = { _, _, _ in LawViolation(law: 5, reason: "says a test") }
    } _: { server in
      let inbox = TestService.inbox
      let first = try await server.put(#"[{"id":1}]"#)
      let second = try await server.put(#"[{"id":1},{"id":2}]"#)
      for dialect in ["staged", "ops", "splice", "diffable", "json-patch"] {
        let answer = try await server.send(
          "GET", inbox + "/delta?since=\(first)&dialect=\(dialect)")
        #expect(answer.status == 200)
        #expect(answer.json["kind"].string == "snapshot")
        #expect(answer.json["version"].string == second)
        #expect(answer.json["sections"][0]["items"].elements.count == 2)
      }
      let between = try await server.send("GET", inbox + "/delta?from=\(first)&to=\(second)")
      #expect(between.json["kind"].string == "snapshot")
      let diff = try await server.send("POST", "/v1/diff", [:], #"{"old":[],"new":[{"id":1}]}"#)
      #expect(
        diff.text == #"{"kind":"snapshot","sections":[{"id":"","items":[{"id":1}]}]}"#)
      let metrics = try await server.send("GET", "/metrics", on: TestClient(server.operations))
      #expect(metrics.text.contains("livedelta_delta_refusals_total 3\n"), "\(metrics.text)")
    }
  }
}
