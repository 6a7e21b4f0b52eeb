import CollectionService
import DeltaHTTP
import LiveDeltaClient
import SocketServer
import TestSupport
import Testing
import VersionedCollections

/// What becomes of a request whose peer has gone, or takes nothing.
///
/// The clocks stand still, so that no wait ends by itself.
@Suite struct HangupTests {
  private let inbox = TestServer.inbox

  @Test func `a reader that hangs up is forgotten`() async throws {
    try await TestServer.run({ $0.time = TimeSource(ManualClock()) }) { server in
      let from = try await server.put(#"[{"id":1}]"#)
      let reader = server.reader()
      let task = Task {
        try? await reader.request("GET", inbox + "/delta?since=\(from)&wait=25")
      }
      try await server.untilParked()
      task.cancel()
      try await server.untilParked(0)
      _ = await task.value
    }
  }

  /// A reader that shuts down its side of the connection is nearly always gone, but may still read.
  @Test(arguments: [false, true])
  func `a reader that sends nothing more gets at once what is known`(
    shutsWhileItWaits: Bool
  ) async throws {
    try await TestServer.run({ $0.time = TimeSource(ManualClock()) }) { server in
      let version = try await server.put("[]")
      let waits: [(method: String, target: String, body: String?, status: Int, text: String)] = [
        ("GET", "\(inbox)/delta?since=\(version)&wait=50", nil, 200, "\"unchanged\""),
        ("GET", "\(inbox)2/delta?missing=wait&wait=50", nil, 404, "collection-not-found"),
        (
          "POST", "/v1/clients/u42/sync", #"{"collections":{"inbox":"\#(version)"},"wait":50}"#,
          200,
          "\"unchanged\":[\"inbox\"]"
        ),
      ]
      for wait in waits {
        let reader = try RawConnection(server.address)
        let type = wait.body == nil ? [:] : ["Content-Type": "application/json"]
        await reader.send(wait.method, wait.target, type, wait.body.map { Array($0.utf8) })
        if shutsWhileItWaits { try await server.untilParked() }
        reader.finishSending()
        let answer = try await reader.response()
        #expect(answer.status == wait.status, "\(wait)")
        #expect(answer.text.contains(wait.text), "\(wait): \(answer.text)")
        #expect(await reader.isAtEnd())
        try await server.untilParked(0)
      }
    }
  }

  @Test func `many versions are one delta for a reader who takes nothing meanwhile`() async throws {
    try await TestServer.run { configuration in
      configuration.serverLimits.streamBytesMax = 1
    } _: { server in
      let first = try await server.put("[]")
      let reader = try EventReader(server.address, inbox + "/delta?since=\(first)")
      #expect(await reader.next()?.name == "bookmark")
      // More than the sockets' buffers hold: after some versions nothing goes out any more.
      let padding = String(repeating: "x", count: 500_000)
      var last = first
      for number in 1...20 {
        last = try await server.put("[{\"id\":\(number),\"p\":\"\(padding)\"}]")
      }
      var held = first
      var count = 0
      while held != last {
        let event = try #require(await reader.next())
        #expect(event.name == "delta")
        #expect(event.json["from"].string == held)
        held = try #require(event.id)
        count += 1
      }
      #expect(count < 20)
    }
  }
}
