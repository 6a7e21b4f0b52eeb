import CollectionService
import DeltaHTTP
import LiveDeltaClient
import TestSupport
import Testing
import VersionedCollections

/// What those who run the service can ask of it.
@Suite(.timeLimit(.minutes(10))) struct DrainTests {
  private let inbox = TestServer.inbox

  @Test func `POST drain lets readers go, is not ready any more, and serves on`() async throws {
    try await TestServer.run({
      $0.drainDelay = .zero
      $0.drainWindow = .zero
    }) { server in
      let version = try await server.put("[]")
      let kept = try RawConnection(server.address)
      await kept.send("GET", inbox)
      #expect(try await kept.response()["Connection"] == nil)
      let parked = try RawConnection(server.address)
      await parked.send("GET", inbox + "/delta?since=\(version)&wait=50")
      let stream = try EventReader(server.address, inbox + "/delta")
      #expect(await stream.next()?.name == "snapshot")
      try await server.untilParked(2)
      let operations = try RawConnection(server.operations)
      await operations.send("POST", "/drain", [:], [])
      #expect(try await operations.response().status == 202)
      await operations.send("GET", "/readyz")
      let ready = try await operations.response()
      #expect(ready.status == 503)
      #expect(ready["Retry-After"] != nil)
      await operations.send("GET", "/livez")
      #expect(try await operations.response().status == 200)
      let idle = try await parked.response()
      #expect(JSONTree(idle.body)["kind"].string == "unchanged")
      #expect(idle["Connection"] == "close")
      let end = await stream.next()
      #expect(end?.name == "end")
      #expect(end?.json["reason"].string == "drain")
      #expect(await stream.next() == nil)
      await kept.send("GET", inbox)
      #expect(try await kept.response()["Connection"] == "close")
      #expect(await kept.isAtEnd())
      // Once more changes nothing.
      await operations.send("POST", "/drain", [:], [])
      #expect(try await operations.response().status == 202)
      #expect(try await server.send("PUT", inbox, [:], #"[{"id":1}]"#).status == 200)
    }
  }
}
