import SnapshotJSON

/// A version of a collection as clients store it: `lineage.seq.digest[.mark]`.
///
/// Malformed tokens are rejected instead of being treated as lost versions: digests have sixteen
/// characters in all releases. Lineages may have another format in other releases.
public struct VersionToken: Hashable, Sendable {
  /// Distinguishes a collection from others that existed under its name before or after it.
  public let lineage: String
  /// The version's number in its lineage: 1, 2, 3 and so on.
  public let seq: Int
  /// The digest of the version's content, in base64url.
  public let digest: String
  /// What the token says beside the version; nil in most.
  public let mark: Mark?

  /// The longest token without a mark in bytes.
  public static let byteCountMax = 64
  /// The longest token with a mark in bytes.
  public static let markedByteCountMax = byteCountMax + 1 + Mark.count
  /// The greatest version number, with 18 decimal digits.
  static let seqMax = 999_999_999_999_999_999
  /// The greatest version number that a collection may have when it comes from elsewhere: one that
  /// JSON readers keep exactly, and which leaves room for more versions than anybody will write.
  public static let arrivingSeqMax = 1 << 53 - 1
  /// The longest lineage in bytes that leaves room for every version number.
  private static let lineageBytesMax = byteCountMax - 18 - digestCount - 2
  /// The number of characters in a digest: 96 bits in base64url.
  private static let digestCount = 16

  /// Creates a token from its parts.
  public init(lineage: String, seq: Int, digest: String, mark: Mark? = nil) {
    self.lineage = lineage
    self.seq = seq
    self.digest = digest
    self.mark = mark
  }

  /// Parses a token.
  ///
  /// - Returns: nil unless the text is a word of `A-Za-z0-9_-`, a positive decimal number without
  ///   leading zeros, sixteen characters of base64url and at most one mark, separated by dots, with
  ///   at most 64 bytes before the mark.
  public init?(_ text: some Swift.Collection<UInt8>) {
    guard text.count <= Self.markedByteCountMax else { return nil }
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard 3...4 ~= parts.count, parts[0].allSatisfy(Self.isWord), parts[2].allSatisfy(Self.isWord),
      !parts[0].isEmpty, parts[2].count == Self.digestCount, let seq = Self.number(parts[1])
    else { return nil }
    var mark: Mark?
    if let part = parts.dropFirst(3).first {
      guard let read = Mark(Array(part)[...]) else { return nil }
      mark = read
    }
    let plainCount = text.count - (mark == nil ? 0 : 1 + Mark.count)
    guard plainCount <= Self.byteCountMax else { return nil }
    self.init(
      lineage: String(decoding: parts[0], as: UTF8.self), seq: seq,
      digest: String(decoding: parts[2], as: UTF8.self), mark: mark)
  }

  /// Parses a token from text.
  public init?(_ text: String) { self.init(text.utf8) }

  private static func number(_ digits: some Swift.Collection<UInt8>) -> Int? {
    guard 1...18 ~= digits.count, digits.first != UInt8(ascii: "0") else { return nil }
    var value = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }
}

extension VersionToken {
  /// Whether versions that follow this one can be named.
  ///
  /// What comes from elsewhere, in an import or a copy, is refused without: a few writes later the
  /// collection would have a version that is no token, and could be neither read nor written.
  var leavesRoom: Bool {
    seq <= Self.arrivingSeqMax && lineage.utf8.count <= Self.lineageBytesMax
  }

  /// Whether it is a token: false of one that follows the last version that a lineage can have.
  var isValid: Bool { seq <= Self.seqMax && plain.description.utf8.count <= Self.byteCountMax }
}

extension VersionToken: CustomStringConvertible {
  /// The token as sent over the wire.
  public var description: String {
    let plain = "\(lineage).\(seq).\(digest)"
    return mark.map { "\(plain).\($0)" } ?? plain
  }
}
