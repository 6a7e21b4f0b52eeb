import Testing

@testable import VersionedCollections

@Suite struct VersionTokenTests {
  @Test(arguments: [
    "k3f9m2qx.44.1HP-jIGrawhO8P_h", "k3f9m2qx.44.1HP-jIGrawhO8P_h.vABCDEFGH",
    "k3f9m2qx.44.1HP-jIGrawhO8P_h.rabc-_019", "k3f9m2qx.44.1HP-jIGrawhO8P_h.r________",
    "k3f9m2qx.44.1HP-jIGrawhO8P_h.rAAAAAAAA",
  ])
  func `a token is printed as it was read`(_ text: String) throws {
    let token = try #require(VersionToken(text))
    #expect(token.description == text)
    #expect(token.plain.description == "k3f9m2qx.44.1HP-jIGrawhO8P_h")
    #expect(token == VersionToken(text))
    #expect((token == token.plain) == (token.mark == nil))
    #expect(token.plain.marked(token.mark) == token)
  }

  @Test func `a mark is v or r and eight characters of base64url`() {
    let plain = "k3f9m2qx.44.1HP-jIGrawhO8P_h"
    for mark in [
      "", "v", "r1234567", "r123456789", "x12345678", "V12345678", "r1234567=", "r1234567.",
      "r123456+7", "12345678v", "v12345678.r12345678",
    ] {
      #expect(VersionToken("\(plain).\(mark)") == nil, "\(mark)")
    }
    #expect(VersionToken("\(plain).v00000000")?.mark?.kind == .restriction)
    #expect(VersionToken("\(plain).r00000000")?.mark?.kind == .renewal)
    #expect(VersionToken.Mark(.renewal, bits: 0).description == "rAAAAAAAA")
    #expect(VersionToken.Mark(.renewal, bits: .max).description == "r________")
    #expect(VersionToken.Mark(.renewal, bits: 1).description == "rAAAAAAAB")
  }

  @Test func `a token has 64 bytes at most, and 74 with a mark`() {
    let longest = String(repeating: "a", count: 28) + ".999999999999999999.1HP-jIGrawhO8P_h"
    #expect(longest.utf8.count == VersionToken.byteCountMax)
    #expect(VersionToken(longest) != nil)
    #expect(VersionToken("a" + longest) == nil)
    let marked = longest + ".v12345678"
    #expect(marked.utf8.count == VersionToken.markedByteCountMax)
    #expect(VersionToken(marked)?.isValid == true)
    #expect(VersionToken("a" + marked) == nil)
  }
}
