import Cryptography
import SnapshotJSON

/// What an entry of a JWK set says (RFC 7517 §4).
struct KeyEntry {
  let id: String
  let algorithm: TokenAlgorithm
  private let members: [String: JSONValue]
  private let value: JSONValue

  /// The fewest bytes of a secret: RFC 7518 §3.2.
  private static let secretBytesMin = 32

  /// nil for a key that is for something else; throws `TokenKeysError` for one that cannot be what it says.
  init?(_ value: JSONValue) throws(TokenKeysError) {
    guard let members = uniqueMembers(value) else { throw .notASet }
    guard let id = members["kid"]?.string, !id.isEmpty, let algorithm = Self.algorithm(members),
      members["use"].map({ $0.string == "sig" }) ?? true,
      members["key_ops"].map({ $0.elements.contains { $0.string == "verify" } }) ?? true
    else { return nil }
    guard members["kty"]?.string == algorithm.keyType, members["crv"]?.string == algorithm.curve
    else { throw .badKey(id) }
    // Nobody should have given the other half of a key pair to those who only verify.
    guard members["d"] == nil else { throw .privateKey(id) }
    (self.id, self.algorithm, self.members, self.value) = (id, algorithm, members, value)
  }

  private static func algorithm(_ members: [String: JSONValue]) -> TokenAlgorithm? {
    guard let algorithm = members["alg"] else {
      return TokenAlgorithm(keyType: members["kty"]?.string, curve: members["crv"]?.string)
    }
    return algorithm.string.flatMap { TokenAlgorithm(rawValue: $0) }
  }

  func key() throws(TokenKeysError) -> TokenKey {
    TokenKey(
      id: id, algorithm: algorithm, digest: KeyDigest(of: value.rawBytes), verifier: try verifier())
  }

  /// What verifies (RFC 7518 §6, RFC 8037 §2).
  private func verifier() throws(TokenKeysError) -> TokenKey.Verifier {
    let pair: VerifyingKey?
    switch algorithm {
    case .hs256:
      let secret = try bytes("k")
      guard secret.count >= Self.secretBytesMin else { throw .shortSecret(id) }
      return .secret(SecretKey(secret))
    case .rs256: pair = VerifyingKey(rsaModulus: try bytes("n"), exponent: try bytes("e"))
    case .es256: pair = VerifyingKey(p256X: try bytes("x"), y: try bytes("y"))
    case .edDSA: pair = VerifyingKey(ed25519: try bytes("x"))
    }
    guard let pair else { throw .badKey(id) }
    return .pair(pair)
  }

  /// The bytes of a member, which are base64url.
  private func bytes(_ name: String) throws(TokenKeysError) -> [UInt8] {
    guard let text = members[name]?.stringBytes, let bytes = base64URLDecoded(text[...]) else {
      throw .badKey(id)
    }
    return bytes
  }
}
