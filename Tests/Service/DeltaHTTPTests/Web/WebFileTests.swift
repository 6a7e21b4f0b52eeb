import CollectionService
import Cryptography
import Foundation
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// `/client/{version}/…` and the inspector's page, held against `clients/web`.
@Suite struct WebFileTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../clients/web").standardizedFileURL

  /// The paths that are to be served, within `clients/web`.
  private static func sources() throws -> [String] {
    try ["", "inspector/"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        atPath: Self.folder.appending(path: folder).path()
      )
      .filter { name in [".js", ".ts", ".css", ".html", ".svg"].contains { name.hasSuffix($0) } }
      .map { folder + $0 }
    }
  }

  @Test func `each file of the client is served as it is in the sources, for ever by its version`()
    async throws
  {
    #expect(Set(WebFile.all.map(\.name)) == Set(try Self.sources()))
    try await TestService.run { server in
      for file in WebFile.all {
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: file.name)))
        let answer = try await server.send("GET", "/client/\(WebFile.version)/\(file.name)")
        let isSame = answer.body == bytes
        #expect(isSame, "\(file.name)")
        #expect(answer["Cache-Control"] == "public, max-age=31536000, immutable")
        #expect(answer["X-Content-Type-Options"] == "nosniff")
      }
    }
  }

  @Test(arguments: [
    ("livedelta.js", "text/javascript; charset=utf-8"),
    ("livedelta.d.ts", "application/typescript; charset=utf-8"),
    ("inspector/style.css", "text/css; charset=utf-8"),
  ])
  func `a file has its type, and an entity tag that differs by coding`(
    name: String, type: String
  ) async throws {
    try await TestService.run { server in
      let path = "/client/latest/" + name
      let plain = try await server.send("GET", path, ["Accept-Encoding": "identity"])
      let coded = try await server.send("GET", path, ["Accept-Encoding": "gzip"])
      #expect(plain["Content-Type"] == type)
      #expect(plain["Cache-Control"] == "no-cache")
      #expect(coded["Content-Encoding"] == "gzip")
      let tag = try #require(plain["ETag"])
      #expect(tag.hasPrefix("\"") && coded["ETag"] == tag.dropLast() + ";gzip\"")
      for tag in [tag, try #require(coded["ETag"])] {
        let again = try await server.send("GET", path, ["If-None-Match": tag])
        #expect(again.status == 304 && again.body.isEmpty)
      }
    }
  }

  @Test func `the capabilities name the core and its hash`() async throws {
    try await TestService.run { server in
      let client = try await server.send("GET", "/v1").json["client"]
      let core = try await server.send("GET", try #require(client["core"].string))
      #expect(core["Cache-Control"]?.hasSuffix("immutable") == true)
      #expect(
        client["integrity"].string == "sha256-"
          + Data(SHA256.hash(core.body)).base64EncodedString())
    }
  }

  @Test(arguments: ["/client/0000000000000000/livedelta.js", "/client/latest/x", "/client/latest"])
  func `another version, and a file that is none, are not found`(path: String) async throws {
    try await TestService.run { server in
      let answer = try await server.send("GET", path)
      #expect(answer.status == 404)
      #expect(answer.json["code"].string == "not-found")
    }
  }

  @Test(arguments: ["/", "/ui"])
  func `the inspector's page may load what this service sends, and nothing else`(path: String)
    async throws
  {
    try await TestService.run { server in
      let page = try await server.send("GET", path)
      #expect(page.status == 200)
      #expect(page["Content-Type"] == "text/html; charset=utf-8")
      let policy = try #require(page["Content-Security-Policy"])
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
      #expect(!policy.contains("unsafe"))
      #expect(!page.text.contains("http://") && !page.text.contains("https://"))
      #expect(try await server.send("HEAD", path).status == 200)
    }
  }

  @Test func `an operator sees that it is ready, who waits, and why snapshots were sent`()
    async throws
  {
    try await TestService.run { server in
      _ = try await server.put("[]")
      let strange = "zzzzzzzz.1.AAAAAAAAAAAAAAAA"
      _ = try await server.send("GET", TestService.inbox + "/delta?since=\(strange)")
      let health = try await server.send("GET", "/ui/health").json
      #expect(health["ready"].bool == true)
      #expect(health["waiting"].int == 0)
      #expect(health["streams"].int == 0)
      #expect(health["resets"]["lineage-changed"].int == 1)
      #expect(health["p99Milliseconds"].exists)
    }
  }

  @Test func `streams are counted while they are open`() async throws {
    let clock = ManualClock()
    try await TestService.run({ $0.time = TimeSource(clock) }) { server in
      _ = try await server.put("[]")
      func count() async throws -> Int? {
        try await server.send("GET", "/ui/health").json["streams"].int
      }
      let readers = try [TestService.inbox + "/delta", "/v1/changes"].map {
        try EventReader(server.listener, $0)
      }
      for reader in readers { #expect(await reader.next() != nil) }
      #expect(try await count() == 2)
      clock.advance(by: .seconds(600))
      for reader in readers { while await reader.next() != nil {} }
      #expect(try await count() == 0)
    }
  }
}
