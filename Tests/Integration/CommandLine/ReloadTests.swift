import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// Settings that are read again while serving.
@Suite(.timeLimit(.minutes(10))) struct ReloadTests {
  @Test func `SIGHUP applies limits and origins, and keeps what was if the file has an error`()
    async throws
  {
    let files = try TemporaryFiles()
    let file = try files.add(#"{"limits":{"itemsMax":1}}"#, named: "livedelta.json")
    let errors = try files.add("", named: "errors")
    let service = try await RunningService("--config", file, errors: errors)
    let client = try service.client()
    #expect(try await status(of: #"[{"id":1},{"id":2}]"#, client) == 413)
    _ = try files.add(
      #"{"limits":{"itemsMax":2},"cors":{"origins":["https://a.example"]},"shards":3}"#,
      named: "livedelta.json")
    service.send(SIGHUP)
    try await until { try await status(of: #"[{"id":1},{"id":2}]"#, client) != 413 }
    try await until { try await isAllowed("https://a.example", client) }
    #expect(try await status(of: #"[{"id":1},{"id":2},{"id":3}]"#, client) == 413)
    _ = try files.add(#"{"limits":{"itemMax":3}}"#, named: "livedelta.json")
    service.send(SIGHUP)
    _ = try files.add(
      #"{"limits":{"itemsMax":2},"cors":{"origins":["https://b.example"]}}"#,
      named: "livedelta.json")
    service.send(SIGHUP)
    try await until { try await isAllowed("https://b.example", client) }
    #expect(try await !isAllowed("https://a.example", client))
    #expect(try await status(of: #"[{"id":1},{"id":2},{"id":3}]"#, client) == 413)
    let log = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(
      log.contains(#""changed":"limits.itemsMax cors.origins","changedAtNextStart":"shards""#)
        || log.contains(#""changed":"cors.origins limits.itemsMax","changedAtNextStart":"shards""#),
      "\(log)")
    await service.stop()
  }

  private func status(of body: String, _ client: DeltaClient) async throws -> Int {
    try await client.request(
      "PUT", "/v1/clients/a/collections/b", fields: [.init("Content-Type", "application/json")],
      body: Array(body.utf8)
    ).status
  }

  private func isAllowed(_ origin: String, _ client: DeltaClient) async throws -> Bool {
    try await client.request("GET", "/v1", fields: [.init("Origin", origin)])[
      "Access-Control-Allow-Origin"] == origin
  }
}
