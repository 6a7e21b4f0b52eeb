/// Which tokens are good beside those that are signed and in time.
public struct TokenRules: Sendable {
  /// What `iss` must be; nil lets it be anything.
  public var issuer: String?
  /// What must be in `aud`; without it a token that has an `aud` is refused (RFC 7519 §4.1.3).
  public var audience: String?

  /// Seconds that clocks may differ.
  public static let leeway: Int64 = 30
  /// The most bytes of a token.
  public static let bytesMax = 8 << 10

  /// Puts rules together.
  public init(issuer: String? = nil, audience: String? = nil) {
    self.issuer = issuer
    self.audience = audience
  }
}

/// Why a token is refused.
enum TokenFault: Error, Hashable {
  case malformed, unknownKey, wrongAlgorithm, badSignature, badClaims
  case expired, notYet, wrongIssuer, wrongAudience
}
