import Foundation
import Testing

@testable import Authentication

@Suite struct TokenTests {
  private static let now: Int64 = 1_800_000_000
  private let rules = TokenRules(issuer: "issuer", audience: "livedelta")

  @Test func `every forged, stale, swapped or truncated token is refused`() throws {
    let maker = TokenMaker()
    let keys = try TokenKeys(Array(maker.set.utf8))
    #expect(keys.count == 4)
    let forged = try ForgedTokens(maker, now: Self.now).all
    #expect(forged.count >= 150)
    #expect(Set(forged.map { $0.name }).count == forged.count)
    for (name, token) in forged {
      #expect(throws: TokenFault.self, "\(name)") {
        try keys.principal(Array(token.utf8)[...], rules, now: Self.now)
      }
    }
  }

  @Test(arguments: ["h", "e", "d"])
  func `a token is good from nbf to exp, thirty seconds more on both sides`(_ id: String) throws {
    let maker = TokenMaker()
    let keys = try TokenKeys(Array(maker.set.utf8))
    let token = maker.token(
      id, #"{"sub":"u42","iss":"issuer","aud":["x","livedelta"],"nbf":1000,"exp":2000.5}"#)
    func fault(_ now: Int64) -> TokenFault? {
      do throws(TokenFault) {
        _ = try keys.principal(Array(token.utf8)[...], rules, now: now)
        return nil
      } catch {
        return error
      }
    }
    #expect(fault(969) == .notYet)
    #expect(fault(970) == nil)
    #expect(fault(2029) == nil)
    #expect(fault(2030) == .expired)
  }

  @Test(arguments: RealTokens.all.map { $0.name })
  func `a token of another tool is good`(_ name: String) throws {
    let keys = try TokenKeys(Array(RealTokens.keys.utf8))
    let token = try #require(RealTokens.all.first { $0.name == name }?.token)
    let rules = TokenRules(issuer: "https://issuer.example", audience: "livedelta")
    let principal = try keys.principal(Array(token.utf8)[...], rules, now: Self.now)
    let isWriter = name.hasSuffix("openssl")
    #expect(principal.scopes.map(\.description) == [isWriter ? "write:u*/in*" : "read:u42/**"])
    #expect(principal.expires == 4_102_444_830)
    // One bit of its last part, and it is none.
    var bytes = Array(token.utf8)
    bytes[bytes.count - 20] = bytes[bytes.count - 20] == 0x41 ? 0x42 : 0x41
    #expect(throws: TokenFault.badSignature) {
      try keys.principal(bytes[...], rules, now: Self.now)
    }
  }

  @Test(arguments: [
    ("[]", TokenKeysError.notASet), (#"{"keys":[]}"#, .empty), (#"{"keys":{}}"#, .notASet),
    (#"{"keys":[7]}"#, .notASet), (#"{"keys":[{"kty":"oct","kid":"a","kid":"a"}]}"#, .notASet),
    (#"{"keys":[{"kty":"oct","k":"AAAA"}]}"#, .empty),
    (#"{"keys":[{"kty":"oct","kid":"a","k":"AAAA"}]}"#, .empty),
    (#"{"keys":[{"kty":"oct","kid":"a","k":"AAAA","alg":"HS256"}]}"#, .shortSecret("a")),
    (#"{"keys":[{"kty":"oct","kid":"a","alg":"RS256"}]}"#, .badKey("a")),
    (#"{"keys":[{"kty":"EC","crv":"P-384","kid":"a","alg":"ES256"}]}"#, .badKey("a")),
    (
      #"{"keys":[{"kty":"EC","crv":"P-256","kid":"a","alg":"ES256","x":"AA","y":"AA"}]}"#,
      .badKey("a")
    ),
    (#"{"keys":[{"kty":"RSA","kid":"a","alg":"RS256","n":"AQAB","e":"AQAB"}]}"#, .badKey("a")),
    (
      #"{"keys":[{"kty":"RSA","kid":"a","alg":"RS256","n":"AA","e":"AA","d":"AA"}]}"#,
      .privateKey("a")
    ),
    (#"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","alg":"EdDSA","x":"AA"}]}"#, .badKey("a")),
    (#"{"keys":[{"kty":"oct","kid":"a","alg":"HS256","use":"enc"}]}"#, .empty),
    (#"{"keys":[],"keys":[]}"#, .notASet),
    // RSA keys may be for RS256 or PS256, secrets for any HS: without an algorithm neither is guessed.
    (#"{"keys":[{"kty":"RSA","kid":"a","n":"AQAB","e":"AQAB"}]}"#, .empty),
    (#"{"keys":[{"kty":"EC","crv":"P-384","kid":"a","x":"AA","y":"AA"}]}"#, .empty),
  ])
  func `what is no set of keys is refused`(_ text: String, _ expected: TokenKeysError) {
    #expect(throws: expected) { try TokenKeys(Array(text.utf8)) }
  }

  @Test func `two keys of one id are refused, what is for another end is left out`() throws {
    let secret = String(repeating: "A", count: 43)
    let key = #"{"kty":"oct","kid":"a","alg":"HS256","k":"\#(secret)"}"#
    #expect(throws: TokenKeysError.idTwice("a")) {
      try TokenKeys(Array(#"{"keys":[\#(key),\#(key)]}"#.utf8))
    }
    let other = #"{"kty":"RSA","kid":"a","alg":"RSA-OAEP","use":"enc"}"#
    let keys = try TokenKeys(Array(#"{"keys":[\#(key),\#(other)]}"#.utf8))
    #expect(keys.count == 1)
    #expect(keys.leftOut == 1)
  }

  @Test func `base64url has one text for some bytes`() {
    for count in 0...40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      #expect(base64URLDecoded(Array(base64URL(bytes).utf8)[...]) == bytes)
    }
    for text in ["A", "AA=", "AA==", "AB", "A+", "A/", "AAB", "A A", "AAAAA"] {
      #expect(base64URLDecoded(Array(text.utf8)[...]) == nil, "\(text)")
    }
  }

  @Test func `a key without an algorithm has that of its curve, and no other`() throws {
    let maker = TokenMaker()
    let text = maker.set.replacing(#""alg":"ES256","#, with: "").replacing(
      #""alg":"EdDSA","#, with: ""
    )
    .replacing(#""alg":"RS256","#, with: "").replacing(#""alg":"HS256","#, with: "")
    let keys = try TokenKeys(Array(text.utf8))
    #expect(keys.keys.keys.sorted() == ["d", "e"])
    #expect(keys.leftOut == 2)
    let claims = #"{"sub":"u42","iss":"issuer","aud":"livedelta","exp":\#(Self.now + 60)}"#
    for id in ["d", "e"] {
      let token = maker.token(id, claims)
      #expect(try keys.principal(Array(token.utf8)[...], rules, now: Self.now).scopes.count == 1)
    }
    let forged = maker.token(#"{"alg":"HS256","kid":"e"}"#, claims, maker.mac)
    #expect(throws: TokenFault.wrongAlgorithm) {
      try keys.principal(Array(forged.utf8)[...], rules, now: Self.now)
    }
  }

  @Test(arguments: RealTokens.all.map { $0.name })
  func `no beginning of a good token, and none with a byte left out, is good`(_ name: String) throws
  {
    let keys = try TokenKeys(Array(RealTokens.keys.utf8))
    let token = Array(try #require(RealTokens.all.first { $0.name == name }?.token).utf8)
    let rules = TokenRules(issuer: "https://issuer.example", audience: "livedelta")
    for place in token.indices {
      var without = token
      without.remove(at: place)
      for forged in [token[..<place], without[...], token[place...].dropFirst()] {
        #expect(throws: TokenFault.self, "\(place)") {
          try keys.principal(forged, rules, now: Self.now)
        }
      }
    }
  }
}
