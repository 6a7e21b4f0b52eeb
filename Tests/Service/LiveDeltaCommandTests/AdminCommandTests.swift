import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// `livedelta admin`.
@Suite(.timeLimit(.minutes(10))) struct AdminCommandTests {
  @Test func `a client is listed and deleted, and its store compacted`() async throws {
    let files = try TemporaryFiles()
    let service = try await TestService("--data", files.path + "/data")
    let client = try service.client()
    let inbox = CollectionAddress(client: "u42", name: "inbox")
    try await client.put(
      Array(#"[{"id":1}]"#.utf8), to: CollectionAddress(client: "u42", name: "cart"))
    try await client.put(Array(#"[{"id":1},{"id":2}]"#.utf8), to: inbox)
    func admin(_ command: String) async throws -> [String] {
      let words = command.split(separator: " ").map(String.init)
      let outcome = try await Program.run(["admin"] + words + ["--ops", service.operations])
      #expect(outcome.status == 0, "\(command): \(outcome.errors)")
      return outcome.lines.map { String($0) }
    }
    let clients = try await admin("ls")
    #expect(clients.count == 1 && clients[0].hasPrefix("u42  2 collections  3 items  "))
    let collections = try await admin("ls u42 --sort items")
    #expect(collections.map { $0.prefix { $0 != " " } } == ["inbox", "cart"])
    #expect(try await admin("rm u42") == ["u42 deleted"])
    let left = try await admin("ls")
    #expect(left.isEmpty)
    let freed = try await admin("compact")
    #expect(freed[0].hasSuffix("freed"))
    await service.stop()
  }
}
