import Cryptography

/// The SHA-256 of a secret: all that is kept of it.
///
/// Secrets have 256 random bits, so that a plain hash is as good as a slow one: nobody can try them all.
package struct KeyDigest: Hashable, Sendable {
  /// 32 bytes.
  private let bytes: [UInt8]

  package init(of secret: some Collection<UInt8>) { bytes = SHA256.hash(secret) }

  /// Reads `sha256:` and 64 hexadecimal digits; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let digits = text.utf8.dropFirst("sha256:".utf8.count)
    guard text.hasPrefix("sha256:"), digits.count == 64,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    let values = digits.map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }
    bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  /// Whether two digests are equal, in a time that does not depend on where they differ.
  package static func == (lhs: Self, rhs: Self) -> Bool {
    isEqualInConstantTime(lhs.bytes, rhs.bytes)
  }
}

extension KeyDigest: CustomStringConvertible {
  /// `sha256:` and 64 hexadecimal digits.
  package var description: String {
    "sha256:" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
