import CollectionService
import DeltaHTTP
import Foundation
import HTTPTestSupport
import SnapshotJSON
import Subprocess
import TestSupport
import Testing
import VersionedCollections

/// How dialects are asked for, and what their answers look like on the wire.
@Suite(.timeLimit(.minutes(10))) struct DialectWireTests {
  private let inbox = TestService.inbox
  private let types = [
    "staged": "application/vnd.livedelta.staged+json", "ops": "application/vnd.livedelta.ops+json",
    "splice": "application/vnd.livedelta.splice+json",
    "diffable": "application/vnd.livedelta.diffable+json",
    "json-patch": "application/json-patch+json",
    "snapshot": "application/vnd.livedelta.snapshot+json",
  ]

  @Test func `a dialect is chosen by name or by media type, and told as its type`() async throws {
    try await TestService.run { server in
      let from = try await server.put(#"[{"id":1}]"#)
      _ = try await server.put(#"[{"id":2}]"#)
      let path = inbox + "/delta?since=\(from)"
      for (name, type) in types {
        let byName = try await server.send("GET", path + "&dialect=\(name)", ["Accept": "x/y"])
        let byType = try await server.send(
          "GET", path, ["Accept": "application/json;q=0.9, \(type), text/html"])
        for answer in [byName, byType] {
          #expect(answer.status == 200)
          #expect(answer["Content-Type"] == type)
          #expect(answer["Vary"]?.contains("Accept") == true)
        }
        #expect(byName.body == byType.body)
      }
    }
  }

  @Test func `the weights of Accept decide between dialects`() async throws {
    try await TestService.run { server in
      let from = try await server.put(#"[{"id":1}]"#)
      _ = try await server.put(#"[{"id":2}]"#)
      for (accept, type) in [
        (
          "application/vnd.livedelta.ops+json;q=0.5, application/vnd.livedelta.splice+json;q=0.6",
          types["splice"]
        ),
        ("application/json-patch+json;q=0.9, application/json;q=0.8", types["json-patch"]),
        ("*/*, application/json;q=0, application/vnd.livedelta.staged+json;q=0", types["ops"]),
        ("application/*", "application/json"),
      ] {
        let answer = try await server.send(
          "GET", inbox + "/delta?since=\(from)", ["Accept": accept])
        #expect(answer["Content-Type"] == type, "\(accept)")
      }
    }
  }

  @Test func `what nobody speaks is 406, with all there is`() async throws {
    try await TestService.run { server in
      _ = try await server.put("[]")
      for (query, accept) in [("?dialect=morse", "*/*"), ("", "application/vnd.morse+json")] {
        let answer = try await server.send("GET", inbox + "/delta" + query, ["Accept": accept])
        #expect(answer.status == 406)
        #expect(answer.json["code"].string == "not-acceptable")
        for (name, type) in types {
          #expect(answer.json["detail"].string?.contains("\(name) (\(type))") ?? false)
        }
      }
      let odd = try await server.send("GET", inbox + "/delta?dialect=ops&headers=yes")
      #expect(odd.status == 400)
      #expect(odd.json["code"].string == "bad-parameter")
    }
  }

  @Test func `entity tags differ by dialect, and each stands for the version`() async throws {
    try await TestService.run { server in
      let version = try await server.put(#"[{"id":1}]"#)
      var tags: Set<String> = []
      for query in types.keys.map({ "?dialect=\($0)" }) + ["?dialect=ops&headers=1", ""] {
        let answer = try await server.send("GET", inbox + query)
        let tag = try #require(answer["ETag"])
        #expect(tag.hasPrefix("\"\(version)"))
        #expect(tags.insert(tag).inserted)
        #expect(
          try await server.send("GET", inbox + query, ["If-None-Match": tag]).status == 304)
      }
    }
  }

  @Test func `what is no delta comes in the envelope, as JSON`() async throws {
    try await TestService.run { server in
      let version = try await server.put(#"[{"id":1}]"#)
      for (query, kind) in [("", "snapshot"), ("&since=\(version)", "unchanged")] {
        let answer = try await server.send("GET", inbox + "/delta?dialect=json-patch" + query)
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer.json["kind"].string == kind)
      }
      let written = try await server.send(
        "PUT", inbox, ["Prefer": "return=delta", "Accept": "application/json-patch+json"],
        #"[{"id":2}]"#)
      #expect(written["Content-Type"] == "application/json-patch+json")
      #expect(written.json[0]["op"].string == "test")
    }
  }

  @Test func `a change of meta alone is told in every dialect`() async throws {
    try await TestService.run { server in
      var from = try await server.put(#"[{"id":1}]"#)
      for meta in [#","meta":{"a":1}"#, #","meta":[2]"#, ""] {
        let source = try JSONTree(parsing: await server.send("GET", inbox).body)
        _ = try await server.put(#"{"items":[{"id":1}]\#(meta)}"#)
        try await checkAll(server, from: from, source: source)
        from = try #require(await server.send("GET", inbox)["Collection-Version"])
      }
    }
  }

  @Test func `readers of one dialect share one encoding`() async throws {
    try await TestService.run { server in
      let from = try await server.put(#"[{"id":1}]"#)
      _ = try await server.put(#"[{"id":2}]"#)
      let before = server.service.counters.encodings.value
      for _ in 0..<3 {
        for dialect in ["ops", "splice", "ops&headers=1"] {
          _ = try await server.send("GET", inbox + "/delta?since=\(from)&dialect=\(dialect)")
        }
      }
      #expect(server.service.counters.encodings.value == before + 3)
    }
  }

  @Test(arguments: [1, 2]) func `random pairs over HTTP, each dialect`(seed: UInt64) async throws {
    var random = RandomCollections(seed: 1000 + seed)
    try await TestService.run { server in
      var from = try await server.put(random.body)
      for _ in 0..<100 {
        let source = try JSONTree(parsing: await server.send("GET", inbox).body)
        random.advance()
        let to = try await server.put(random.body)
        if to == from { continue }
        try await checkAll(server, from: from, source: source, "seed \(seed)")
        from = to
      }
    }
  }

  @Test func `the history of a real list, each dialect`() async throws {
    try await TestService.run { server in
      var source: (version: String, document: JSONTree)?
      for body in try await RealHistory.snapshots() {
        let version = try await server.put(body)
        let document = try JSONTree(parsing: await server.send("GET", inbox).body)
        if let source, source.version != version {
          try await checkAll(server, from: source.version, source: source.document)
        }
        source = (version, document)
      }
    }
  }

  @Test func `deltas between versions that are kept lead back and forth in each dialect`()
    async throws
  {
    var random = RandomCollections(seed: 7)
    try await TestService.run { server in
      var versions: [(token: String, document: JSONTree)] = []
      while versions.count < 12 {
        let token = try await server.put(random.body)
        random.advance()
        if token == versions.last?.token { continue }
        versions.append((token, try JSONTree(parsing: await server.send("GET", inbox).body)))
      }
      var checked = 0
      for from in versions {
        for to in versions where to.token != from.token {
          for dialect in CheckedDialect.all {
            let answer = try await server.send(
              "GET", inbox + "/delta?from=\(from.token)&to=\(to.token)&dialect=\(dialect.name)")
            // What neither the reader nor the collection has any more cannot be told.
            if answer.status == 410 { continue }
            try dialect.check(JSONTree(parsing: answer.body), from: from.document, to: to.document)
            checked += 1
          }
        }
      }
      #expect(checked > 100)
    }
  }

  @Test func `streams and sync speak each dialect`() async throws {
    try await TestService.run { server in
      let from = try await server.put(#"[{"id":1},{"id":2},{"id":3}]"#)
      let source = try JSONTree(parsing: await server.send("GET", inbox).body)
      _ = try await server.put(#"[{"id":3},{"id":1,"n":1},{"id":4}]"#)
      let target = try JSONTree(parsing: await server.send("GET", inbox).body)
      for dialect in CheckedDialect.all {
        let stream = try await server.send(
          "GET", inbox + "/delta?since=\(from)&closeafter=event&dialect=\(dialect.name)",
          ["Accept": "text/event-stream"])
        let line = try #require(stream.text.split(separator: "\n").first { $0.hasPrefix("data: ") })
        try dialect.check(
          JSONTree(parsing: Array(line.dropFirst(6).utf8)), from: source, to: target)
        let sync = try await server.send(
          "POST", "/v1/clients/u42/sync?dialect=\(dialect.name)", [:],
          #"{"collections":{"inbox":"\#(from)"}}"#)
        #expect(sync["Content-Type"]?.contains("json-patch") == false)
        let delta = try known(JSONTree(parsing: sync.body)["collections"]["inbox"])
        try dialect.check(delta, from: source, to: target)
      }
    }
  }

  /// Asks for the delta in each dialect, and applies it.
  private func checkAll(
    _ server: TestService, from: String, source: JSONTree, _ comment: String = ""
  ) async throws {
    let target = try JSONTree(parsing: await server.send("GET", inbox).body)
    for dialect in CheckedDialect.all {
      let path = inbox + "/delta?since=\(from)&dialect=\(dialect.name)"
      let delta = try JSONTree(parsing: await server.send("GET", path).body)
      do {
        try dialect.check(delta, from: source, to: target)
      } catch {
        Issue.record("\(dialect.name) \(comment): \(error)\n\(delta.text)")
      }
    }
  }
}

/// Versions of a list that people made: the Awesome Swift list when the file is at hand, else the
/// sample that comes with the project.
private enum RealHistory {
  private static let shared = PackageFolder.url
    .appending(path: "../shared/data/awesome-swift.ndjson.gz")

  /// Bodies of PUTs, oldest first.
  static func snapshots() async throws -> [String] {
    let hasShared = FileManager.default.fileExists(atPath: shared.path)
    let lines = try await hasShared ? inflated() : sample()
    return try lines.map { line in
      let root = try JSONReader().read(Array(line)).root
      let sections = try #require(root["sections"])
      return #"{"sections":"# + String(decoding: sections.minified(), as: UTF8.self) + "}"
    }
  }

  private static func sample() throws -> [Data] {
    try Data(contentsOf: PackageFolder.url.appending(path: "examples/movies.ndjson"))
      .split(separator: 0x0A)
  }

  private static func inflated() async throws -> [Data] {
    let outcome = try await Subprocess.run(
      .name("gunzip"), arguments: ["-c", shared.path], output: .bytes(limit: .max))
    return Data(outcome.standardOutput).split(separator: 0x0A)
  }
}
