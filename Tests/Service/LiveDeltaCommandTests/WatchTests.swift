import DeltaEngine
import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// `watch` goes on, whatever becomes of the collection, the service and the line to it.
@Suite(.timeLimit(.minutes(10))) struct WatchTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  private func watch(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(["watch", "-c", "u42/inbox"] + arguments)
  }

  @Test func `it waits for a collection that is not there, and over its deletion`() async throws {
    let service = try await TestService()
    let client = try service.client()
    let terminal = try PseudoTerminal(columns: 200)
    async let watch = terminal.run([
      "watch", "-c", "u42/inbox", "--server", service.address, "--color", "never",
      "--changes", "4", "--timeout", "600",
    ])
    await terminal.until("livedelta: u42/inbox does not exist; waiting for it\n")
    try await client.put(Array(#"[{"id":1}]"#.utf8), to: inbox)
    await terminal.until("  1\n")
    try await client.delete(inbox)
    await terminal.until("deleted\n")
    try await client.put(Array(#"[{"id":2},{"id":3}]"#.utf8), to: inbox)
    await terminal.until("  3\n")
    try await client.put(Array(#"[{"id":2}]"#.utf8), to: inbox)
    let heads = try await watch.split(separator: "\n").filter { !$0.hasPrefix(" ") }.dropFirst()
    #expect(heads.filter { $0.hasPrefix("snapshot ") }.count == 2)
    #expect(heads.contains { $0.hasSuffix(": 1 section, 1 item") }, "\(heads)")
    #expect(heads.contains { $0.hasSuffix(": 1 section, 2 items") })
    #expect(heads.contains("deleted"))
    #expect(heads.contains { $0.hasSuffix(", 1 step: 1 section, 1 item") })
    await service.stop()
  }

  @Test func `--until-deleted ends it at the deletion`() async throws {
    let service = try await TestService()
    let client = try service.client()
    try await client.put(Array("[]".utf8), to: inbox)
    let terminal = try PseudoTerminal(columns: 200)
    async let watch = terminal.run([
      "watch", "-c", "u42/inbox", "--server", service.address, "--until-deleted", "--json",
    ])
    await terminal.until(#""kind":"snapshot""#)
    try await client.delete(inbox)
    let lines = try await watch.split(separator: "\n")
    let kinds = lines.map { JSONTree(Array($0.utf8))["kind"].string }
    #expect(kinds == ["snapshot", "deleted"])
    await service.stop()
  }

  @Test func `--json prints changed items whole`() async throws {
    let service = try await TestService()
    let client = try service.client()
    let text = "A text that is there again, and much longer than what changes"
    let items = [1, 2].map { #"{"id":"a","text":"\#(text)","n":\#($0)}"# }
    try await client.put(Array("[\(items[0])]".utf8), to: inbox)
    let terminal = try PseudoTerminal(columns: 2000)
    async let watch = terminal.run([
      "watch", "-c", "u42/inbox", "--server", service.address, "--changes", "2", "--json",
    ])
    await terminal.until(#""kind":"snapshot""#)
    try await client.put(Array("[\(items[1])]".utf8), to: inbox)
    let lines = try await watch.split(separator: "\n").map(String.init)
    #expect(lines.last?.contains(#""kind":"delta""#) == true)
    #expect(lines.last?.contains(#""items":{"a":\#(items[1])}"#) == true, "\(lines)")
    await service.stop()
  }

  @Test func `it finds ids where the settings say, also those of a collection made anew`()
    async throws
  {
    let service = try await TestService()
    let client = try service.client()
    let put: @Sendable (String) async throws -> Void = {
      try await client.put(Array($0.utf8), to: inbox)
    }
    try await put(#"{"settings":{"idPath":"/key"},"items":[{"key":"a","title":"One"}]}"#)
    let terminal = try PseudoTerminal(columns: 200)
    async let watch = terminal.run([
      "watch", "-c", "u42/inbox", "--server", service.address, "--color", "never",
      "--changes", "5",
    ])
    await terminal.until("    a \"One\"\n")
    try await put(#"{"items":[{"key":"b","title":"Two"},{"key":"a","title":"One"}]}"#)
    await terminal.until("  + [0, 0] b \"Two\"\n")
    try await client.delete(inbox)
    await terminal.until("deleted\n")
    try await put(#"{"settings":{"idPath":"/id/text"},"items":[{"id":{"text":"c"}}]}"#)
    await terminal.until("    c\n")
    try await put(#"{"items":[]}"#)
    let lines = try await watch.split(separator: "\n")
    #expect(lines.last?.hasPrefix("  - [0, 0] c") == true, "\(lines)")
    await service.stop()
  }

  @Test func `get and delta find ids where the settings say`() async throws {
    let service = try await TestService()
    let client = try service.client()
    let first = try await client.put(
      Array(#"{"settings":{"idPath":"/key"},"items":[{"key":"a","title":"One"}]}"#.utf8), to: inbox)
    try await client.put(Array(#"{"items":[{"key":"b"},{"key":"a","title":"1"}]}"#.utf8), to: inbox)
    let connection = ["-c", "u42/inbox", "--server", service.address]
    let shown = try await Program.run(["get"] + connection)
    #expect(shown.output.contains("b\n") && shown.output.contains("a \"1\"\n"), "\(shown)")
    let delta = try await Program.run(["delta", "--since", first.value.version] + connection)
    #expect(delta.lines.contains("  + [0, 0] b"), "\(delta)")
    #expect(
      delta.lines.contains { $0.hasPrefix("  ~ [0, ") && $0.hasSuffix("a \"1\"") }, "\(delta)")
    await service.stop()
  }

  @Test func `it goes on when the service was away`() async throws {
    let files = try TemporaryFiles()
    let socket = "unix:\(files.path)/socket"
    let arguments = ["--listen", socket, "--data", files.path + "/data"]
    let first = try await TestService(arguments)
    try await first.client().put(Array(#"[{"id":1}]"#.utf8), to: inbox)
    let terminal = try PseudoTerminal(columns: 300)
    async let watch = terminal.run([
      "watch", "-c", "u42/inbox", "--server", socket, "--changes", "2", "--color", "never",
    ])
    await terminal.until("    1\n")
    await first.stop()
    await terminal.until("; trying again\n")
    let second = try await TestService(arguments)
    try await second.client().put(Array(#"[{"id":1},{"id":2,"title":"Two"}]"#.utf8), to: inbox)
    let text = try await watch
    #expect(text.hasSuffix("\n  + [0, 1] 2 \"Two\"\n"), "\(text)")
    await second.stop()
  }

  @Test func `a connection that stalls is given up for another`() async throws {
    let snapshot = #"{"kind":"snapshot","collection":"inbox","version":"v1","seq":1,"items":[]}"#
    let delta = """
      {"kind":"delta","collection":"inbox","from":"v1","to":"v2","seq":2,
       "steps":[{"insert":{"items":[[0,0,"a"]]},"counts":[1]}],"items":{"a":{"id":"a"}}}
      """
    let polls = Locked(0)
    let peer = try ScriptedPeer(answering: { request in
      if request.contains("/settings ") { return .init(body: "{}") }
      if request.contains("since=&") { return .init(body: snapshot) }
      let isFirst = polls.withLock { polls in
        polls += 1
        return polls == 1
      }
      return isFirst ? nil : .init(body: delta)
    })
    let outcome = try await watch("--server", peer.address, "--timeout", "2", "--changes", "2")
    peer.stop()
    #expect(outcome.status == 0)
    #expect(outcome.lines.last == "  + [0, 0] a", "\(outcome)")
    #expect(outcome.errors.contains("timed out"))
  }

  @Test func `--time says when each change came`() async throws {
    let service = try await TestService()
    try await service.client().put(Array("[]".utf8), to: inbox)
    let text = try await watch("--server", service.address, "--changes", "1", "--time")
    #expect(text.output.prefixMatch(of: /20[-0-9]{8}T[:0-9]{8}\.[0-9]{3}Z snapshot\ /) != nil)
    let json = try await watch(
      "--server", service.address, "--changes", "1", "--time", "--json")
    let line = JSONTree(Array(json.output.utf8))
    #expect(line["time"].string?.count == 24)
    #expect(line["answer"]["kind"].string == "snapshot")
    await service.stop()
  }

  @Test func `a service that was never there ends it`() async throws {
    #expect(try await watch("--server", "127.0.0.1:1").status == 69)
  }
}
