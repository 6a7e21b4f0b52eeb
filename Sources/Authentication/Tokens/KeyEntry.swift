import JWTKit
import SnapshotJSON

/// What an entry of a JWK set says (RFC 7517 §4).
struct KeyEntry {
  let id: String
  let algorithm: TokenAlgorithm
  private let members: [String: JSONValue]
  private let value: JSONValue

  /// The fewest bytes of a secret: RFC 7518 §3.2.
  private static let secretBytesMin = 32

  /// nil for a key that is for something else.
  ///
  /// - Throws: `TokenKeysError` for one that cannot be what it says.
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

  /// The key; each is read in a collection of its own, so that none is ever taken for another.
  func key() async throws(TokenKeysError) -> TokenKey {
    let collection = JWTKeyCollection()
    do {
      if algorithm == .hs256 {
        let secret = try secret()
        await collection.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
      } else {
        try await collection.add(jwksJSON: "{\"keys\":[\(value.rawText)]}")
      }
      let verifier = try await collection.getKey(alg: algorithm.rawValue)
      guard verifier.name == algorithm.rawValue else { throw TokenKeysError.badKey(id) }
      return TokenKey(
        id: id, algorithm: algorithm, digest: KeyDigest(of: value.rawBytes), verifier: verifier)
    } catch let error as TokenKeysError {
      throw error
    } catch {
      throw .badKey(id)
    }
  }

  private func secret() throws(TokenKeysError) -> [UInt8] {
    guard let text = members["k"]?.stringBytes, let secret = base64URLDecoded(text[...]) else {
      throw .badKey(id)
    }
    guard secret.count >= Self.secretBytesMin else { throw .shortSecret(id) }
    return secret
  }
}
