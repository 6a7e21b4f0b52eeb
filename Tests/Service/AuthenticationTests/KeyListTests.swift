import Testing

@testable import Authentication

/// The digest of "secret".
let digest = KeyDigest(of: "secret".utf8)

@Suite struct KeyListTests {
  @Test func `a digest is SHA-256 and reads back`() throws {
    #expect(
      digest.description
        == "sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b")
    #expect(KeyDigest(digest.description) == digest)
    #expect(KeyDigest(digest.description.uppercased()) == nil)
    #expect(KeyDigest(of: "Secret".utf8) != digest)
    #expect(KeyDigest(String(digest.description.dropLast())) == nil)
    #expect(KeyDigest(String(digest.description.dropLast()) + "g") == nil)
  }

  @Test func `lines, comments and semicolons are read in order`() throws {
    let list = try KeyList(
      """
      # who       what
      a \(digest) write:u*/** changes

      \tb  \(KeyDigest(of: "b".utf8))\tread:public expires=2027-01-31 ; c \(KeyDigest(of: "c".utf8)) admin
      """, semicolonsEndLines: true)
    #expect(list.keys.map(\.name) == ["a", "b", "c"])
    #expect(list.keys[0].scopes.map(\.description) == ["write:u*/**", "changes"])
    #expect(list.keys[1].expires == 1_801_353_600)
    #expect(list.keys[1].credential == .secret(KeyDigest(of: "b".utf8)))
    for key in list.keys { #expect(try AccessKey(line: key.line[...]) == key) }
  }

  @Test func `a semicolon in a file is part of its line`() throws {
    let text = "# rotated; see 7\na \(digest) admin\n"
    #expect(try KeyList(text).keys.map(\.name) == ["a"])
    #expect(throws: KeysError.self) { try KeyList(text, semicolonsEndLines: true) }
    #expect(throws: KeysError.self) { try KeyList("a \(digest) admin ; b \(digest) admin") }
  }

  @Test(arguments: [
    ("a", 1, "NAME sha256:DIGITS"), ("\na secret admin", 2, "sha256: and 64"),
    ("# x\n\na \(digest) reed:x", 3, "not a scope"), ("a \(digest)", 1, "no scope, so"),
    ("a! \(digest) admin", 1, "not a name"), ("a \(digest) admin expires=soon", 1, "expires"),
    ("a \(digest) admin expires=2027-02-31", 1, "expires"),
    ("a \(digest) admin expires=2027-01-01 expires=2028-01-01", 1, "expires"),
    ("a uid:1000 admin\nb uid:1000 admin", 2, "earlier"), ("a uid: admin", 1, "uid:"),
    ("a uid:-1 admin", 1, "uid:"), ("a uid:4294967296 admin", 1, "uid:"),
    ("a \(digest) admin\na \(KeyDigest(of: "b".utf8)) admin", 2, "twice"),
    ("a \(digest) admin\nb \(digest) admin", 2, "earlier line"), ("", 0, "no key"),
    ("# nobody", 0, "no key"),
  ])
  func `what is wrong is told with its line, and never with a secret`(
    _ text: String, _ line: Int, _ part: String
  ) {
    #expect {
      try KeyList(text)
    } throws: { error in
      guard let error = error as? KeysError else { return false }
      return error.line == line && error.description.contains(part)
        && !error.description.contains("2bb80d")
    }
  }

  @Test func `more keys than a list may have are refused`() {
    let lines = (0...KeyListLimits.keysMax).map { "k\($0) \(KeyDigest(of: "\($0)".utf8)) admin" }
    #expect(throws: KeysError(line: KeyListLimits.keysMax + 1, reason: .tooMany)) {
      try KeyList(lines.joined(separator: "\n"))
    }
  }

  @Test func `secrets are long, differ, and are plain in any header or shell`() {
    let secrets = (0..<100).map { _ in KeySecret.make() }
    #expect(Set(secrets).count == 100)
    for secret in secrets {
      #expect(secret.utf8.count == 46 && secret.hasPrefix("ld_"))
      #expect(secret.utf8.allSatisfy { $0 == 0x5F || $0 == 0x2D || 0x30...0x7A ~= $0 })
    }
    #expect(base64URL([0xFB, 0xFF]) == "-_8")
    #expect(base64URL([]) == "")
  }
}
