import Authentication
import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// `livedelta copy`, from one service to another.
@Suite(.timeLimit(.minutes(10))) struct CopyTests {
  /// Contents of every kind, by the names of their collections.
  private static let contents = [
    "u42/inbox":
      #"{"sections":[{"id":"a","title":"A","items":[{"id":1,"x":"é\u0041"}]},{"id":"b","items":[]}],"meta":{"m":1.0}}"#,
    "u42/flat": #"[{"id":"b","n":1.0},{"id":7}]"#,
    "u42/again": #"{"settings":{"identity":"occurrence"},"items":[{"id":1},{"id":1}]}"#,
    "u42/paths":
      #"{"settings":{"idPath":"/key","itemsPath":"/rows","sectionsPath":"/data/groups"},"data":{"groups":[{"key":"g","rows":[{"key":1}]}]}}"#,
    "u42/derived":
      #"{"settings":{"sectionBy":{"path":"/c","headerFrom":["/t"],"other":"?"},"sortBy":[{"path":"/n"}]},"items":[{"id":1,"c":"x","t":1,"n":"b"},{"id":2,"n":"a"}]}"#,
    "u42/nested":
      #"{"settings":{"nested":{"path":"/l"},"animations":{"rows":{"insert":"fade"}}},"items":[{"id":1,"l":[{"id":2}]}]}"#,
    "B/first": "[]", "u7/list": #"[{"id":1}]"#,
  ]

  private func withServices(
    _ environment: [String: String] = [:],
    _ body: (_ source: RunningService, _ target: RunningService) async throws -> Void
  ) async throws {
    let source = try await RunningService()
    let target = try await RunningService(environment: environment)
    for (name, content) in Self.contents {
      try await source.client().put(Array(content.utf8), to: try CollectionAddress(name))
    }
    try await body(source, target)
    await source.stop()
    await target.stop()
  }

  private func copy(
    _ source: RunningService, _ target: RunningService, _ arguments: String...
  ) async throws -> Program.Outcome {
    try await Program.run(
      ["copy", "--server", source.listening[0], "--to", target.listening[0]] + arguments)
  }

  /// What a service has: of each collection the content and the settings.
  private func holdings(_ service: RunningService) async throws -> [String: [String]] {
    let client = try service.client()
    var found: [String: [String]] = [:]
    for owner in try await client.clients().value.elements {
      for entry in try await client.collections(of: owner.name).value.elements {
        let address = CollectionAddress(client: owner.name, name: entry.name)
        let snapshot = try await client.request("GET", address.path).text
        // Without the version, which is the service's own.
        let content = snapshot[try #require(snapshot.range(of: #""sections":"#)).lowerBound...]
        found["\(address)"] = [String(content), try await client.settings(of: address).text]
      }
    }
    return found
  }

  @Test func `all is copied, content and settings, and once more changes nothing`() async throws {
    try await withServices { source, target in
      let outcome = try await copy(source, target)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let names = outcome.lines.map { $0.prefix { $0 != " " } }
      #expect(names.first == "B/first" && names.last == "u7/list")
      #expect(names.count == Self.contents.count)
      #expect(outcome.lines.allSatisfy { $0.contains(" created: version ") })
      #expect(try await holdings(target) == holdings(source))
      let again = try await copy(source, target)
      #expect(again.lines.allSatisfy { $0.contains(" unchanged: version ") }, "\(again.output)")
    }
  }

  @Test func `one client, one collection, and what follows a collection`() async throws {
    try await withServices { source, target in
      let one = try await copy(source, target, "u42/flat", "--json")
      let line = JSONTree(Array(one.output.utf8))
      #expect(line["collection"].string == "u42/flat")
      #expect(line["changed"].bool == true && line["version"].string != nil)
      let rest = try await copy(source, target, "u42/", "--after", "u42/inbox")
      #expect(rest.lines.count == 2, "\(rest.errors)")
      #expect(try await copy(source, target, "u7").lines.count == 1)
      let names = try await holdings(target).keys
      #expect(Set(names) == ["u42/flat", "u42/nested", "u42/paths", "u7/list"])
      #expect(try await copy(source, target, "--after", "u42/zzz").lines.count == 1)
      #expect(try await copy(source, target, "nobody").output.isEmpty)
    }
  }

  @Test func `what cannot be copied says which, why, and how to go on`() async throws {
    try await withServices(["LIVEDELTA_LIMITS_ITEMS_MAX": "1"]) { source, target in
      let outcome = try await copy(source, target)
      #expect(outcome.status == 65)
      let there = "u42/again at http://\(target.listening[0])"
      #expect(outcome.errors.hasPrefix("livedelta: \(there): 413 "), "\(outcome.errors)")
      #expect(outcome.errors.contains("\n  to go on from there: --after B/first\n"))
      #expect(try await copy(source, target, "u42/none").status == 66)
      for wrong in ["/", "a/b/c", "/a"] {
        #expect(try await copy(source, target, wrong).status == 64, "\(wrong)")
      }
      #expect(try await copy(source, target, "--after", "u42").status == 64)
    }
  }

  @Test func `each service gets its own token`() async throws {
    let key = "w \(KeyDigest(of: "secret".utf8)) write:**"
    try await withServices(["LIVEDELTA_AUTH_KEYS": key]) { source, target in
      let files = try TemporaryFiles()
      let arguments = ["copy", "u7", "--server", source.listening[0], "--to", target.listening[0]]
      let token = ["LIVEDELTA_TOKEN": "secret"]
      #expect(try await Program.run(arguments, environment: token).status == 77)
      let file = ["--to-token-file", try files.add("secret\n")]
      let outcome = try await Program.run(arguments + file)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test func `a copy of a directory shows what is damaged in it`() async throws {
    let files = try TemporaryFiles()
    let (source, target) = (files.path + "/source", files.path + "/target")
    let service = try await RunningService("--data", source)
    for name in ["u42/inbox", "u42/other"] {
      try await service.client().put(Array("[]".utf8), to: try CollectionAddress(name))
    }
    await service.stop()
    let damage = """
      import sqlite3
      with sqlite3.connect("\(source)/livedelta.sqlite") as db:
        db.execute("UPDATE collection SET name = 'in box' WHERE name = 'inbox'")
      """
    let damaging = try await Program.shell("python3 - <<'EOF'\n\(damage)\nEOF")
    #expect(damaging.status == 0, "\(damaging.errors)")
    let outcome = try await Program.run("copy", "--from", source, "--to", target)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        "livedelta: u42: 1 collections of the client have damaged names\n"), "\(outcome.errors)")
  }
}
