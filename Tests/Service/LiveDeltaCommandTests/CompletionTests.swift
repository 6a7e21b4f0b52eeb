import Testing

/// What the shell completes.
@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func `there is a script for each shell`(shell: String) async throws {
    let script = try await Program.run("--generate-completion-script", shell)
    #expect(script.status == 0)
    for command in ["ls", "patch", "settings", "watch"] { #expect(script.output.contains(command)) }
  }

  @Test func `a shell that there is not is 64`() async throws {
    #expect(try await Program.run("--generate-completion-script", "csh").status == 64)
  }
}
