import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// Settings that are checked without serving, and read again while serving.
@Suite(.timeLimit(.minutes(10))) struct ReloadTests {
  @Test func `docs has every setting as the program describes it`() async throws {
    let page = try String(
      contentsOf: Program.root.appending(path: "docs/configuration.md"), encoding: .utf8)
    let printed = try await Program.run("serve", "--document-config").output
    #expect(
      printed == page, "livedelta serve --document-config > docs/configuration.md mends it")
  }

  @Test func `a configuration is checked without serving it`() async throws {
    let files = try TemporaryFiles()
    let good = try files.add(#"{"data":"\#(files.path)/data","limits":{"itemsMax":7}}"#)
    let valid = try await Program.run("serve", "--check-config", "--config", good)
    #expect(valid.status == 0)
    #expect(valid.output == "the configuration is valid\n")
    #expect(!FileManager.default.fileExists(atPath: files.path + "/data"))
    let bad = [
      #"{"limits":{"itemMax":7}}"#: "limits.itemsMax", #"{"durability":"half"}"#: "full, normal",
      #"{"auth":{"keysFile":"/nonexistent"}}"#: "/nonexistent",
      #"{"listen":["0.0.0.0:80"]}"#: "0.0.0.0:80", #"{"cors":{"origins":["a"]}}"#: "cors.origins",
    ]
    for (text, fault) in bad {
      let outcome = try await Program.run(
        "serve", "--check-config", "--config", try files.add(text))
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains(fault), "\(outcome.errors)")
    }
  }

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
