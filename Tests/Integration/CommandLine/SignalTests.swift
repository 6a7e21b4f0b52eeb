import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignalTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")
  private let quick = [
    "LIVEDELTA_DRAIN_DELAY_SECONDS": "0", "LIVEDELTA_DRAIN_WINDOW_SECONDS": "0",
  ]

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal lets those who wait go and ends with 0`(signal: Int32) async throws {
    let service = try await RunningService(environment: quick)
    let client = try service.client()
    let version = try await client.put(Array("[]".utf8), to: inbox).value.version
    async let waiting = client.delta(of: inbox, since: version, wait: 50)
    let metrics = DeltaClient(try ServerAddress(service.operations), transport: CurlTransport())
    try await until {
      try await metrics.request("GET", "/metrics").text.contains("parked_requests 1\n")
    }
    service.send(signal)
    #expect(try await waiting.value == .unchanged(version: version, seq: 1))
    #expect(await service.end() == 0)
  }

  @Test func `after SIGTERM it is not ready but serves on; a second one ends it`() async throws {
    let service = try await RunningService(
      environment: ["LIVEDELTA_DRAIN_DELAY_SECONDS": "600"])
    service.send(SIGTERM)
    let operations = DeltaClient(try ServerAddress(service.operations), transport: CurlTransport())
    try await until { try await operations.request("GET", "/readyz").status == 503 }
    let check = try await Program.run("check", "--ops", service.operations)
    #expect(check.status == 1)
    #expect(check.output == "not ready: 503\n")
    try await service.client().put(Array("[]".utf8), to: inbox)
    service.send(SIGTERM)
    #expect(await service.end() == 0)
  }

  @Test func `SIGUSR1 has everything logged from debug up, and a second one no longer`()
    async throws
  {
    let files = try TemporaryFiles()
    let errors = try files.add("", named: "errors")
    let service = try await RunningService(errors: errors)
    let address = try ServerAddress(try #require(service.listening.first))
    /// Sends what is no request; gives how many of those the log has.
    func refused() async throws -> Int {
      let connection = try RawConnection(address, sending: "NONE\r\n\r\n")
      #expect(try await connection.response().status == 400)
      let text = try String(contentsOfFile: errors, encoding: .utf8)
      return text.matches(of: /"level":"debug","message":"refused"/).count
    }
    #expect(try await refused() == 0)
    service.send(SIGUSR1)
    while try await refused() == 0 {}
    service.send(SIGUSR1)
    while case let count = try await refused(), try await refused() != count {}
    await service.stop()
  }
}
