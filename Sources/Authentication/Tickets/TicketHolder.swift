/// The credential that a ticket was issued for; the ticket is valid no longer than the credential.
enum TicketHolder: Hashable, Sendable {
  /// A key, by the digest of its secret.
  case key(KeyDigest)
  /// A token, by the digest of the key that it is signed with, its expiry and its principal's name.
  case token(KeyDigest, expires: Int64, name: String)
}

extension TicketHolder: CustomStringConvertible {
  /// Returns `nil` if a backend or the system vouches for the principal: they cannot be asked again
  /// without the caller.
  init?(_ principal: Principal) {
    switch principal.source {
    case .key(.secret(let digest)): self = .key(digest)
    case .token(let key):
      self = .token(key.digest, expires: principal.expires ?? 0, name: principal.name)
    case .key(.user), .forward: return nil
    }
  }

  /// Parses ``description``.
  init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard let digest = words.first.flatMap({ KeyDigest($0) }) else { return nil }
    if words.count == 1 {
      self = .key(digest)
    } else {
      guard words.count == 3, let expires = Int64(words[1]),
        let name = base64URLDecoded(Array(words[2].utf8)[...])
      else { return nil }
      self = .token(digest, expires: expires, name: String(decoding: name, as: UTF8.self))
    }
  }

  var description: String {
    switch self {
    case .key(let digest): "\(digest)"
    case .token(let digest, let expires, let name):
      "\(digest) \(expires) \(base64URL(Array(name.utf8)))"
    }
  }
}
