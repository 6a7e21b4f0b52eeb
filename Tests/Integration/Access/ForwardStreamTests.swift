import Authentication
import DeltaHTTP
import Foundation
import HTTPTestSupport
import LiveDeltaClient
import Synchronization
import TestSupport
import Testing

/// Forward-auth of bodies, of what waits and of streams.
@Suite(.timeLimit(.minutes(10))) struct ForwardStreamTests {
  private static let delta = TestServer.inbox + "/delta"

  @Test(arguments: [403, 204])
  func `a body is invited only after the verdict`(_ status: Int) async throws {
    let sessions = ForwardSessions()
    sessions.answer { _ in .status(status) }
    sessions.hold()
    try await TestServer.run(sessions.configure) { server in
      let connection = try RawConnection(server.address)
      let fields = [
        "Content-Length": "2", "Expect": "100-continue", "Content-Type": "application/json",
      ].merging(ForwardSessions.field(0)) { $1 }
      await connection.send("PUT", TestServer.inbox, fields)
      try await until { sessions.questions == 1 }
      sessions.release()
      // Nothing came before it.
      #expect(try await connection.head().status == (status == 204 ? 100 : 403))
      guard status == 204 else { return }
      await connection.send(Array("[]".utf8))
      #expect(try await connection.response().status == 201)
    }
  }

  @Test func `what is sent before the verdict is read after it, with what follows`() async throws {
    let sessions = ForwardSessions()
    sessions.answer { .status($0 == "session=0" ? 204 : 403) }
    try await TestServer.run(sessions.configure) { server in
      let connection = try RawConnection(server.address)
      for (session, status) in [(0, 201), (1, 403), (0, 200)] {
        sessions.hold()
        let before = sessions.questions
        let type = ["Content-Type": "application/json"].merging(ForwardSessions.field(session)) {
          $1
        }
        await connection.send("PUT", TestServer.inbox, type, Array(#"[{"id":1}]"#.utf8))
        await connection.send("GET", TestServer.inbox, ForwardSessions.field(session))
        try await until { sessions.questions > before }
        sessions.release()
        #expect(try await connection.response().status == status)
        #expect(try await connection.response().status == (status == 403 ? 403 : 200))
      }
    }
  }

  @Test func `a cookie that is not named makes no question`() async throws {
    let sessions = ForwardSessions()
    try await TestServer.run(sessions.configure) { server in
      let refused = try await server.send("GET", TestServer.inbox, ["Cookie": "x=1"])
      #expect(refused.status == 401)
      #expect(sessions.questions == 0)
      let fields = ["Cookie": "x=1; session=1; y"]
      let admitted = try await server.send("GET", TestServer.inbox, fields)
      #expect(admitted.status == 404)
      #expect(sessions.questions == 1)
    }
  }

  @Test func `answers vary by cookie where a cookie authorizes, and nowhere else`() async throws {
    for hasCookies in [true, false] {
      let sessions = ForwardSessions()
      try await TestServer.run({ configuration in
        if hasCookies { sessions.configure(&configuration) }
      }) { server in
        let fields = hasCookies ? ForwardSessions.field(0) : [:]
        let first = try await server.send("PUT", TestServer.inbox, fields, #"[{"id":1}]"#)
        let second = try await server.send("PUT", TestServer.inbox, fields, #"[{"id":2}]"#)
        let (old, new) = (
          try #require(first["Collection-Version"]), try #require(second["Collection-Version"])
        )
        let paths = [
          "", "?version=\(old)", "/delta?from=\(old)&to=\(new)", "/delta?since=\(old)",
          "/delta?since=x",
          "/versions", "/settings",
        ]
        // Twice: the second answer may be a remembered one.
        for path in paths + paths {
          let answer = try await server.send("GET", TestServer.inbox + path, fields)
          let isVaried = answer.fields.contains {
            $0.name.lowercased() == "vary" && $0.value.contains("Cookie")
          }
          #expect(isVaried == hasCookies, "\(path)")
        }
        let page = try await server.send("GET", "/ui", fields)
        #expect(page["Vary"]?.contains("Cookie") != true)
      }
    }
  }

  @Test func `a stream whose session is closed ends, one that cannot be asked about is told so`()
    async throws
  {
    let sessions = ForwardSessions()
    try await TestServer.run(sessions.configure) { server in
      _ = try await server.send("PUT", TestServer.inbox, ForwardSessions.field(0), "[]")
      let readers = try [1, 2].map {
        try EventReader(server.address, Self.delta, ForwardSessions.field($0))
      }
      for reader in readers { #expect(await reader.next()?.name == "snapshot") }
      sessions.answer { $0 == "session=2" ? .status(401) : .none }
      sessions.date.now += 5
      let closed = try #require(await readers[1].next())
      #expect(closed.name == "end" && closed.json["reason"].string == "token-expired")
      // The other goes on.
      sessions.answer { $0 == "session=0" ? .status(204) : .none }
      _ = try await server.send("PUT", TestServer.inbox, ForwardSessions.field(0), #"[{"id":1}]"#)
      #expect(await readers[0].next()?.name == "delta")
      sessions.date.now += 30
      let left = try #require(await readers[0].next())
      #expect(left.name == "end" && left.json["reason"].string == "unverified")
      #expect(left.json["reconnect"] == .plain("true"))
      let metrics = try #require(sessions.statistics)
      #expect(metrics.unverified == 1 && metrics.unanswered > 0)
    }
  }

  @Test func `a long poll that wakes is answered by no verdict from before it waited`()
    async throws
  {
    let sessions = ForwardSessions()
    try await TestServer.run(sessions.configure) { server in
      let first = try await server.send("PUT", TestServer.inbox, ForwardSessions.field(0), "[]")
      let version = try #require(first["Collection-Version"])
      let reader = try RawConnection(server.address)
      await reader.send(
        "GET", Self.delta + "?since=\(version)&wait=50", ForwardSessions.field(1))
      try await server.untilParked(1)
      let before = sessions.questions
      sessions.answer { .status($0 == "session=1" ? 403 : 204) }
      _ = try await server.send("PUT", TestServer.inbox, ForwardSessions.field(0), #"[{"id":1}]"#)
      #expect(try await reader.response().status == 403)
      // One for the writer, and one for the reader that woke.
      #expect(sessions.questions == before + 2)
    }
  }

  @Test func `one request makes one question, also for a verdict that must not be cached`()
    async throws
  {
    let sessions = ForwardSessions()
    try await TestServer.run(sessions.configure) { server in
      let put = try await server.send("PUT", TestServer.inbox, ForwardSessions.field(0), "[]")
      let version = try #require(put["Collection-Version"])
      _ = try await server.send("PUT", TestServer.inbox, ForwardSessions.field(0), #"[{"id":1}]"#)
      #expect(sessions.questions == 2)
      for path in [TestServer.inbox, Self.delta + "?since=\(version)&wait=20"] {
        let answer = try await server.send("GET", path, ForwardSessions.field(0))
        #expect(answer.status == 200)
      }
      #expect(sessions.questions == 4)
    }
  }

  @Test func `a thousand who wait are told of one change, whatever others send meanwhile`()
    async throws
  {
    let sessions = ForwardSessions(delay: .milliseconds(20))
    sessions.answer { session in
      .status(Int(session.dropFirst("session=".count)).map { 0...1000 ~= $0 } == true ? 204 : 401)
    }
    try await TestServer.run(sessions.configure) { server in
      let first = try await server.send("PUT", TestServer.inbox, ForwardSessions.field(0), "[]")
      let version = try #require(first["Collection-Version"])
      let target = Self.delta + "?since=\(version)&wait=50"
      var readers: [RawConnection] = []
      for number in 1...1000 {
        let reader = try RawConnection(server.address)
        await reader.send("GET", target, ForwardSessions.field(number))
        readers.append(reader)
      }
      try await server.untilParked(1000)
      sessions.date.now += 10
      let streams = try (1...5).map {
        try EventReader(server.address, Self.delta, ForwardSessions.field($0))
      }
      for stream in streams { #expect(await stream.next()?.name == "snapshot") }
      let flood = try await Self.flood(server)
      sessions.date.now += 10
      let answer = try await server.send(
        "PUT", TestServer.inbox, ForwardSessions.field(0), #"[{"id":1}]"#)
      #expect(answer.status == 200)
      var statuses: [Int: Int] = [:]
      for reader in readers { statuses[try await reader.response().status, default: 0] += 1 }
      #expect(statuses == [200: 1000])
      for stream in streams { #expect(await stream.next()?.name == "delta") }
      for connection in flood {
        #expect([401, 503].contains(try await connection.response().status))
      }
      let statistics = try #require(sessions.statistics)
      #expect(statistics.unverified == 0 && statistics.unanswered == 0)
    }
  }

  /// Sends requests with made-up cookies, more than may be in line for one address.
  private static func flood(_ server: TestServer) async throws -> [RawConnection] {
    var connections: [RawConnection] = []
    for number in 0..<1500 {
      let connection = try RawConnection(server.address)
      await connection.send("GET", TestServer.inbox, sessions(number))
      connections.append(connection)
    }
    return connections
  }

  private static func sessions(_ number: Int) -> [String: String] {
    ForwardSessions.field(-1 - number)
  }
}
