import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// What the program shows in a terminal.
@Suite(.timeLimit(.minutes(10))) struct TerminalTests {
  private let diff = ["inbox-1", "inbox-2"].reduce(["diff"]) {
    $0 + [Program.root.appending(path: "examples/\($1).json").path]
  }

  private func shown(
    _ more: [String] = [], columns: UInt16 = 80, environment: [String: String] = ["NO_COLOR": ""]
  ) async throws -> String {
    try await PseudoTerminal(columns: columns).run(diff + more, environment: environment)
  }

  @Test func `operations have colors in a terminal`() async throws {
    let text = try await shown()
    #expect(text.contains("\u{1b}[1mstep 1 of 3\u{1b}[0m\n"))
    #expect(text.contains("\u{1b}[32m    + [0, 0] m9 \"Tickets\"\u{1b}[0m\n"))
    #expect(text.contains("\u{1b}[31m  - [1, 1] m2 \"Groceries\"\u{1b}[0m\n"))
    #expect(text.contains("\u{1b}[36m  > [2, 0] to [0, 0] m4 \"Contract\"\u{1b}[0m\n"))
    #expect(text.contains("\u{1b}[33m  ~ [1, 2] m3 \"Trip\"\u{1b}[0m\n"))
  }

  @Test func `NO_COLOR and --color say whether there are colors`() async throws {
    #expect(try await !shown(environment: ["NO_COLOR": "1"]).contains("\u{1b}"))
    #expect(try await shown(environment: ["NO_COLOR": ""]).contains("\u{1b}[32m"))
    #expect(try await !shown(["--color", "never"]).contains("\u{1b}"))
    #expect(
      try await shown(["--color", "always"], environment: ["NO_COLOR": "1"]).contains("\u{1b}[32m"))
    #expect(try await !Program.run(diff).output.contains("\u{1b}"))
    #expect(try await Program.run(diff + ["--color", "always"]).output.contains("\u{1b}[32m"))
  }

  @Test func `lines are cut to the terminal's width, wide characters counted twice`() async throws {
    let files = try TemporaryFiles()
    let old = try files.add("[]")
    let new = try files.add(#"[{"id":"1","title":"日本語日本語日本語"},{"id":"2","title":"abc"}]"#)
    let text = try await PseudoTerminal(columns: 20).run(["diff", old, new, "--color", "never"])
    #expect(text.contains("\n  + [0, 0] 1 \"日本…\n"), "\(text)")
    #expect(text.contains("\n  + [0, 1] 2 \"abc\"\n"))
    let whole = try await Program.run("diff", old, new).output
    #expect(whole.contains("日本語日本語日本語\"\n"))
  }

  @Test func `what data says to a terminal is shown, not obeyed`() async throws {
    let files = try TemporaryFiles()
    let old = try files.add("[]")
    let new = try files.add(#"[{"id":"\u001b]0;x\u0007","title":"a\nb\u009b31m\u202e"}]"#)
    let text = try await PseudoTerminal(columns: 200).run(["diff", old, new, "--color", "never"])
    #expect(text.contains(#"\u001b]0;x\u0007 "a\u000ab\u009b31m\u202e""#), "\(text)")
    #expect(text.unicodeScalars.allSatisfy { $0.value == 10 || $0.value >= 32 && $0.value != 0x9b })
    let broken = try files.add(#"[{"id":"\u001b[31m"},{"id":"\u001b[31m"}]"#)
    let errors = try await Program.run("diff", old, broken).errors
    #expect(!errors.contains("\u{1b}"))
  }
}
