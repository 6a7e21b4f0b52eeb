import CollectionService
import HTTPTestSupport
import LiveDeltaClient
import SocketServer
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// What is noted of requests: in the log, the metrics and the answers.
@Suite(.timeLimit(.minutes(10))) struct AccessLogTests {
  private let inbox = TestServer.inbox

  @Test func `each request has one line, with hashes for names`() async throws {
    let pipe = LogPipe()
    try await TestServer.run({ $0.accessLog = pipe.log }) { server in
      let client = try RawConnection(server.address)
      await client.send("PUT", inbox, ["Request-Id": "abc"], Array(#"[{"id":1}]"#.utf8))
      _ = try await client.response()
      await client.send("GET", inbox)
      let length = try await client.response().body.count
      await client.send("GET", "/nowhere/private")
      _ = try await client.response()
      await client.send("PUT", inbox, ["Content-Type": "text/plain"], [])
      _ = try await client.response()
      await client.send("PUT", inbox, ["Content-Type": "text/plain"], [0x5B, 0x5D])
      _ = try await client.response()
      await client.send(Array("BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      #expect(try await client.response()["Request-Id"] != nil)
      let lines = try await pipe.lines(6)
      #expect(lines.map { $0["status"].int } == [201, 200, 404, 415, 415, 501])
      #expect(lines.map { $0["method"].string } == ["PUT", "GET", "GET", "PUT", "PUT", nil])
      #expect(lines[0]["request"].string == "abc")
      #expect(Set(lines.map { $0["request"].string }).count == 6)
      #expect(lines[0]["kind"].string == "collection")
      #expect(lines[1]["bytes"].int == length)
      #expect(lines[0]["client"].string?.utf8.count == 16)
      #expect(lines[0]["client"].string == lines[1]["client"].string)
      #expect(lines.allSatisfy { $0["durationMicroseconds"].int != nil })
      #expect(!lines.contains { "\($0)".contains("u42") || "\($0)".contains("inbox") })
      #expect(!lines.contains { "\($0)".contains("private") })
    }
  }

  @Test func `names are written out where that is asked for`() async throws {
    let pipe = LogPipe()
    try await TestServer.run({
      $0.accessLog = pipe.log
      $0.logsHashedNames = false
    }) { server in
      _ = try await server.put("[]")
      let line = try #require(try await pipe.lines(1).first)
      #expect(line["client"].string == "u42")
      #expect(line["collection"].string == "inbox")
    }
  }

  @Test func `a stream has its line when it has ended`() async throws {
    let pipe = LogPipe()
    let clock = ManualClock()
    try await TestServer.run({
      $0.accessLog = pipe.log
      $0.time = TimeSource(clock)
    }) { server in
      _ = try await server.put("[]")
      let reader = try EventReader(server.address, inbox + "/delta")
      #expect(await reader.next()?.name == "snapshot")
      clock.advance(by: .seconds(600))
      while await reader.next() != nil {}
      let lines = try await pipe.lines(2)
      let stream = try #require(lines.first { $0["kind"].string == "events" })
      #expect(stream["status"].int == 200)
      #expect(stream["bytes"].int ?? 0 > 100)
    }
  }

  @Test func `the time that a request is parked is no latency`() async throws {
    let pipe = LogPipe()
    let clock = ManualClock()
    try await TestServer.run({
      $0.accessLog = pipe.log
      $0.time = TimeSource(clock)
    }) { server in
      let version = try await server.put("[]")
      let reader = try RawConnection(server.address)
      await reader.send("GET", inbox + "/delta?since=\(version)&wait=50")
      try await server.untilParked()
      clock.advance(by: .seconds(30))
      _ = try await server.put(#"[{"id":1}]"#)
      #expect(try await reader.response().status == 200)
      let lines = try await pipe.lines(3)
      let line = try #require(lines.first { $0["kind"].string == "delta" })
      #expect(line["durationMicroseconds"].int == 30_000_000)
      #expect(line["parkedMicroseconds"].int == 30_000_000)
      let operations = try RawConnection(server.operations)
      await operations.send("GET", "/metrics")
      let metrics = String(decoding: try await operations.response().body, as: UTF8.self)
      let name = "livedelta_http_request_duration_seconds"
      let labels = "kind=\"delta\",status_class=\"2xx\""
      #expect(metrics.contains("\(name)_sum{\(labels)} 0.0\n"))
      #expect(metrics.contains("\(name)_count{\(labels)} 1\n"))
      #expect(metrics.contains("\(name)_bucket{\(labels),le=\"0.0001\"} 1\n"))
      #expect(metrics.contains("\(name)_bucket{\(labels),le=\"+Inf\"} 1\n"))
      #expect(
        metrics.contains("livedelta_http_requests_total{kind=\"collection\",status=\"201\"} 1\n"))
      #expect(metrics.contains("livedelta_http_request_parked_seconds_sum{kind=\"delta\"} 30.0\n"))
      #expect(!metrics.contains("u42"))
    }
  }

  private static let request = AnsweredRequest(
    RequestRecord(nil, from: .unix(uid: nil), number: 1, start: .zero), RequestSubject(),
    status: 200, isShared: true)

  @Test func `a log that nobody reads drops lines and holds nobody up`() {
    let pipe = LogPipe(bytesMax: 10_000)
    let request = Self.request
    let entry = LogEntry(
      milliseconds: 0, number: 1, microseconds: 1, peer: .unix(uid: nil), request: request)
    let (count, room) = (100_000, 10_000 / entry.byteCount)
    for _ in 0..<count { pipe.log.append(entry) }
    #expect(pipe.log.droppedCount > 0)
    #expect(pipe.log.droppedCount <= count - room)
  }

  @Test func `every line is there that is not counted as dropped`() async throws {
    let pipe = LogPipe(bytesMax: 1 << 20)
    let request = Self.request
    // Each line has the number of its request; there are more than are written at once, and fewer than
    // a pipe holds.
    let numbers = 1...400
    for number in numbers {
      pipe.log.append(
        LogEntry(
          milliseconds: 0, number: UInt64(number), microseconds: number, peer: .unix(uid: nil),
          request: request))
    }
    let lines = try await pipe.lines(numbers.count)
    #expect(lines.map { $0["durationMicroseconds"].int } == Array(numbers))
    let ids = lines.map { $0["request"].string.flatMap { Int($0, radix: 16) } }
    #expect(ids == Array(numbers))
    #expect(pipe.log.droppedCount == 0)
  }

  @Test func `an id that can stand in a log is given back, else one is made`() async throws {
    try await TestServer.run { server in
      let client = try RawConnection(server.address)
      let long = String(repeating: "a", count: 128)
      for id in ["abc-123", "01J:x/y+z=", long] {
        await client.send("GET", "/v1", ["Request-Id": id])
        #expect(try await client.response()["Request-Id"] == id)
      }
      var made: Set<String> = []
      for id in ["", "a b", "a\"b", "a\\b", long + "a"] {
        await client.send("GET", "/v1", ["Request-Id": id])
        made.insert(try #require(try await client.response()["Request-Id"]))
      }
      await client.send("GET", "/none")
      made.insert(try #require(try await client.response()["Request-Id"]))
      #expect(made.count == 6)
      #expect(made.allSatisfy { $0.utf8.count == 16 })
    }
  }

  @Test func `a trace is continued, and what is none is left out`() async throws {
    let pipe = LogPipe()
    try await TestServer.run({ $0.accessLog = pipe.log }) { server in
      let client = try RawConnection(server.address)
      let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")
      for field in ["00-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01-what-comes-later"] {
        await client.send("GET", "/v1", ["traceparent": field])
        let answer = try await client.response()
        let parts = try #require(answer["traceparent"]).split(separator: "-")
        #expect(parts[0] == "00" && parts[1] == trace && parts[3] == "01")
        #expect(parts[2] != span && parts[2].utf8.count == 16)
        let line = try #require(try await pipe.lines(1).first)
        #expect(line["trace"].string == trace)
        #expect(line["parent"].string == span)
        #expect(line["span"].string.map { $0[...] } == parts[2])
      }
      let zeros = String(repeating: "0", count: 32)
      for field in [
        "", "00-\(trace)-\(span)", "00-\(trace)-\(span)-01-x", "ff-\(trace)-\(span)-01",
        "00-\(zeros)-\(span)-01", "00-\(trace)-\(zeros.prefix(16))-01",
        "00-\(trace.uppercased())-\(span)-01", "0-\(trace)-\(span)-01",
      ] {
        await client.send("GET", "/v1", ["traceparent": field])
        #expect(try await client.response()["traceparent"] == nil, "\(field)")
      }
    }
  }
}
