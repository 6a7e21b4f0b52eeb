import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// `livedelta admin`.
@Suite(.timeLimit(.minutes(10))) struct AdminCommandTests {
  @Test func `a client is listed, exported, imported, deleted and its store compacted`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "admin-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.path + ".ndjson"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let (source, target) = (
      try await TestService("--data", folder.path), try await TestService()
    )
    let (old, new) = (try source.client(), try target.client())
    let inbox = CollectionAddress(client: "u42", name: "inbox")
    try await old.put(
      Array(#"[{"id":1}]"#.utf8), to: CollectionAddress(client: "u42", name: "cart"))
    let version = try await old.put(Array(#"[{"id":1},{"id":2}]"#.utf8), to: inbox).value.version
    func admin(_ command: String, _ service: TestService) async throws -> [String] {
      let words = command.split(separator: " ").map(String.init)
      let outcome = try await Program.run(["admin"] + words + ["--ops", service.operations])
      #expect(outcome.status == 0, "\(command): \(outcome.errors)")
      return outcome.lines.map { String($0) }
    }
    let clients = try await admin("ls", source)
    #expect(clients.count == 1 && clients[0].hasPrefix("u42  2 collections  3 items  "))
    let collections = try await admin("ls u42 --sort items", source)
    #expect(collections.map { $0.prefix { $0 != " " } } == ["inbox", "cart"])
    let exported = try await Program.run("admin", "export", "u42", "--ops", source.operations)
    #expect(exported.status == 0, "\(exported.errors)")
    try Data(exported.output.utf8).write(to: URL(filePath: file))
    #expect(try await admin("import u42 \(file)", target) == ["2 collections imported"])
    #expect(
      try await admin("import u42 \(file)", target) == ["0 collections imported, 2 skipped"])
    let held = try await new.delta(of: inbox, since: version).value
    guard case .unchanged = held else {
      Issue.record("\(held)")
      return
    }
    let rest = try await admin("export u42 --after cart", source)
    #expect(rest.count == 2 && rest[0].contains(version))
    #expect(try await admin("rm u42", source) == ["u42 deleted"])
    let left = try await admin("ls", source)
    #expect(left.isEmpty)
    let freed = try await admin("compact", source)
    #expect(freed[0].hasSuffix("freed"))
    try await old.put(Array("[]".utf8), to: inbox)
    let refused = try await Program.run(
      "admin", "import", "u42", file, "--ops", source.operations)
    #expect(refused.status != 0)
    #expect(refused.errors.contains("collection-exists"))
    await source.stop()
    await target.stop()
  }
}
