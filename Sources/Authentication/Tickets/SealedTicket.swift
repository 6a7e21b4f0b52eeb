import Crypto

/// A ticket as it is sent: a nonce, the encrypted ticket and a tag.
struct SealedTicket {
  /// The nonce; random, so that it identifies the ticket.
  typealias ID = [UInt8]

  private let bytes: [UInt8]
  private static let nonceBytes = 12
  /// The size of a resume token before it is text.
  private static let codeBytes = 16

  /// Seals a ticket.
  init?(_ ticket: Ticket, _ key: SymmetricKey) {
    // An error means a key of a wrong size: no ticket is given, and the answer says so.
    guard let box = try? ChaChaPoly.seal(ticket.bytes, using: key) else { return nil }
    bytes = Array(box.combined)
  }

  /// Parses a sealed ticket, or returns `nil` if it is not base64url.
  init?(_ text: ArraySlice<UInt8>) {
    guard let bytes = base64URLDecoded(text), bytes.count > Self.nonceBytes else { return nil }
    self.bytes = bytes
  }

  /// The ticket as text.
  var text: String { base64URL(bytes) }

  /// Identifies the ticket.
  var id: ID { Array(bytes.prefix(Self.nonceBytes)) }

  /// Decrypts the ticket, or returns `nil` if it was not sealed with the key.
  func open(_ key: SymmetricKey) -> Ticket? {
    // An error means that it was not sealed with the key.
    guard let box = try? ChaChaPoly.SealedBox(combined: bytes),
      let content = try? ChaChaPoly.open(box, using: key)
    else { return nil }
    return Ticket(bytes: Array(content))
  }

  /// The resume token of the ticket's stream.
  func resumeCode(_ key: SymmetricKey) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: bytes, using: key)
    return base64URL(Array(code.prefix(Self.codeBytes)))
  }
}
