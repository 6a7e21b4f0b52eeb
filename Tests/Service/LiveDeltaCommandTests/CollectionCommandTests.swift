import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import Synchronization
import TestSupport
import Testing

/// The commands that read and change collections, against a service.
@Suite(.timeLimit(.minutes(10))) struct CollectionCommandTests {
  /// Runs a test with a service that has `examples/inbox-1.json` as `u42/inbox`.
  private func withInbox(
    _ body: (_ run: Runner, _ version: String) async throws -> Void
  ) async throws {
    let files = try TemporaryFiles()
    let service = try await TestService("--data", files.path + "/data")
    let run = Runner(server: service.address, files: files)
    let put = try await run.json("put", "examples/inbox-1.json", "-c", "u42/inbox")
    try await body(run, try #require(put["version"].string))
    await service.stop()
  }

  /// Runs commands against one service.
  private struct Runner {
    let server: String
    let files: TemporaryFiles

    func callAsFunction(_ arguments: String...) async throws -> Program.Outcome {
      try await Program.run(arguments + ["--server", server])
    }

    func json(_ arguments: String...) async throws -> JSONTree {
      let outcome = try await Program.run(arguments + ["--server", server, "--json"])
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      return JSONTree(Array(outcome.output.utf8))
    }

    /// Writes standard input of a command.
    func pipe(_ input: String, _ command: String) async throws -> Program.Outcome {
      let words = command.split(separator: " ").map(String.init)
      return try await Program.run(words + ["--server", server], input: input)
    }
  }

  @Test func `ls lists the collections of a client`() async throws {
    try await withInbox { run, version in
      _ = try await run.pipe(#"[{"id":1}]"#, "put - -c u42/cart")
      let lines = try await run("ls", "u42").lines
      #expect(lines.count == 2)
      #expect(lines[0].hasPrefix("cart    1 item  "))
      #expect(lines[1] == "inbox  5 items  \(version)")
      let json = try await run.json("ls", "u42")
      #expect(json["collections"].elements.map { $0["name"].string } == ["cart", "inbox"])
      let nobody = try await run("ls", "nobody")
      #expect(nobody.output.isEmpty && nobody.status == 0)
      #expect(nobody.errors == "livedelta: nobody has no collections\n")
    }
  }

  @Test func `get and show give the JSON as it is, wherever its ids are`() async throws {
    try await withInbox { run, _ in
      let stored = try await run.pipe(
        #"{"settings":{"idPath":"/key"},"items":[{"key":1}]}"#, "put - -c u42/cart --json")
      let version = try #require(JSONTree(Array(stored.output.utf8))["version"].string)
      for command in [["get"], ["show", version]] {
        let outcome = try await Program.run(
          command + ["-c", "u42/cart", "--server", run.server, "--json"])
        let json = JSONTree(Array(outcome.output.utf8))
        #expect(json["sections"][0]["items"][0]["key"].int == 1, "\(outcome.errors)")
      }
    }
  }

  @Test func `sections have their ids where the settings say, or sectionBy makes them`()
    async throws
  {
    let written = #"{"settings":{"idPath":"/key"},"sections":[{"key":"s","items":[{"key":1}]}]}"#
    let derived =
      #"{"settings":{"idPath":"/key","sectionBy":{"path":"/c"}},"items":[{"key":1,"c":"s"}]}"#
    try await withInbox { run, _ in
      for content in [written, derived] {
        let put = try await run.pipe(content, "put - u42/cart --json")
        let version = try #require(JSONTree(Array(put.output.utf8))["version"].string)
        for command in [
          ["get", "u42/cart"], ["show", version, "u42/cart"],
          ["watch", "u42/cart", "--changes", "1"],
          ["delta", "u42/cart"],
        ] {
          let outcome = try await Program.run(command + ["--server", run.server])
          #expect(outcome.status == 0 && outcome.output.contains("s, 1 item\n"), "\(outcome)")
        }
        let edit = #"{"edits":[{"op":"merge","id":"1","value":{"n":1}}]}"#
        #expect(try await run.pipe(edit, "patch - u42/cart").status == 0)
        let diff = try await run("diff", version, "head", "u42/cart")
        #expect(diff.output.contains("~ [0, 0] 1\n"), "\(diff)")
        let empty = try await run.pipe(#"{"sections":[]}"#, "diff - head u42/cart")
        #expect(empty.output.contains("s"), "\(empty)")
        #expect(try await run("rm", "u42/cart").status == 0)
      }
    }
  }

  @Test func `ls without a client lists the clients`() async throws {
    try await withInbox { run, _ in
      _ = try await run.pipe(#"[{"id":1}]"#, "put - -c u42/cart")
      _ = try await run.pipe("[]", "put - -c public/news")
      #expect(
        try await run("ls").lines == ["public   1 collection", "u42     2 collections"])
      let json = try await run.json("ls")
      #expect(json["clients"].elements.map { $0["client"].string } == ["public", "u42"])
    }
  }

  @Test func `rm deletes collections, and with --all clients`() async throws {
    try await withInbox { run, _ in
      _ = try await run.pipe("[]", "put - -c u42/cart")
      _ = try await run.pipe("[]", "put - -c u42/list")
      #expect(try await run("rm", "u42/cart").output == "u42/cart deleted\n")
      #expect(try await run("ls", "u42").lines.count == 2)
      let refused = try await run("rm", "u42")
      #expect(refused.status == 64)
      #expect(refused.errors.contains("rm --all"))
      #expect(try await run("rm", "--all", "u42").output == "u42 deleted\n")
      #expect(try await run("ls", "u42").output.isEmpty)
    }
  }

  @Test func `versions are listed, newest first`() async throws {
    try await withInbox { run, version in
      let next = try await run.json("put", "examples/inbox-2.json", "-c", "u42/inbox")
      let lines = try await run("versions", "-c", "u42/inbox").lines
      let expected = [next["version"].string ?? "", version]
      #expect(
        zip(lines, expected).allSatisfy { line, version in
          line.hasPrefix(version + "  ") && (line.hasSuffix(" ago") || line.hasSuffix("now"))
        })
      #expect(lines.count == 2)
    }
  }

  @Test func `patch takes edits and merge patches`() async throws {
    try await withInbox { run, _ in
      let edits = try await run.pipe(
        #"{"edits":[{"op":"delete","ids":["m5"]}]}"#, "patch - -c u42/inbox --json")
      #expect(JSONTree(Array(edits.output.utf8))["version"].string != nil)
      let array = try run.files.add(#"[{"op":"remove","path":"/sections/0/items/0"}]"#)
      #expect(try await run("patch", array, "-c", "u42/inbox").status == 65)
      _ = try await run.pipe(#"{"unread":null,"title":"Rome"}"#, "patch - -c u42/inbox --item m3")
      let merged = try await run.pipe(#"{"meta":{"theme":"dark"}}"#, "patch - -c u42/inbox")
      #expect(merged.status == 0, "\(merged.errors)")
      let shown = try await run.json("get", "-c", "u42/inbox")
      #expect(shown["meta"]["theme"].string == "dark")
      let items = shown["sections"].elements.flatMap { $0["items"].elements }
      #expect(items.map { $0["id"].string } == ["m1", "m2", "m3", "m4"])
      #expect(items[2].description == #"{"id":"m3","title":"Rome"}"#)
    }
  }

  @Test func `a patch that names what is not there is told with its place`() async throws {
    try await withInbox { run, _ in
      let file = try run.files.add("{\"edits\":[\n{\"op\":\"delete\",\"ids\":[\"zz\"]}]}")
      let outcome = try await run("patch", file, "-c", "u42/inbox")
      #expect(outcome.status == 73)
      #expect(outcome.errors.contains("\n  \(file):2:1: /edits/0: there is no item \"zz\""))
      for (text, status) in [("7", 65), ("[]", 65)] as [(String, Int32)] {
        let file = try run.files.add(text)
        #expect(try await run("patch", file, "-c", "u42/inbox", "--item", "m1").status == status)
      }
    }
  }

  @Test func `settings are shown as set takes them`() async throws {
    try await withInbox { run, _ in
      let set = try await run(
        "settings", "set", "-c", "u42/inbox", "emptySections=drop", "retention.versions=10",
        #"sortBy=[{"path":"/title"}]"#)
      #expect(set.status == 0, "\(set.errors)")
      let shown = try await run("settings", "get", "-c", "u42/inbox")
      #expect(shown.output == set.output)
      #expect(shown.lines.contains("emptySections=drop"))
      #expect(shown.lines.contains("retention.versions=10"))
      #expect(shown.lines.contains { $0.hasPrefix(#"sortBy=[{"path":"/title""#) })
      let copy = try run.files.add(
        try await run("settings", "get", "-c", "u42/inbox", "--json").output)
      _ = try await run("settings", "set", "-c", "u42/inbox", "emptySections=", "sortBy=")
      #expect(
        try await run("settings", "get", "-c", "u42/inbox").lines.contains("emptySections=keep"))
      let whole = try await run("settings", "set", "-c", "u42/inbox", "--file", copy)
      #expect(whole.output == shown.output, "\(whole.errors)")
      let wrong = try await run("settings", "set", "-c", "u42/inbox", "sortBi=1")
      #expect(wrong.status == 65)
      #expect(wrong.errors.contains("did you mean sortBy?"))
    }
  }

  @Test func `a batch writes all or none`() async throws {
    try await withInbox { run, _ in
      let good =
        #"{"writes":[{"collection":"cart","put":[]},{"collection":"inbox","delete":true}]}"#
      let lines = try await run.pipe(good, "batch u42 -").lines
      #expect(lines.count == 2)
      #expect(lines[0].hasPrefix("u42/cart created: version "))
      #expect(lines[1] == "u42/inbox deleted")
      let bad = """
        {"atomic":true,"writes":[{"collection":"new","put":[{"id":1}]},
          {"collection":"cart","edits":[{"op":"delete","ids":["z"]}]}]}
        """
      let refused = try await run.pipe(bad, "batch u42 -")
      #expect(refused.status == 73)
      #expect(refused.errors.contains("\n  standard input:2:"), "\(refused.errors)")
      #expect(try await run("ls", "u42").lines.count == 1)
    }
  }

  @Test func `diff compares a file with the newest version`() async throws {
    try await withInbox { run, _ in
      let files = try await run("diff", "examples/inbox-1.json", "examples/inbox-2.json")
      let mixed = try await run("diff", "head", "examples/inbox-2.json", "-c", "u42/inbox")
      #expect(mixed.output == files.output, "\(mixed.errors)")
      let same = try await run("diff", "examples/inbox-1.json", "head", "-c", "u42/inbox")
      #expect(same.output == "no difference\n")
      #expect(try await run("diff", "-", "-").status == 64)
    }
  }

  @Test func `diff compares what a view shows of files and versions`() async throws {
    try await withInbox { run, version in
      let view = ["--where", "/unread:eq:true", "--select", "/title", "--window", "first:2"]
      func diff(_ old: String, _ new: String) async throws -> Program.Outcome {
        try await Program.run(
          ["diff", old, new, "-c", "u42/inbox", "--server", run.server] + view)
      }
      let (old, new) = ("examples/inbox-1.json", "examples/inbox-2.json")
      let files = try await diff(old, new)
      #expect(files.status == 0, "\(files)")
      #expect(files.output != (try await run("diff", old, new).output))
      #expect(try await diff("head", new).output == files.output)
      #expect(try await diff(old, "head").output == "no difference\n")
      #expect(try await run("put", new, "-c", "u42/inbox").status == 0)
      #expect(try await diff(version, "head").output == files.output)
      let none = try await run("diff", old, new, "--where", "/no:eq:1")
      #expect(none.output == "no difference\n", "\(none)")
      let bad = try await run("diff", old, new, "--where", "no")
      #expect(bad.status == 65 && bad.errors.contains("\n  /where/0: byte 2"), "\(bad)")
    }
  }

  @Test func `show, diff, delta and revert know older versions whole`() async throws {
    try await withInbox { run, version in
      let shown = try await run("get", "-c", "u42/inbox").output
      let next = try await run.json("put", "examples/inbox-2.json", "-c", "u42/inbox")
      #expect(try await run("show", version, "-c", "u42/inbox").output == shown)
      let files = try await run("diff", "examples/inbox-1.json", "examples/inbox-2.json").output
      #expect(try await run("diff", version, "head", "-c", "u42/inbox").output == files)
      let back = try await run("diff", "head", version, "-c", "u42/inbox")
      #expect(back.lines.contains(#"  - [1, 0] m6 "Standup""#), "\(back)")
      let delta = try await run("delta", "--since", version, "-c", "u42/inbox").lines
      #expect(delta.contains(#"  - [1, 1] m2 "Groceries""#))
      #expect(delta.contains(#"  > [2, 0] to [0, 0] m4 "Contract""#))
      let stale = try await run("revert", version, "-c", "u42/inbox", "--if-version", version)
      #expect(stale.status == 73)
      let head = try #require(next["version"].string)
      let reverted = try await run("revert", version, "-c", "u42/inbox", "--if-version", head)
      #expect(reverted.output.hasPrefix("u42/inbox changed: version "), "\(reverted.errors)")
      #expect(try await run("diff", version, "head", "-c", "u42/inbox").output == "no difference\n")
      let none = version.split(separator: ".")[0] + ".9.AAAAAAAAAAAAAAAA"
      #expect(try await run("show", String(none), "-c", "u42/inbox").status == 66)
    }
  }

  @Test func `changes tells which collections change, and when`() async throws {
    try await withInbox { run, _ in
      let isDone = Atomic(false)
      async let shown = {
        defer { isDone.store(true, ordering: .relaxed) }
        return try await run(
          "changes", "--client", "u42", "--prefix", "ca", "--count", "2", "--time")
      }()
      let writer = DeltaClient(try ServerAddress(run.server), transport: CurlTransport())
      var number = 0
      // Nothing says when the command has begun to listen.
      while !isDone.load(ordering: .relaxed) {
        number += 1
        for name in ["cart", "inbox"] {
          try await writer.put(
            Array("[{\"id\":\(number)}]".utf8), to: CollectionAddress(client: "u42", name: name))
        }
      }
      let lines = try await shown.lines
      #expect(lines.count == 2)
      for line in lines {
        #expect(
          line.wholeMatch(of: /20[-0-9]+T[:.0-9]+Z u42\/cart [a-z0-9]{8}\.[0-9]+\..{16}/) != nil)
      }
    }
  }
}
