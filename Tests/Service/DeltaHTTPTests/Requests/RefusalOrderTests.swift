import Authentication
import CollectionService
import HTTPTestSupport
import TestSupport
import Testing

@testable import DeltaHTTP

/// Which refusal comes first, and what is refused that once was taken.
@Suite struct RefusalOrderTests {
  private let inbox = TestService.inbox

  private func configure(_ configuration: inout DeltaServerConfiguration) {
    let keys = [Keys.line("writer", "write:**"), Keys.line("other", "read:u1/**")]
    configuration.authenticator = try? Authenticator(
      .text(keys.joined(separator: "\n")), now: { 0 })
  }

  @Test func `who may not write is refused before the type of the body is looked at`() async throws
  {
    try await TestService.run(configure) { server in
      for (method, type) in [
        ("PATCH", ["Content-Type": "text/plain"]), ("PUT", ["Content-Type": "text/plain"]),
        ("PUT", ["Content-Encoding": "br"]),
        ("PATCH", ["Content-Type": "application/json-patch+json"]),
      ] {
        for (fields, status) in [
          ([:], 401), (Keys.field("other"), 403), (Keys.field("writer"), 415),
        ] as [([String: String], Int)] {
          let answer = try await server.send(
            method, inbox, type.merging(fields) { $1 }, "[]")
          #expect(answer.status == status, "\(method) \(type)")
          if method == "PATCH", status == 415 {
            #expect(answer["Accept-Patch"] == "application/vnd.livedelta.edits+json")
          }
        }
      }
    }
  }

  @Test func `a write's parameters are checked, whatever it is answered with`() async throws {
    try await TestService.run { server in
      let version = try await server.put(#"[{"id":1}]"#)
      let edits = ["Content-Type": "application/vnd.livedelta.edits+json"]
      for (query, status) in [
        ("dialect=nope", 406), ("items=nope", 400), ("headers=2", 400),
        ("dialect=nope&items=nope", 406),
        ("dialect=splice", 200), ("items=patch", 200), ("x=y", 200),
      ] {
        for (method, path, fields, body) in [
          ("PUT", "", [:], #"[{"id":1}]"#), ("POST", "", [:], #"[{"id":1}]"#),
          ("PATCH", "", edits, #"{"edits":[]}"#),
          ("POST", "/revert", [:], #"{"to":"\#(version)"}"#),
        ] as [(String, String, [String: String], String)] {
          let answer = try await server.send(method, inbox + path + "?" + query, fields, body)
          #expect(answer.status == status, "\(method) \(query): \(answer.text)")
        }
      }
    }
  }

  @Test func `a parameter that is not UTF-8 is refused, an unknown one is not looked at`()
    async throws
  {
    try await TestService.run { server in
      _ = try await server.put("[]")
      for (query, status) in [
        ("where=/n:eq:%ff", 400), ("where=/n:eq:%c3%a9", 200), ("select=/%ff", 400),
        ("dialect=%ff", 400), ("utm=%ff", 200), ("where=/n:eq:%ed%a0%80", 400),
      ] {
        let answer = try await server.send("GET", inbox + "?" + query)
        #expect(answer.status == status, "\(query)")
        if status == 400 { #expect(answer.json["code"].string == "bad-parameter") }
      }
    }
  }

  @Test func `lastEventId counts like Last-Event-ID, after it and before since`() async throws {
    try await TestService.run { server in
      let first = try await server.put("[]")
      let head = try await server.put(#"[{"id":1}]"#)
      let events = ["Accept": "text/event-stream"]
      let held = events.merging(["Last-Event-ID": head]) { $1 }
      for (query, fields, event) in [
        ("lastEventId=\(first)", events, "delta"), ("lastEventId=\(head)", events, "bookmark"),
        ("since=\(first)&lastEventId=\(head)", events, "bookmark"),
        ("lastEventId=\(first)", held, "bookmark"),
        ("lastEventId=&since=\(first)", events, "delta"),
        ("lastEventId=x", events, "problem"), ("", events, "snapshot"),
      ] {
        let answer = try await server.send(
          "GET", inbox + "/delta?closeafter=event&" + query, fields)
        #expect(answer.text.contains("event: \(event)\n"), "\(query): \(answer.text)")
      }
      let sync = "/v1/clients/u42/sync?collections=inbox&closeafter=event&lastEventId=inbox:"
      let news = try await server.send("GET", sync + first, events)
      #expect(news.text.contains(#""from":"\#(first)""#), "\(news.text)")
    }
  }

  @Test func `a setting allows pages to send other headers`() async throws {
    try await TestService.run({
      $0.crossOrigins = ["https://app.example"]
      $0.crossOriginFields = ["baggage", "sentry-trace"]
    }) { server in
      let preflight = [
        "Origin": "https://app.example", "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "baggage",
      ]
      let answer = try await server.send("OPTIONS", inbox, preflight)
      let allowed = answer["Access-Control-Allow-Headers"] ?? ""
      #expect(allowed.hasSuffix("traceparent, tracestate, baggage, sentry-trace"))
    }
  }

  @Test func `a retry whose JSON is spelled otherwise is the same request`() async throws {
    try await TestService.run { server in
      let key = ["Idempotency-Key": "k"]
      let body = #"{"items":[{"id":"a","t":"A"}],"meta":{"x":1,"y":[2]}}"#
      #expect(try await server.send("PUT", inbox, key, body).status == 201)
      for same in [
        body, #"{ "meta" : {"y":[ 2 ],"x":1},"items":[{"t":"\u0041","id":"\u0061"}]} "#,
      ] {
        let answer = try await server.send("PUT", inbox, key, same)
        #expect(answer.status == 201 && answer["Idempotency-Replayed"] == "true", "\(answer.text)")
      }
      for other in [
        #"{"items":[{"id":"a","t":"A"}],"meta":{"x":1.0,"y":[2]}}"#, "[]", "[",
        #"{"items":[{"id":"a","t":"A"}]}"#,
      ] {
        let answer = try await server.send("PUT", inbox, key, other)
        #expect(answer.json["code"].string == "idempotency-key-reuse", "\(other)")
      }
      #expect(try await server.send("POST", inbox, key, body).status == 422)
    }
  }
}
