/// Which tokens are good beside those that are signed and in time.
package struct TokenRules: Sendable {
  /// What `iss` must be; nil lets it be anything.
  package var issuer: String?
  /// What must be in `aud`; without it a token that has an `aud` is refused (RFC 7519 §4.1.3).
  package var audience: String?

  /// Seconds that clocks may differ.
  package static let leeway: Int64 = 30
  package static let bytesMax = 8 << 10

  package init(issuer: String? = nil, audience: String? = nil) {
    self.issuer = issuer
    self.audience = audience
  }
}

enum TokenFault: Error, Hashable {
  case malformed, unknownKey, wrongAlgorithm, badSignature, badClaims
  case expired, notYet, wrongIssuer, wrongAudience
}
