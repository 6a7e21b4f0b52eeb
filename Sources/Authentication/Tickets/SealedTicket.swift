import Cryptography

/// A ticket as it is sent: a nonce, the encrypted ticket and a tag.
struct SealedTicket {
  /// The nonce; random, so that it identifies the ticket.
  typealias ID = [UInt8]

  private let bytes: [UInt8]
  /// The size of a resume token before it is text.
  private static let codeBytes = 16

  init?(_ ticket: Ticket, _ key: SecretKey) {
    guard let bytes = key.seal(ticket.bytes) else { return nil }
    self.bytes = bytes
  }

  /// Parses a sealed ticket, or returns `nil` if it is not base64url.
  init?(_ text: ArraySlice<UInt8>) {
    guard let bytes = base64URLDecoded(text), bytes.count > SecretKey.nonceBytes else { return nil }
    self.bytes = bytes
  }

  var text: String { base64URL(bytes) }

  /// Identifies the ticket.
  var id: ID { Array(bytes.prefix(SecretKey.nonceBytes)) }

  /// Decrypts the ticket, or returns `nil` if it was not sealed with the key.
  func open(_ key: SecretKey) -> Ticket? {
    key.open(bytes).flatMap { Ticket(bytes: $0) }
  }

  /// The resume token of the ticket's stream.
  func resumeCode(_ key: SecretKey) -> String {
    base64URL(Array(key.code(of: bytes).prefix(Self.codeBytes)))
  }
}
