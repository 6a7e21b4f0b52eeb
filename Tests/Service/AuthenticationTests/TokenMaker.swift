import Cryptography

@testable import Authentication

/// Makes tokens, good and forged, with keys of its own.
struct TokenMaker: Sendable {
  let secret = (0..<32).map { _ in UInt8.random(in: 0...255) }
  let curve = SigningKey(.p256)
  let edwards = SigningKey(.ed25519)

  /// The keys `h`, `e` and `d`, and RealTokens' `r`, of which only the public half is here.
  var set: String {
    let point = curve.publicBytes.dropFirst()
    let rsa = RealTokens.keys.split(separator: "{").first { $0.contains("\"RSA\"") } ?? ""
    return """
      {"keys":[{"kty":"oct","kid":"h","alg":"HS256","k":"\(encoded(secret))"},
      {"kty":"EC","kid":"e","alg":"ES256","crv":"P-256","x":"\(encoded(Array(point.prefix(32))))",
      "y":"\(encoded(Array(point.suffix(32))))"},
      {"kty":"OKP","kid":"d","alg":"EdDSA","crv":"Ed25519",
      "x":"\(encoded(edwards.publicBytes))"},
      {\(rsa.prefix { $0 != "}" })}]}
      """
  }

  /// A token of a header and claims as they are written.
  func token(_ header: String, _ claims: String, _ sign: (String) -> [UInt8]) -> String {
    let signed = encoded(Array(header.utf8)) + "." + encoded(Array(claims.utf8))
    return signed + "." + encoded(sign(signed))
  }

  /// A token that is signed as its algorithm asks.
  func token(_ id: String, _ claims: String) -> String {
    switch id {
    case "h": return token(#"{"alg":"HS256","kid":"h"}"#, claims, mac)
    case "e": return token(#"{"alg":"ES256","kid":"e"}"#, claims, ecdsa)
    default: return token(#"{"alg":"EdDSA","kid":"d"}"#, claims, eddsa)
    }
  }

  func mac(_ text: String) -> [UInt8] { mac(text, secret) }

  func mac(_ text: String, _ key: [UInt8]) -> [UInt8] { SecretKey(key).code(of: text.utf8) }

  func ecdsa(_ text: String) -> [UInt8] { curve.pair(text) }

  func eddsa(_ text: String) -> [UInt8] { edwards.signature(text, digest: nil) }

  func encoded(_ bytes: [UInt8]) -> String { base64URL(bytes) }
}
