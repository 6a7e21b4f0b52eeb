import ArgumentParser
import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import TestSupport
import Testing

@testable import livedelta

/// The program as users see it: output, exit codes, settings.
@Suite(.timeLimit(.minutes(10))) struct CommandLineTests {
  @Test(arguments: [
    "demo", "serve", "check", "backup", "restore", "verify", "replay", "ls", "put", "get", "patch",
    "batch",
    "rm", "settings get", "settings set", "copy", "watch", "changes", "delta", "diff", "versions",
    "show", "revert", "migrate", "keys new", "admin ls",
  ])
  func `the help of each command has an example`(command: String) async throws {
    let help = try await Program.run(["help"] + command.split(separator: " ").map(String.init))
    #expect(help.status == 0)
    #expect(help.output.contains("\n  livedelta \(command)"))
    // ArgumentParser does not wrap the line of the usage.
    for line in help.lines where !line.hasPrefix("USAGE: ") {
      #expect(line.count <= 100, "\(line)")
    }
  }

  @Test func `help shows each command once, the exit codes and where settings can be`()
    async throws
  {
    for arguments in [[], ["--help"], ["help"]] {
      let help = try await Program.run(arguments)
      #expect(help.status == 0 && help.output.contains("LIVEDELTA_CONFIG"))
      for line in help.lines { #expect(line.count <= 80, "\(line)") }
      for command in LiveDeltaCommand.configuration.subcommands {
        let name = "\n  \(command._commandName) "
        #expect(help.output.ranges(of: name).count == 1, "\(name)")
      }
      for status in ExitStatus.allCases {
        #expect(help.output.ranges(of: "\n  \(status.rawValue) ").count == 1, "\(status)")
      }
    }
  }

  @Test func `the help of a command has the options for connecting`() async throws {
    let help = try await Program.run("help", "get").output
    for option in ["--server", "--timeout", "--token-file", "--config", "--json", "--color"] {
      #expect(help.contains(option))
    }
  }

  @Test func `the arguments that the kernel has end with a zero each`() throws {
    let rows: [(String, [String])] = [
      ("", []), ("livedelta\0", ["livedelta"]),
      ("livedelta\0serve\0--data\0\0ä b\0", ["livedelta", "serve", "--data", "", "ä b"]),
    ]
    for (text, arguments) in rows {
      #expect(ProcessArguments.arguments(in: Array(text.utf8)) == arguments)
    }
    #expect(try ProcessArguments.all().first == CommandLine.arguments[0])
  }

  @Test func `a wrong command line is 64`() async throws {
    #expect(try await Program.run("put").status == 64)
    #expect(try await Program.run("nonsense").status == 64)
    #expect(try await Program.run("get", "--nonsense").status == 64)
    #expect(try await Program.run("get", "u42/a", "-c", "u42/b").status == 64)
    let setting = try await Program.run("settings", "set", "retention.versions=3")
    #expect(setting.status == 64 && setting.errors.contains("which collection?"), "\(setting)")
    let unnamed = try await Program.run("get")
    #expect(unnamed.status == 64)
    #expect(unnamed.errors.hasPrefix("livedelta: which collection? name it as CLIENT/NAME\n"))
  }

  @Test func `a file that is not there is 66, and named`() async throws {
    let outcome = try await Program.run("put", "/nonexistent/x.json", "u42/inbox")
    #expect(outcome.status == 66)
    #expect(outcome.errors == "livedelta: /nonexistent/x.json: No such file or directory\n")
  }

  @Test func `a service that is not there is 69`() async throws {
    let outcome = try await Program.run("get", "u42/inbox", "--server", "127.0.0.1:1")
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("127.0.0.1:1"))
    #expect(try await Program.run("check", "--ops", "127.0.0.1:1").status == 69)
  }

  @Test func `a directory for data that cannot be had is 78, and what to do is said`() async throws
  {
    let outcome = try await Program.run("serve", "--data", "/dev/null/data")
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("a file stands where the directory should be"))
    let word = try await Program.run("serve", "--data", ":memory:", "--durability", "some")
    #expect(word.status == 78)
    #expect(word.errors.contains("one of full, normal"))
  }

  @Test func `a back-up is made while the service runs, verified, and served`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "livedelta-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let inbox = CollectionAddress(client: "u42", name: "inbox")
    let service = try await TestService("--data", folder)
    let version = try await service.client().put(Array(#"[{"id":1}]"#.utf8), to: inbox).value
      .version
    try FileManager.default.createDirectory(
      atPath: folder + "/copy", withIntermediateDirectories: true)
    let file = folder + "/copy/livedelta.sqlite"
    let backup = try await Program.run("backup", file, "--data", folder)
    #expect(backup.status == 0, "\(backup.errors)")
    #expect(try await Program.run("backup", file, "--data", folder).status == 73)
    try await service.client().put(Array(#"[{"id":2}]"#.utf8), to: inbox)
    let verify = try await Program.run("verify", file)
    #expect(verify.output == "1 collection, 1 version, 1 request: all as it was written\n")
    let running = try await Program.run("verify", "--data", folder, "--json")
    #expect(JSONTree(Array(running.output.utf8))["versions"].int == 2)
    let restored = try await TestService("--data", folder + "/copy")
    let answer = try await restored.client().delta(of: inbox, since: version).value
    #expect(answer == .unchanged(version: version, seq: 1))
    await restored.stop()
    await service.stop()
    #expect(try await Program.run("verify", "--data", folder + "/none").status == 66)
  }

  @Test(arguments: ["8080", "host:", ":80", "host:99999", "host:x"])
  func `an address to listen on that is none is 78`(address: String) async throws {
    let outcome = try await Program.run("serve", "--data", ":memory:", "--listen", address)
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("\"\(address)\""))
  }

  @Test func `an address that is taken is told`() async throws {
    let service = try await TestService()
    let outcome = try await Program.run(
      "serve", "--data", ":memory:", "--ops", "127.0.0.1:0", "--listen",
      service.address)
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("already in use"))
    await service.stop()
  }

  @Test func `put, get, delta and check talk to a service over TCP and a Unix socket`() async throws
  {
    let path = "\(NSTemporaryDirectory())livedelta-\(UUID().uuidString).sock"
    let socket = "unix:\(path)"
    let service = try await TestService("--listen", socket)
    let server = service.address
    #expect(service.listening.last == socket)

    let put = try await Program.run(
      "put", "examples/inbox-1.json", "u42/inbox", "--server", server)
    #expect(put.status == 0)
    let version = try #require(
      put.output.split(whereSeparator: { " ,".contains($0) }).dropFirst(3).first)
    #expect(
      put.output
        == "u42/inbox created: version \(version), 2 sections and 5 items inserted\n", "\(put)")
    let stale = try await Program.run(
      "put", "examples/inbox-2.json", "-c", "u42/inbox", "--server", socket, "--if-version",
      "abcdefgh.1.AAAAAAAAAAAAAAAA"
    )
    #expect(stale.status == 73)
    #expect(stale.errors.contains("412 version-conflict"))
    let again = try await Program.run(
      "put", "examples/inbox-2.json", "-c", "u42/inbox", "--server", socket, "--json")
    #expect(JSONTree(Array(again.output.utf8))["previous"].string == String(version))

    let get = try await Program.run("get", "u42/inbox", "--server", server)
    #expect(get.lines.dropFirst().first == #"pinned "Pinned", 2 items"#)
    let delta = try await Program.run(
      "delta", "-c", "u42/inbox", "--server", server, "--since", String(version), "--json")
    #expect(JSONTree(Array(delta.output.utf8))["steps"].elements.count == 3)
    let missing = try await Program.run("get", "-c", "u42/other", "--server", server)
    #expect(missing.status == 66)
    #expect(missing.errors.contains("404 collection-not-found"))

    let check = try await Program.run("check", "--ops", service.operations)
    #expect(check.output == "ready\n")
    #expect(check.status == 0)
    let writes = try await Program.run("check", "--ops", service.operations, "--writes", "--json")
    #expect(writes.output == #"{"ready":true,"status":200}"# + "\n")
    await service.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `watch prints the content, then each change`() async throws {
    let service = try await TestService()
    let server = service.address
    let client = try service.client()
    let inbox = CollectionAddress(client: "u42", name: "inbox")
    func body(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: Program.root.appending(path: "examples/\(name).json")))
    }
    try await client.put(try body("inbox-1"), to: inbox)
    async let watch = Program.run("watch", "-c", "u42/inbox", "--server", server, "--changes", "2")
    // The watcher waits for news once it has printed the content.
    try await until { service.parkedCount == 1 }
    try await client.put(try body("inbox-2"), to: inbox)
    let outcome = try await watch
    let lines = outcome.lines
    #expect(outcome.errors == "livedelta: waiting for changes of u42/inbox; Ctrl-C ends it\n")
    #expect(lines.first?.hasPrefix("snapshot ") == true)
    #expect(lines.contains(#"    m2 "Groceries""#))
    #expect(
      lines.contains { $0.hasPrefix("delta ") && $0.hasSuffix("3 steps: 3 sections, 6 items") })
    #expect(lines.contains(#"  ~ [1, 2] m3 "Trip""#))
    #expect(lines.last == "      unread: true → false", "\(lines)")
    await service.stop()
  }
}
