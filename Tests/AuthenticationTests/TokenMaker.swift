import Crypto
import Foundation

@testable import Authentication

/// Makes tokens, good and forged, with keys of its own.
struct TokenMaker: Sendable {
  let secret = SymmetricKey(size: .bits256)
  let curve = P256.Signing.PrivateKey()
  let edwards = Curve25519.Signing.PrivateKey()

  /// The keys `h`, `e` and `d`, and RealTokens' `r`, of which only the public half is here.
  var set: String {
    let point = [UInt8](curve.publicKey.rawRepresentation)
    let rsa = RealTokens.keys.split(separator: "{").first { $0.contains("\"RSA\"") } ?? ""
    return """
      {"keys":[{"kty":"oct","kid":"h","alg":"HS256","k":"\(encoded(secret.bytes))"},
      {"kty":"EC","kid":"e","alg":"ES256","crv":"P-256","x":"\(encoded(Array(point.prefix(32))))",
      "y":"\(encoded(Array(point.suffix(32))))"},
      {"kty":"OKP","kid":"d","alg":"EdDSA","crv":"Ed25519",
      "x":"\(encoded([UInt8](edwards.publicKey.rawRepresentation)))"},
      {\(rsa.prefix { $0 != "}" })}]}
      """
  }

  /// A token of a header and claims as they are written.
  func token(_ header: String, _ claims: String, _ sign: (String) throws -> [UInt8]) rethrows
    -> String
  {
    let signed = encoded(Array(header.utf8)) + "." + encoded(Array(claims.utf8))
    return signed + "." + encoded(try sign(signed))
  }

  /// A token that is signed as its algorithm asks.
  func token(_ id: String, _ claims: String) throws -> String {
    switch id {
    case "h": return token(#"{"alg":"HS256","kid":"h"}"#, claims, mac)
    case "e": return try token(#"{"alg":"ES256","kid":"e"}"#, claims, ecdsa)
    default: return try token(#"{"alg":"EdDSA","kid":"d"}"#, claims, eddsa)
    }
  }

  func mac(_ text: String) -> [UInt8] { mac(text, secret) }

  func mac(_ text: String, _ key: SymmetricKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
  }

  func ecdsa(_ text: String) throws -> [UInt8] {
    [UInt8](try curve.signature(for: Data(text.utf8)).rawRepresentation)
  }

  func eddsa(_ text: String) throws -> [UInt8] {
    [UInt8](try edwards.signature(for: Data(text.utf8)))
  }

  func encoded(_ bytes: [UInt8]) -> String { base64URL(bytes) }
}

extension SymmetricKey {
  var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
