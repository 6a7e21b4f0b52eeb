import Foundation
import LiveDeltaClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReplayTests {
  /// The real history lies beside the project, not in it.
  private static let history = Program.root.appending(
    path: "../shared/data/awesome-swift.ndjson.gz")

  @Test func `the sample's twelve versions are exact`() async throws {
    let outcome = try await Program.run("replay", "examples/movies.ndjson")
    #expect(outcome.lines.last == "12 of 12 exact", "\(outcome.output)\(outcome.errors)")
    #expect(outcome.status == 0)
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: history.path),
      "the history is not there: put awesome-swift.ndjson.gz into ../shared/data/"))
  func `the real history's 117 versions are exact, and each delta has at most four steps`()
    async throws
  {
    let outcome = try await Program.run("replay", Self.history.path, "--json")
    let report = JSONTree(Array(outcome.output.utf8))
    #expect(report["exact"].int == 117, "\(outcome.output)\(outcome.errors)")
    #expect(report["versions"].int == 117)
    #expect(report["resets"].int == 0)
    #expect(report["faults"].elements.isEmpty)
    #expect(report["stepsByDelta"].elements.count == 5)
    #expect(report["catchUpsByDelta"].int ?? 0 > 60)
    #expect(outcome.status == 0)
  }

  @Test func `a service that runs already is used, and left as it was`() async throws {
    let service = try await TestService()
    let server = service.address
    let outcome = try await Program.run(
      "replay", "examples/movies.ndjson", "--server", server, "--seed", "7")
    #expect(outcome.lines.suffix(2) == ["seed 7", "12 of 12 exact"])
    let left = try await service.client().request("GET", "/v1/clients/livedelta/collections")
    #expect(JSONTree(left.body)["collections"].elements.isEmpty)
    await service.stop()
  }

  @Test func `equal versions and flat lists are exact too`() async throws {
    let outcome = try await replay(
      "[{\"id\":1}]\n[{\"id\":1}]\n{\"items\":[]}\n{\"items\":[{\"id\":2}]}")
    #expect(outcome.lines.last == "4 of 4 exact", "\(outcome.output)\(outcome.errors)")
  }

  @Test(arguments: [
    ("", 65, "it has no version"), ("{}\nnonsense", 65, "version 2"),
    (#"[{"id":1},{"id":1}]"#, 65, "duplicate-id"), (#"{"items":[{}]}"#, 65, "/items/0"),
  ])
  func `a file that cannot be played is refused`(
    text: String, status: Int32, fault: String
  ) async throws {
    let outcome = try await replay(text)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(fault), "\(outcome.errors)")
  }

  private func replay(_ text: String) async throws -> Program.Outcome {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).ndjson")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await Program.run("replay", file.path)
  }
}
