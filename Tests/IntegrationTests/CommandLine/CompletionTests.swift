import Foundation
import LiveDeltaClient
import Testing

/// What the shell completes, and the manual.
@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func `there is a script for each shell`(shell: String) async throws {
    let script = try await Program.run("--generate-completion-script", shell)
    #expect(script.status == 0)
    for command in ["ls", "patch", "settings", "watch"] { #expect(script.output.contains(command)) }
  }

  @Test(arguments: [
    ("get -c u", "u42/"), ("ls u", "u42"), ("get -c u42/", "u42/cart u42/inbox"),
    ("rm u42/i", "u42/inbox"), ("watch --collection u42/c", "u42/cart"),
    ("settings get -c u42/", "u42/cart u42/inbox"), ("wat", "watch"), ("put --color n", "never"),
  ])
  func `bash completes commands, and collections of the running service`(
    words: String, expected: String
  ) async throws {
    let service = try await RunningService()
    for name in ["inbox", "cart"] {
      try await service.client().put(
        Array("[]".utf8), to: CollectionAddress(client: "u42", name: name))
    }
    let outcome = try await Program.shell(
      """
      source <(livedelta --generate-completion-script bash)
      COMP_WORDS=(livedelta \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE="livedelta \(words)"; COMP_POINT=${#COMP_LINE}
      _livedelta livedelta "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      echo "${COMPREPLY[@]}"
      """, environment: ["LIVEDELTA_SERVER": service.listening[0]])
    #expect(outcome.output == expected + "\n", "\(outcome.errors)")
    await service.stop()
  }

  @Test func `the server that the line names is asked, as bash splits it`() async throws {
    let service = try await RunningService()
    try await service.client().put(
      Array("[]".utf8), to: CollectionAddress(client: "u42", name: "inbox"))
    let parts = service.listening[0].split(separator: ":")
    let words = ["livedelta", "get", "--server", "\(parts[0])", ":", "\(parts[1])", "-c", "u42/"]
    let outcome = try await Program.run(
      ["---completion", "get", "--", "--collection", "7", "4"] + words)
    #expect(outcome.output == "u42/inbox\n", "\(outcome.errors)")
    await service.stop()
  }

  @Test func `the manual has every command and option`() async throws {
    let page = try String(
      contentsOf: Program.root.appending(path: "docs/livedelta.1"), encoding: .utf8)
    for command in [
      "serve", "keys", "check", "backup", "verify", "replay", "ls", "put", "get", "patch", "batch",
      "rm", "settings", "copy", "watch", "changes", "delta", "diff", "versions", "show", "revert",
    ] {
      let help = try await Program.run("help", command).output
      for option in help.matches(of: /\n  --([a-z\-]+)/) where option.1 != "version" {
        #expect(page.contains("Fl -\(option.1)"), "scripts/manual: \(command) --\(option.1)")
      }
    }
  }
}
