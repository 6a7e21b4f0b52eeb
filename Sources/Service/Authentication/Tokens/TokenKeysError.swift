package enum TokenKeysError: Error, Hashable, CustomStringConvertible {
  case notASet
  case tooLarge
  /// It has no key that signs tokens.
  case empty
  case idTwice(String)
  /// A key is not what its algorithm needs.
  case badKey(String)
  /// A secret of less than 256 bits.
  case shortSecret(String)
  case privateKey(String)
  case unreachable(String)

  /// What is wrong, in a sentence, without any secret.
  package var description: String {
    switch self {
    case .notASet: "it is not a JWK set, {\"keys\":[…]}, in which no key has a member twice"
    case .tooLarge:
      "it has more than \(TokenKeysLimits.bytesMax) bytes or \(TokenKeysLimits.keysMax) keys"
    case .empty:
      "it has no key with kid and alg, which is one of HS256, RS256, ES256 and EdDSA"
    case .idTwice(let id): "the kid \(id.prefix(80)) occurs twice"
    case .badKey(let id): "the key \(id.prefix(80)) is not what its alg needs"
    case .shortSecret(let id): "the secret \(id.prefix(80)) has less than 256 bits"
    case .privateKey(let id): "the private half of \(id.prefix(80)) is in it; take it out"
    case .unreachable(let reason): reason
    }
  }
}

package enum TokenKeysLimits {
  package static let bytesMax = 1 << 20
  package static let keysMax = 100
}
