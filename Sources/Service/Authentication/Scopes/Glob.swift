import SnapshotJSON

/// A pattern for the name of a client or of a collection: `*` stands for any bytes, none included.
///
/// `**` matches every name, as `*` does: a name has no segments of its own.
struct Glob: Hashable, Sendable {
  /// The pattern as it was written.
  let text: String
  private let pattern: [UInt8]

  /// The most bytes of a pattern: as many as a name may have.
  static let bytesMax = 128

  /// Checks a pattern.
  ///
  /// - Returns: nil when it is empty or too long, has a byte that no name has, or has `**` beside
  ///   other bytes.
  init?(_ text: Substring) {
    let bytes = Array(text.utf8)
    guard 1...Self.bytesMax ~= bytes.count, bytes.allSatisfy(Self.isAllowed),
      text == "**" || !text.contains("**")
    else { return nil }
    self.text = String(text)
    pattern = text == "**" ? [Self.star] : bytes
  }

  /// The pattern that matches one name.
  init(exactly name: String) {
    text = name
    pattern = Array(name.utf8)
  }

  static let all = Glob(every: "**")

  private init(every text: String) {
    self.text = text
    pattern = [Self.star]
  }

  var matchesAll: Bool { pattern == [Self.star] }

  /// Whether a name matches.
  ///
  /// Greedy with one point to return to, the last star: time is at most the product of the lengths,
  /// whatever the pattern.
  func matches(_ name: String) -> Bool {
    if matchesAll { return true }
    var name = name
    return name.withUTF8 { unsafe matches($0) }
  }

  private func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    var (place, index) = (0, 0)
    var (afterStar, resume) = (-1, 0)
    while index < name.count {
      if place < pattern.count, pattern[place] == Self.star {
        place += 1
        (afterStar, resume) = (place, index)
      } else if place < pattern.count, unsafe pattern[place] == name[index] {
        place += 1
        index += 1
      } else if afterStar >= 0 {
        resume += 1
        (place, index) = (afterStar, resume)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == Self.star }
  }

  private static let star = UInt8(ascii: "*")

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "._~:@-*".utf8.contains(byte)
  }
}
