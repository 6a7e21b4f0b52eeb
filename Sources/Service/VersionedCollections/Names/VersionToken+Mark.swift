extension VersionToken {
  /// The optional fourth part of a token: a letter and eight characters of base64url.
  public struct Mark: Hashable, Sendable {
    /// What a mark says of its token.
    public enum Kind: UInt8, Sendable {
      /// The token was given under a restriction, of which the mark is a keyed hash.
      case restriction = 0x76
      /// The token was renewed after a reset, so that no shared cache has an answer to it.
      case renewal = 0x72
    }

    /// The letter of the mark: `v` or `r`.
    public let kind: Kind
    /// The lower 48 bits are the eight characters, the first in the highest bits.
    public let bits: UInt64

    /// The number of characters in a mark.
    static let count = 9
    private static let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Creates a mark from the lower 48 bits of a number.
    public init(_ kind: Kind, bits: UInt64) {
      self.kind = kind
      self.bits = bits & (1 << 48 - 1)
    }

    /// Parses the fourth part of a token from text.
    public init?(_ text: String) { self.init(Array(text.utf8)[...]) }

    /// Parses the fourth part of a token.
    ///
    /// - Returns: nil unless it is `v` or `r` and eight characters of `A-Za-z0-9_-`.
    init?(_ text: ArraySlice<UInt8>) {
      guard text.count == Self.count, let kind = text.first.flatMap(Kind.init) else { return nil }
      var bits: UInt64 = 0
      for character in text.dropFirst() {
        guard let place = Self.alphabet.firstIndex(of: character) else { return nil }
        bits = bits << 6 | UInt64(place)
      }
      self.init(kind, bits: bits)
    }
  }

  /// The token without its mark.
  ///
  /// Renewal marks count for nothing in comparisons. The digest of a token with a restriction's mark
  /// is a keyed one, and stays so.
  public var plain: VersionToken {
    VersionToken(lineage: lineage, seq: seq, digest: digest)
  }

  /// The token without a renewal mark, which counts for nothing wherever versions are compared.
  public var unrenewed: VersionToken { mark?.kind == .renewal ? plain : self }

  /// The token with a mark instead of the one it has.
  public func marked(_ mark: Mark?) -> VersionToken {
    VersionToken(lineage: lineage, seq: seq, digest: digest, mark: mark)
  }
}

extension VersionToken.Mark: CustomStringConvertible {
  /// The mark as in a token: its letter and eight characters.
  public var description: String {
    let characters = (0..<8).map { Self.alphabet[Int(bits >> UInt64(42 - $0 * 6) & 63)] }
    return String(decoding: [kind.rawValue] + characters, as: UTF8.self)
  }
}

extension VersionToken {
  /// The mark of the restriction under which it was given; nil without one.
  package var restrictionMark: Mark? { mark.flatMap { $0.kind == .restriction ? $0 : nil } }

  /// The mark that it got after a reset; nil without one.
  package var renewalMark: Mark? { mark.flatMap { $0.kind == .renewal ? $0 : nil } }
}
