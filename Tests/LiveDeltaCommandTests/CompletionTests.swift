import Foundation
import LiveDeltaClient
import Testing

/// What the shell completes, and the manual.
///
/// One after the other: the argument parser keeps for the whole process which shell's script it made last, and
/// completes for that one, for zsh with a line that its script takes away again.
@Suite(.timeLimit(.minutes(10)), .serialized) struct CompletionTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func `there is a script for each shell`(shell: String) async throws {
    let script = try await Program.run("completion", shell)
    #expect(script.status == 0)
    for command in ["ls", "patch", "settings", "watch"] { #expect(script.output.contains(command)) }
  }

  @Test(arguments: [
    ("bash", "compopt -o nospace"), ("zsh", "_describe -V '' unfinished -S ''\n"),
  ])
  func `no space follows a client, whose collections are next`(shell: String, line: String)
    async throws
  {
    let script = try await Program.run("completion", shell).output
    #expect(script.components(separatedBy: line).count == 2)
    #expect(!script.contains(#"__livedelta_complete "${completions[@]:0:-1}""#))
  }

  @Test(arguments: [
    ("get -- --collection", "u", ["u42/"]), ("ls -- positional@0", "u", ["u42"]),
    ("get -- positional@0", "u42/", ["u42/cart", "u42/inbox"]),
    ("rm -- positional@0", "u42/i", ["u42/inbox"]),
    ("watch -- --collection", "u42/c", ["u42/cart"]),
    ("put -- positional@1", "u42/c", ["u42/cart"]), ("get -- --collection", "x", []),
  ])
  func `clients and collections of the service are completed`(
    argument: String, prefix: String, expected: [String]
  ) async throws {
    let service = try await TestService()
    for name in ["inbox", "cart"] {
      try await service.client().put(
        Array("[]".utf8), to: CollectionAddress(client: "u42", name: name))
    }
    let words = argument.split(separator: " ").map(String.init)
    let outcome = try await completion(
      words + ["2", "\(prefix.utf8.count)", "livedelta", words[0], prefix],
      environment: ["LIVEDELTA_SERVER": service.address], isEmpty: expected.isEmpty)
    #expect(outcome.lines.map(String.init) == expected, "\(outcome)")
    await service.stop()
  }

  @Test func `the server that the line names is asked, as bash splits it`() async throws {
    let service = try await TestService()
    try await service.client().put(
      Array("[]".utf8), to: CollectionAddress(client: "u42", name: "inbox"))
    let parts = service.address.split(separator: ":")
    let words = ["livedelta", "get", "--server", "\(parts[0])", ":", "\(parts[1])", "-c", "u42/"]
    let outcome = try await completion(["get", "--", "--collection", "7", "4"] + words)
    #expect(outcome.output == "u42/inbox\n", "\(outcome.errors)")
    await service.stop()
  }

  /// What is completed; asked for again where a busy machine had no answer within the second that there is.
  private func completion(
    _ words: [String], environment: [String: String] = [:], isEmpty: Bool = false
  ) async throws -> Program.Outcome {
    _ = try await Program.run("completion", "bash")
    for _ in 0..<9 {
      let outcome = try await Program.run(["---completion"] + words, environment: environment)
      if isEmpty || !outcome.output.isEmpty { return outcome }
    }
    return try await Program.run(["---completion"] + words, environment: environment)
  }

  @Test func `a shell that there is not is 64`() async throws {
    #expect(try await Program.run("completion", "csh").status == 64)
  }
}
