import Cryptography

/// The SHA-256 of a secret: all that is kept of it.
///
/// Secrets have 256 random bits, so that a plain hash is as good as a slow one: nobody can try them all.
public struct KeyDigest: Hashable, Sendable {
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// The digest of a secret's bytes.
  public init(of secret: some Collection<UInt8>) {
    let bytes = SHA256.hash(secret)
    func word(_ index: Int) -> UInt64 {
      bytes[8 * index..<8 * index + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    words = (word(0), word(1), word(2), word(3))
  }

  /// Reads `sha256:` and 64 hexadecimal digits; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.hasPrefix("sha256:") else { return nil }
    let digits = Array(text.utf8.dropFirst("sha256:".utf8.count))
    guard digits.count == 64 else { return nil }
    var words: [UInt64] = []
    for start in stride(from: 0, to: 64, by: 16) {
      var word: UInt64 = 0
      for digit in digits[start..<start + 16] {
        guard let value = Self.value(digit) else { return nil }
        word = word << 4 | value
      }
      words.append(word)
    }
    self.words = (words[0], words[1], words[2], words[3])
  }

  /// Whether two digests are equal, in a time that does not depend on where they differ.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    let difference =
      (lhs.words.0 ^ rhs.words.0) | (lhs.words.1 ^ rhs.words.1) | (lhs.words.2 ^ rhs.words.2)
      | (lhs.words.3 ^ rhs.words.3)
    return difference == 0
  }

  /// Hashes the first 64 bits.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

  private static func value(_ digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}

extension KeyDigest: CustomStringConvertible {
  /// `sha256:` and 64 hexadecimal digits.
  public var description: String {
    let digits = [words.0, words.1, words.2, words.3].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return "sha256:" + digits.joined()
  }
}
