import SnapshotJSON

extension TokenKeys {
  /// Checks a token (RFC 7519, in the compact form of RFC 7515 §7.1): first its signature, then what it
  /// says.
  ///
  /// - Parameters:
  ///   - token: Its bytes.
  ///   - rules: What else it must be.
  ///   - now: Seconds since 1970.
  /// - Returns: Whom it stands for.
  /// - Throws: `TokenFault`; `expired` only for one that is good but for that.
  func principal(
    _ token: ArraySlice<UInt8>, _ rules: TokenRules, now: Int64
  ) throws(TokenFault) -> Principal {
    guard token.count <= TokenRules.bytesMax else { throw .malformed }
    let parts = token.split(
      separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let signature = base64URLDecoded(parts[2]), !signature.isEmpty else {
      throw .malformed
    }
    let key = try key(header: parts[0])
    guard key.verifies(signature, of: token[token.startIndex..<parts[1].endIndex]) else {
      throw .badSignature
    }
    guard let members = Self.members(parts[1]) else { throw .malformed }
    let claims = try TokenClaims(members, rules, now: now)
    let scopes = try claims.scopes()
    return Principal(
      name: claims.name(scopes), scopes: scopes, expires: claims.expires, source: .token(key))
  }

  /// The key that a header names; what it says of the algorithm must be what the key says.
  private func key(header: ArraySlice<UInt8>) throws(TokenFault) -> TokenKey {
    guard let members = Self.members(header), let algorithm = members["alg"]?.string,
      let id = members["kid"]?.string
    else { throw .malformed }
    // An extension that must be understood is not (RFC 7515 §4.1.11, RFC 7797 §3).
    guard members["crit"] == nil, members["b64"] == nil else { throw .malformed }
    guard let key = keys[id] else { throw .unknownKey }
    guard key.algorithm.rawValue == algorithm else { throw .wrongAlgorithm }
    return key
  }

  private static func members(_ part: ArraySlice<UInt8>) -> [String: JSONValue]? {
    base64URLDecoded(part).flatMap { JSONReader(depthMax: 8).root(of: $0) }
      .flatMap { uniqueMembers($0) }
  }
}
