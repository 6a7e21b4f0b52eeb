import Cryptography
import SnapshotJSON

/// What an entry of a JWK set says (RFC 7517 §4).
struct KeyEntry {
  let id: String
  let algorithm: TokenAlgorithm
  private let members: [String: JSONValue]

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
    (self.id, self.algorithm, self.members) = (id, algorithm, members)
  }

  private static func algorithm(_ members: [String: JSONValue]) -> TokenAlgorithm? {
    guard let algorithm = members["alg"] else {
      return TokenAlgorithm(keyType: members["kty"]?.string, curve: members["crv"]?.string)
    }
    return algorithm.string.flatMap { TokenAlgorithm(rawValue: $0) }
  }

  func key() throws(TokenKeysError) -> TokenKey {
    switch algorithm {
    case .hs256:
      let secret = try bytes("k")
      guard secret.count >= Self.secretBytesMin else { throw .shortSecret(id) }
      return key([secret], .secret(SecretKey(secret)))
    case .rs256:
      let (modulus, exponent) = (try bytes("n"), try bytes("e"))
      // Leading zeros do not change a number.
      let material = [modulus, exponent].map { Array($0.drop { $0 == 0 }) }
      return try key(material, VerifyingKey(rsaModulus: modulus, exponent: exponent))
    case .es256:
      let (x, y) = (try bytes("x"), try bytes("y"))
      return try key([x, y], VerifyingKey(p256X: x, y: y))
    case .edDSA:
      let point = try bytes("x")
      return try key([point], VerifyingKey(ed25519: point))
    }
  }

  /// The key with its numbers (RFC 7518 §6, RFC 8037 §2).
  private func key(
    _ material: [[UInt8]], _ pair: VerifyingKey?
  ) throws(TokenKeysError) -> TokenKey {
    guard let pair else { throw .badKey(id) }
    return key(material, .pair(pair))
  }

  /// The key, with a digest of its numbers alone: another spelling of the entry is the same key.
  private func key(_ material: [[UInt8]], _ verifier: TokenKey.Verifier) -> TokenKey {
    let parts = [Array(algorithm.rawValue.utf8), Array(id.utf8)] + material
    let digest = KeyDigest(of: parts.flatMap { Array("\($0.count):".utf8) + $0 })
    return TokenKey(id: id, algorithm: algorithm, digest: digest, verifier: verifier)
  }

  /// The bytes of a member, which are base64url.
  private func bytes(_ name: String) throws(TokenKeysError) -> [UInt8] {
    guard let text = members[name]?.stringBytes, let bytes = base64URLDecoded(text[...]) else {
      throw .badKey(id)
    }
    return bytes
  }
}
