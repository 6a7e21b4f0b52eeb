import Authentication
import DeltaHTTP
import Foundation
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import SocketServer
import TestSupport
import Testing

/// Callers that are known by their user, at the other end of a Unix socket.
@Suite(.timeLimit(.minutes(10))) struct PeerTests {
  private let inbox = TestServer.inbox

  private func withServer(
    _ keys: String, _ body: (TestServer, DeltaClient) async throws -> Void
  ) async throws {
    let path = "/tmp/livedelta-\(UUID().uuidString.prefix(8)).sock"
    let authenticator = try Authenticator(.text(keys), now: { 0 })
    try await TestServer.run({
      $0.authenticator = authenticator
      $0.listeners.append(.unix(path: path))
      $0.operations.append(.unix(path: path + ".ops"))
    }) { server in
      try await body(server, DeltaClient(.unix(path: path), transport: CurlTransport()))
    }
  }

  @Test func `a user of the machine is known by the Unix socket, and by nothing else`() async throws
  {
    try await withServer("me uid:\(getuid()) write:u42\n" + Keys.line("reader", "read:u42")) {
      server, local in
      #expect(try await server.send("PUT", inbox, [:], "[]", on: local).status == 201)
      for _ in 1...3 {
        #expect(try await server.send("GET", inbox, on: local).status == 200)
        #expect(try await server.send("GET", inbox).status == 401)
      }
      let other = "/v1/clients/u7/collections/inbox"
      #expect(try await server.send("GET", other, on: local).status == 403)
      // A credential that is sent counts, and nothing but it.
      let refused = try await server.send("PUT", inbox, Keys.field("reader"), "[1]", on: local)
      #expect(refused.status == 403)
      let unknown = try await server.send("GET", inbox, Keys.field("nobody"), on: local)
      #expect(unknown.status == 401)
      for text in ["uid:\(getuid())", "\(getuid())"] {
        #expect(try await server.send("GET", inbox, Keys.field(text)).status == 401)
      }
    }
  }

  @Test func `another user is refused`() async throws {
    try await withServer("other uid:\(getuid() + 1) write:** admin") { server, local in
      let answer = try await server.send("GET", inbox, on: local)
      #expect(answer.status == 401)
    }
  }
}
