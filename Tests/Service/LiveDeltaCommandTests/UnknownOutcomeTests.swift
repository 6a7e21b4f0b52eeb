import TestSupport
import Testing

/// Commands that write, against a service that does not say what became of it.
@Suite(.timeLimit(.minutes(10))) struct UnknownOutcomeTests {
  private static let commands = [
    ["put", "examples/inbox-1.json", "-c", "u42/inbox"],
    ["rm", "u42/inbox"],
    ["revert", "l.1.d", "-c", "u42/inbox"],
    ["settings", "set", "-c", "u42/inbox", "emptySections=drop"],
    ["batch", "u42", "examples/inbox-1.json"],
  ]

  @Test(arguments: commands)
  func `a write is repeated with its key, and what remains unknown is told`(
    command: [String]
  ) async throws {
    let body = #"{"status":503,"code":"outcome-unknown","detail":"the connection was lost"}"#
    let peer = try ScriptedPeer(answering: { _ in .init(body: body, status: 503) })
    let outcome = try await Program.run(command + ["--server", peer.address, "--timeout", "2"])
    peer.stop()
    #expect(outcome.status == 75, "\(outcome)")
    #expect(outcome.errors.contains("may have been written, or not: 503 outcome-unknown"))
    let keys = Set(
      peer.requests.map { request in
        request.split(separator: "\r\n").first { $0.hasPrefix("Idempotency-Key: ") }?
          .split(separator: " ").last.map(String.init)
      })
    let key = try #require(keys.first ?? nil)
    #expect(keys.count == 1)
    #expect(outcome.errors.contains("--idempotency-key \(key)\n"))
  }

  @Test func `a key that is given is used`() async throws {
    let body = #"{"version":"l.1.d","seq":1,"changed":true}"#
    let peer = try ScriptedPeer([.init(body: body)])
    let outcome = try await Program.run([
      "put", "examples/inbox-1.json", "-c", "u42/inbox", "--server", peer.address,
      "--idempotency-key", "mine",
    ])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(peer.requests.first?.contains("\r\nIdempotency-Key: mine\r\n") == true)
  }
}
