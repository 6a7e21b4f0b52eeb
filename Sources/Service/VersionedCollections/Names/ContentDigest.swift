/// A 96-bit digest of a version: its ids, contents and order, salted with the lineage.
///
/// It is stored with the version and not recomputed, so that later releases may use another digest.
public struct ContentDigest: Hashable, Sendable {
  /// The upper 64 bits.
  public let high: UInt64
  /// The lower 32 bits.
  public let low: UInt32

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The digest in a token: sixteen characters of base64url (RFC 4648 §5).
  public var text: String { String(decoding: (0..<16).map(character), as: UTF8.self) }

  /// Whether a text is that of the digest.
  package func isWritten(_ text: String) -> Bool {
    text.utf8.elementsEqual((0..<16).lazy.map(character))
  }

  private func character(_ index: Int) -> UInt8 {
    let shift = 90 - index * 6
    let bits =
      shift >= 32
      ? high >> UInt64(shift - 32)
      : high << UInt64(32 - shift) | UInt64(low) >> UInt64(shift)
    return Self.alphabet[Int(bits & 63)]
  }
}
