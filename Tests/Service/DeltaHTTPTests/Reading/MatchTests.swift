import Authentication
import CollectionService
import HTTPTestSupport
import TestSupport
import Testing

@testable import DeltaHTTP

/// `If-Match` on every method, first (RFC 9110 §13.2.2).
@Suite struct MatchTests {
  private let inbox = TestService.inbox
  private let client = "/v1/clients/u42"

  @Test func `reading fails unless If-Match names the state`() async throws {
    try await TestService.run { server in
      let first = try await server.put(#"[{"id":1}]"#)
      let head = try await server.put(#"[{"id":1},{"id":2}]"#)
      for path in [
        "", "?window=first:1", "/settings", "/delta?since=\(first)", "/delta?since=\(head)",
        "/delta", "/versions", "/delta?from=\(first)&to=\(head)", "?version=\(head)",
      ] {
        for method in ["GET", "HEAD"] {
          for (tags, status) in [
            ("\"\(head)\"", 200), (head, 200), ("*", 200), ("\"x\", \"\(head);gzip\"", 200),
            ("\"x\"", 412), ("\"\(first)\"", 412), ("W/\"\(head)\"", 412), ("", 200),
          ] {
            let fields = tags.isEmpty ? [:] : ["If-Match": tags]
            let answer = try await server.send(method, inbox + path, fields)
            #expect(answer.status == status, "\(method) \(path) \(tags)")
            guard method == "GET", status == 412 else { continue }
            #expect(answer.json["code"].string == "version-conflict")
            #expect(answer.json["current"].string == head, "\(path) \(answer.text)")
          }
        }
      }
    }
  }

  @Test func `If-Match comes before If-None-Match`() async throws {
    try await TestService.run { server in
      let head = try await server.put("[]")
      for path in ["", "/settings"] {
        let tag = try #require(try await server.send("GET", inbox + path)["ETag"])
        for (match, status) in [("\"x\"", 412), (tag, 304), ("\"\(head)\"", 304), ("*", 304)] {
          let answer = try await server.send(
            "GET", inbox + path, ["If-Match": match, "If-None-Match": tag])
          #expect(answer.status == status, "\(path) \(match)")
        }
      }
    }
  }

  @Test func `the settings in a tag count as well`() async throws {
    try await TestService.run { server in
      _ = try await server.put("[]")
      let path = inbox + "/settings"
      let old = try #require(try await server.send("GET", path)["ETag"])
      _ = try await server.send("PUT", path, [:], #"{"emptySections":"drop"}"#)
      let new = try #require(try await server.send("GET", path)["ETag"])
      #expect(old != new)
      #expect(try await server.send("GET", path, ["If-Match": old]).status == 412)
      #expect(try await server.send("GET", path, ["If-Match": new]).status == 200)
    }
  }

  @Test func `what has no state matches only the star`() async throws {
    try await TestService.run { server in
      _ = try await server.put("[]")
      let rows: [(String, String, String?)] = [
        ("GET", "/v1", nil), ("GET", "/openapi.json", nil), ("GET", "/v1/clients", nil),
        ("GET", client + "/collections", nil),
        ("POST", client + "/sync", #"{"collections":{"inbox":null}}"#),
        ("POST", client + "/batch", #"{"writes":[{"collection":"a","put":[]}]}"#),
        ("POST", "/v1/diff", #"{"old":[],"new":[]}"#), ("DELETE", client, nil),
      ]
      for (method, path, body) in rows {
        let refused = try await server.send(method, path, ["If-Match": "\"x\""], body)
        #expect(refused.status == 412, "\(method) \(path)")
        #expect(refused.json["current"].string == nil)
        let answer = try await server.send(method, path, ["If-Match": "*"], body)
        #expect([200, 204].contains(answer.status), "\(method) \(path)")
      }
      // A refused batch and a refused deletion did nothing.
      #expect(try await server.send("GET", client + "/collections/a").status == 404)
      let page = try await server.send("GET", "/")
      let tag = try #require(page["ETag"])
      #expect(try await server.send("GET", "/", ["If-Match": tag]).status == 200)
      #expect(try await server.send("GET", "/", ["If-Match": "\"x\""]).status == 412)
      #expect(try await server.send("OPTIONS", "/", ["If-Match": "\"x\""]).status == 204)
    }
  }

  @Test func `a request that fails without If-Match fails as it would`() async throws {
    try await TestService.run { server in
      _ = try await server.put("[]")
      for (path, status) in [
        ("-none", 404), ("/delta?since=x", 400), ("?where=x", 400), ("/none", 404),
      ] {
        #expect(try await server.send("GET", inbox + path, ["If-Match": "\"x\""]).status == status)
      }
    }
  }

  @Test func `a poll decides by the version that it ends with, a stream by its first`() async throws
  {
    try await TestService.run { server in
      let head = try await server.put("[]")
      async let waiting = server.send(
        "GET", inbox + "/delta?since=\(head)&wait=50", ["If-Match": "\"\(head)\""])
      try await server.untilParked()
      _ = try await server.put(#"[{"id":1}]"#)
      #expect(try await waiting.status == 412)
      let events = ["Accept": "text/event-stream", "If-Match": "\"\(head)\""]
      for path in ["/delta?closeafter=event", "/delta?since=\(head)&closeafter=event"] {
        #expect(try await server.send("GET", inbox + path, events).status == 412)
      }
      for path in ["/v1/changes", client + "/sync?collections=inbox"] {
        #expect(try await server.send("GET", path, events).status == 412, "\(path)")
      }
      let all = try await server.send(
        "GET", inbox + "/delta?closeafter=event", ["Accept": "text/event-stream", "If-Match": "*"])
      #expect(all.status == 200)
    }
  }

  @Test func `a weak tag is told to be weak, with the field to use instead`() async throws {
    try await TestService.run { server in
      let head = try await server.put("[]")
      for (method, body) in [("PUT", "[]"), ("GET", nil)] {
        let weak = ["If-Match": "W/\"\(head)\""]
        let answer = try await server.send(method, inbox, weak, body)
        #expect(answer.status == 412 && answer.json["current"].string == head)
        #expect(answer.json["detail"].string?.contains("weak") == true)
        #expect(answer.json["detail"].string?.contains("Collection-If-Version") == true)
        let strong = try await server.send(method, inbox, ["If-Match": "\"x\""], body)
        #expect(strong.json["detail"].string?.contains("weak") == false)
      }
    }
  }
}
