import Foundation
import HTTPTestSupport
import LiveDeltaClient
import TestSupport
import Testing

@testable import livedelta

/// What only a process can show: its end, its standard streams, and the shell around it.
@Suite(.timeLimit(.minutes(10))) struct ProcessTests {
  @Test func `what was acknowledged outlasts kill -9, a second process is kept out`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "livedelta-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let inbox = CollectionAddress(client: "u42", name: "inbox")
    let first = try await RunningService("--data", folder)
    let version = try await first.client().put(Array(#"[{"id":1}]"#.utf8), to: inbox).value.version
    let second = try await Program.run(
      "serve", "--data", folder, "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0")
    #expect(second.status == 78)
    #expect(second.errors.contains("in use by another livedelta"))
    first.send(SIGKILL)
    _ = await first.end()
    let third = try await RunningService("--data", folder)
    let answer = try await third.client().delta(of: inbox, since: version).value
    #expect(answer == .unchanged(version: version, seq: 1))
    await third.stop()
  }

  @Test func `a library that changes the environment first leaves the program its arguments`()
    async throws
  {
    let source = "__attribute__((constructor)) static void f(void) { setenv(\"X\", \"1\", 1); }"
    let outcome = try await Program.shell(
      """
      d=$(mktemp -d) && trap 'rm -r "$d"' EXIT
      printf '#include <stdlib.h>\\n%s' '\(source)' | clang -x c -shared -fPIC -o "$d/p.so" - || exit 99
      LD_PRELOAD="$d/p.so" livedelta serve --version
      LD_PRELOAD="$d/p.so" livedelta nonsense "" x || echo $?
      """)
    #expect(outcome.lines == [Substring(LiveDeltaVersion.text), "64"], "\(outcome)")
    #expect(outcome.errors.contains("There is no command \"nonsense\""))
  }

  @Test func `a result that a full disk does not take ends the program with an error`()
    async throws
  {
    let diff = "livedelta diff examples/inbox-1.json examples/inbox-2.json"
    for format in ["", " --json"] {
      let outcome = try await Program.shell("\(diff)\(format) >/dev/full")
      #expect(outcome.status == 74)
      #expect(outcome.errors == "livedelta: standard output: No space left on device\n")
    }
    // Whoever wants no result, or no more of it, is not told.
    let outcome = try await Program.shell("\(diff) >&-; echo $?; \(diff) | head -n 1")
    #expect(outcome.output == "0\nstep 1 of 3\n", "\(outcome.output)")
    #expect(outcome.errors.isEmpty)
  }

  @Test func `a pipe that others made non-blocking gets the whole result`() async throws {
    let files = try TemporaryFiles()
    let old = try files.add("[]")
    let items = (0..<50_000).map { #"{"id":"item \#($0)"}"# }.joined(separator: ",")
    let new = try files.add("[\(items)]")
    let diff = "livedelta diff \(old) \(new)"
    let unblock = "python3 -c 'import fcntl, os; fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK)'"
    let outcome = try await Program.shell("\(diff) | wc -c; (\(unblock); \(diff)) | wc -c")
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines.first == outcome.lines.last, "\(outcome.output)")
    #expect(outcome.errors.isEmpty)
  }

  @Test func `a token is in no log`() async throws {
    let log = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID())")
    defer { try? FileManager.default.removeItem(at: log) }
    let lines = try await Program.shell(
      """
      livedelta serve --data :memory: --listen unix:\(log.path).sock --ops 127.0.0.1:0 \\
        >\(log.path) 2>&1 &
      until [ -S \(log.path).sock ]; do :; done
      LIVEDELTA_TOKEN=ld_hidden livedelta get u42/inbox --server unix:\(log.path).sock
      kill $! && wait $!
      cat \(log.path)
      """)
    #expect(lines.output.contains("\"kind\":"), "\(lines.output) \(lines.errors)")
    #expect(!lines.output.contains("ld_hidden") && !lines.errors.contains("ld_hidden"))
  }

  @Test(arguments: [("wat", "watch"), ("put --color n", "never")])
  func `bash completes commands and values`(words: String, expected: String) async throws {
    let outcome = try await Program.shell(
      """
      source <(livedelta --generate-completion-script bash)
      COMP_WORDS=(livedelta \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE="livedelta \(words)"; COMP_POINT=${#COMP_LINE}
      _livedelta livedelta "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      echo "${COMPREPLY[@]}"
      """)
    #expect(outcome.output == expected + "\n", "\(outcome.errors)")
  }

  @Test func `an end has the exit code of its cause`() async throws {
    #expect(try await Program.run("get", "u42/inbox", "--server", "127.0.0.1:1").status == 69)
    #expect(try await Program.run("nonsense").status == 64)
    #expect(try await Program.run("--version").output == "0.1.0\n")
  }

  @Test func `a demo starts, changes its list and ends`() async throws {
    let outcome = try await Program.run(
      "demo", "--listen", "127.0.0.1:0", "--every", "0", "--changes", "5")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.output.contains("  livedelta watch demo/inbox --server "))
    #expect(outcome.lines.count { $0.hasPrefix("demo/inbox ") } == 5, "\(outcome)")
  }

  @Test func `the image starts only with keys, and only itself reaches its operations listener`()
    async throws
  {
    let image = try String(contentsOf: Program.root.appending(path: "Dockerfile"), encoding: .utf8)
    #expect(!image.contains("AUTH_MODE") && !image.contains("--auth"))
    let command = try #require(image.split(separator: "\n").last { $0.hasPrefix("CMD ") })
    let arguments = JSONTree(Array(command.dropFirst("CMD ".count).utf8)).elements.dropFirst()
      .compactMap(\.string).map {
        $0.replacing(":8080", with: ":0").replacing(":8081", with: ":0")
          .replacing("/var/lib/livedelta", with: ":memory:")
      }
    #expect(arguments.contains("0.0.0.0:0"))
    let refused = try await Program.run(["serve"] + arguments)
    #expect(refused.status == 78)
    #expect(refused.errors.contains("livedelta keys new --scope"))
    let service = try await RunningService(
      arguments, environment: ["LIVEDELTA_AUTH_KEYS": Keys.line("a", "write:**")])
    #expect(service.operations.hasPrefix("127.0.0.1:"))
    #expect(try await service.client().request("GET", "/v1").status == 401)
    await service.stop()
  }
}
