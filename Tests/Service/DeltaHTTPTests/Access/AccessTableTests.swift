import DeltaHTTP
import Foundation
import HTTPTestSupport
import TestSupport
import Testing

/// The table of routes and scopes: each cell is asked over the wire.
@Suite(.timeLimit(.minutes(10))) struct AccessTableTests {
  /// Who may do what, written out by hand: the scopes of the table, and the keys that have them.
  private static let holders: [String: Set<String>] = [
    "any": Set(Keys.scopes.map(\.key)), "`changes`": ["follows"], "`admin`": ["operates", "runs"],
    "`admin` and `read:{client}/**`": ["runs"], "`admin` and `write:{client}/**`": ["runs"],
    "`read:{client}/{name}`": [
      "readsInbox", "writesInbox", "readsClient", "writesClient", "writesAll", "runs",
    ],
    "`write:{client}/{name}`": ["writesInbox", "writesClient", "writesAll", "runs"],
    "`read:{client}/…` for each collection that it names": [
      "readsInbox", "writesInbox", "readsClient", "writesClient", "writesAll", "runs",
    ],
    "`write:{client}/…` for each collection that it names": [
      "writesInbox", "writesClient", "writesAll", "runs",
    ],
    "`read:{client}/**`": ["readsClient", "writesClient", "writesAll", "runs"],
    "`write:{client}/**`": ["writesClient", "writesAll", "runs"],
  ]

  @Test func `each cell of the table is as it says`() async throws {
    try await TestService.run(Keys.configure) { server in
      for row in AccessTable.rows {
        for method in row.methods { try await check(row, method, server) }
      }
    }
  }

  private func check(_ row: AccessTable.Row, _ method: String, _ server: TestService) async throws {
    let client = row.isOperations ? TestClient(server.operations) : server.client
    let path = row.path.replacing("{client}", with: "u42").replacing("{name}", with: "inbox")
      .replacing("{version}", with: "latest").replacing("{file}", with: "livedelta.js")
    // A stream would not end.
    let endless = method == "GET" && (path.hasSuffix("/changes") || path.hasSuffix("/sync"))
    var fields = endless ? ["Accept": "text/event-stream"] : [:]
    if method == "PATCH", path.hasSuffix("/inbox") {
      fields["Content-Type"] = "application/vnd.livedelta.edits+json"
    }
    let target = path.hasSuffix("/sync") && method != "POST" ? path + "?collections=inbox" : path
    func status(_ key: String?) async throws -> TestResponse {
      try await server.send(
        endless ? "HEAD" : method, target,
        fields.merging(key.map(Keys.field) ?? [:]) { $1 }, Self.body(method, path), on: client)
    }
    let isOpen = row.scope == "–"
    let none = try await status(nil)
    #expect((none.status == 401) == !isOpen, "\(method) \(path): \(none.status)")
    #expect((none["WWW-Authenticate"] == #"Bearer realm="livedelta""#) == !isOpen)
    #expect((try await status("nobody").status == 401) == !isOpen, "\(method) \(path)")
    #expect((try await status("expired").status == 401) == !isOpen, "\(method) \(path)")
    let holders = Self.holders[row.scope]
    #expect((holders == nil) == isOpen, "\(row.scope)")
    // Draining is left to the test of it.
    for (name, _) in Keys.scopes where !(path == "/drain" && ["operates", "runs"].contains(name)) {
      let answer = try await status(name)
      let isAdmitted = holders?.contains(name) ?? true
      #expect(
        (answer.status == 403) == !isAdmitted && answer.status != 401,
        "\(method) \(path) as \(name): \(answer.status)")
    }
  }

  private static func body(_ method: String, _ path: String) -> String? {
    switch (method, path.split(separator: "/").last) {
    case ("POST", "diff"): #"{"old":[],"new":[]}"#
    case ("POST", "sync"): #"{"collections":{"inbox":null}}"#
    case ("POST", "batch"): #"{"writes":[{"collection":"inbox","put":[]}]}"#
    case ("POST", "revert"): #"{"to":"x"}"#
    case ("PUT", "settings"), ("PATCH", "settings"): "{}"
    case ("PUT", _), ("POST", "inbox"): "[]"
    case ("PATCH", _): #"{"edits":[]}"#
    default: nil
    }
  }

  @Test func `docs auth has the table as the code has it`() throws {
    let file = PackageFolder.url.appending(path: "docs/auth.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let told = lines.filter { $0.hasPrefix("| public |") || $0.hasPrefix("| operations |") }
    let lost = AccessTable.rows.map(\.line).filter { !told.contains($0[...]) }
    #expect(told.count == AccessTable.rows.count)
    #expect(lost.isEmpty, "\(lost.joined(separator: "\n"))")
  }

  @Test func `the contract says which operations need a credential, as the table does`()
    async throws
  {
    func alternatives(_ configure: (inout DeltaServerConfiguration) -> Void) async throws
      -> [String: [[String]]]
    {
      var found: [String: [[String]]] = [:]
      try await TestService.run(configure) { server in
        let document = try JSONTree(parsing: try await server.send("GET", "/openapi.json").body)
        for (path, item) in document["paths"].members {
          for (method, operation) in item.members where method != "parameters" {
            let own = operation.members["security"] ?? document["security"]
            found[method.uppercased() + " " + path] = own.elements.map { $0.members.keys.sorted() }
          }
        }
      }
      return found
    }
    let protected = try await alternatives(Keys.configure)
    let open = try await alternatives { _ in }
    for row in AccessTable.rows where !row.isOperations {
      for method in row.methods where !["HEAD", "OPTIONS"].contains(method) {
        let name = "\(method) \(row.path)"
        let (schemes, others) = (try #require(protected[name]), try #require(open[name]))
        #expect(schemes.first == (row.scope == "–" ? nil : ["bearer"]), "\(name)")
        #expect(!schemes.contains([]) && others == (schemes.isEmpty ? [] : schemes + [[]]))
      }
    }
  }

  @Test func `every resource of the contract is in the table`() async throws {
    try await TestService.run { server in
      let document = try JSONTree(parsing: try await server.send("GET", "/openapi.json").body)
      let told = Set(AccessTable.rows.filter { !$0.isOperations }.map(\.path))
      #expect(Set(document["paths"].members.keys) == told)
    }
  }
}
