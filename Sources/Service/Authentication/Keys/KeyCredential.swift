/// What shows that a request comes from the holder of a key.
package enum KeyCredential: Hashable, Sendable {
  /// A secret in the `Authorization` field, by its digest.
  case secret(KeyDigest)
  /// A process of a user of this machine, by its uid, at the other end of a Unix socket.
  case user(UInt32)

  /// Parses `sha256:DIGITS` or `uid:NUMBER`; returns `nil` for anything else.
  package init?(_ text: String) {
    if let digest = KeyDigest(text) {
      self = .secret(digest)
    } else {
      let digits = text.dropFirst("uid:".count)
      guard text.hasPrefix("uid:"), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
        let user = UInt32(digits)
      else { return nil }
      self = .user(user)
    }
  }
}

extension KeyCredential: CustomStringConvertible {
  package var description: String {
    switch self {
    case .secret(let digest): "\(digest)"
    case .user(let user): "uid:\(user)"
    }
  }
}
