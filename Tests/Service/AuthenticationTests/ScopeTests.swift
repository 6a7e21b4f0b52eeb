import Testing

@testable import Authentication

@Suite struct ScopeTests {
  @Test(arguments: [
    ("u42", "u42", true), ("u42", "u4", false), ("u42", "u420", false), ("u*", "u", true),
    ("u*", "u42", true), ("u*", "v42", false), ("*42", "u42", true), ("*42", "u421", false),
    ("a*b*c", "abc", true), ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false),
    ("*", "anything", true), ("**", "anything", true), ("a.b", "axb", false),
    ("*a*a*a*a*a*a*a*a*b", String(repeating: "a", count: 128), false),
  ])
  func `a glob matches`(_ pattern: String, _ name: String, _ matches: Bool) throws {
    let glob = try #require(Glob(pattern[...]))
    #expect(glob.matches(name) == matches)
  }

  @Test func `a glob agrees with a slow oracle on all short patterns and names`() throws {
    func slow(_ pattern: Substring, _ name: Substring) -> Bool {
      guard let first = pattern.first else { return name.isEmpty }
      if first == "*" {
        return slow(pattern.dropFirst(), name)
          || (!name.isEmpty && slow(pattern, name.dropFirst()))
      }
      return name.first == first && slow(pattern.dropFirst(), name.dropFirst())
    }
    func words(_ alphabet: String, upTo length: Int) -> [String] {
      guard length > 0 else { return [""] }
      let shorter = words(alphabet, upTo: length - 1)
      return [""] + shorter.flatMap { word in alphabet.map { word + String($0) } }
    }
    for pattern in Set(words("ab*", upTo: 5)) {
      guard let glob = Glob(pattern[...]) else { continue }
      for name in Set(words("ab", upTo: 5)) {
        #expect(glob.matches(name) == slow(pattern[...], name[...]), "\(pattern) \(name)")
      }
    }
  }

  @Test(arguments: [
    "", "read", "write", "read:", "write:/", "write:u42/", "write:/inbox", "write:u/a/b",
    "write:u**", "write:a**b/c", "write:u 42", "write:ü", "write:u%2F", "Write:u42", "delete:u42",
    "admin:u42", "changes/", "*", "**", "write:" + String(repeating: "a", count: 129),
  ])
  func `what is no scope is refused`(_ text: String) {
    #expect(throws: ScopeError.self) { try Scope(text) }
  }

  /// Every scope against every requirement.
  @Test(arguments: [
    ("write:u42/inbox", [0, 1, 2]), ("read:u42/inbox", [0, 2]), ("write:u42", [0, 1, 2, 3, 4, 5]),
    ("write:u42/**", [0, 1, 2, 3, 4, 5]), ("write:**", [0, 1, 2, 3, 4, 5, 6]),
    ("write:*/*", [0, 1, 2, 3, 4, 5, 6]), ("read:**", [0, 2, 4, 6]), ("read:*/in*", [0, 2, 6]),
    ("write:u4", []), ("changes", [7]), ("admin", [8]),
  ])
  func `a scope meets the requirements that it should, and no other`(
    _ text: String, _ expected: [Int]
  ) throws {
    let requirements: [Requirement] = [
      .collection(.read, client: "u42", name: "inbox"),
      .collection(.write, client: "u42", name: "inbox"),
      .someCollections(.read, client: "u42"), .allCollections(.write, client: "u42"),
      .allCollections(.read, client: "u42"), .collection(.write, client: "u42", name: "cart"),
      .collection(.read, client: "u7", name: "inbox"), .changes, .admin,
    ]
    let scope = try Scope(text)
    #expect(requirements.indices.filter { scope.meets(requirements[$0]) } == expected)
    #expect(try Scope(scope.description) == scope)
    #expect(scope.meets(.nothing) && scope.meets(.credential))
  }

  @Test(arguments: [
    ("read:u42", [NameBounds.only("u42")], ["u42"]),
    ("write:u4*/**", [.prefix("u4")], ["u4", "u42"]), ("read:u*2", [.prefix("u")], ["u42"]),
    ("read:*", [.prefix("")], ["u4", "u42", "v"]), ("write:**", [.prefix("")], ["u4", "u42", "v"]),
    ("admin", [.prefix("")], ["u4", "u42", "v"]), ("read:u42/inbox", [], []), ("changes", [], []),
    ("read:u42 read:v/in* read:u4/*", [.only("u42"), .only("u4")], ["u4", "u42"]),
  ])
  func `what clients a credential lists has bounds`(
    scopes: String, bounds: [NameBounds], listed: [String]
  ) throws {
    let principal = Principal(
      name: "p", scopes: try scopes.split(separator: " ").map { try Scope(String($0)) },
      expires: nil, source: .forward(answered: 0))
    #expect(principal.listedClients == bounds)
    #expect(["u4", "u42", "v"].filter(principal.lists) == listed)
  }
}
