/// Reads values in the text of items as collections keep it, without parsing: valid JSON without white
/// space between its tokens.
///
/// Text that is not so gives values without a meaning, but none outside of the text.
package enum RawJSON {
  /// The kind of the value that a text begins with; `null` for an empty text.
  package static func kind(of text: Span<UInt8>) -> JSONKind {
    guard !text.isEmpty else { return .null }
    switch text[0] {
    case Byte.quote: return .string
    case Byte.openBrace: return .object
    case Byte.openBracket: return .array
    case Byte.lowerT: return .true
    case Byte.lowerF: return .false
    case Byte.lowerN: return .null
    default: return .number
    }
  }

  /// The UTF-8 bytes of a string, unescaped; its text is given with its quotes.
  package static func unescaped(_ string: Span<UInt8>) -> [UInt8] {
    guard string.count > 2 else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(string.count - 2)
    JSONText.unescape(string.extracting(1..<string.count - 1)) { bytes.append($0) }
    return bytes
  }

  /// Returns whether `body` returns true for the range of one of an array's elements, and calls it for none
  /// after that.
  package static func contains(
    _ array: Span<UInt8>, where body: (Range<Int>) -> Bool
  ) -> Bool {
    var at = 1
    while at < array.count, array[at] != Byte.closeBracket {
      let start = at
      skipValue(array, &at)
      if body(start..<at) { return true }
      at += 1
    }
    return false
  }

  /// Moves from the first byte of a value past its last.
  @inline(__always)
  static func skipValue(_ text: Span<UInt8>, _ at: inout Int) {
    guard at < text.count else { return }
    switch text[at] {
    case Byte.quote: skipString(text, &at)
    case Byte.openBrace, Byte.openBracket: skipContainer(text, &at)
    default:
      while at < text.count, !isEnd(text[at]) { at &+= 1 }
    }
  }

  private static func skipContainer(_ text: Span<UInt8>, _ at: inout Int) {
    var depth = 0
    while at < text.count {
      switch text[at] {
      case Byte.quote:
        skipString(text, &at)
        continue
      case Byte.openBrace, Byte.openBracket: depth &+= 1
      case Byte.closeBrace, Byte.closeBracket: depth &-= 1
      default: break
      }
      at &+= 1
      if depth == 0 { return }
    }
  }

  /// Moves from a string's opening quote past its closing one.
  @inline(__always)
  static func skipString(_ text: Span<UInt8>, _ at: inout Int) {
    at &+= 1
    while at < text.count, text[at] != Byte.quote { at &+= text[at] == Byte.backslash ? 2 : 1 }
    at = min(at &+ 1, text.count)
  }

  @inline(__always)
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == Byte.comma || byte == Byte.closeBrace || byte == Byte.closeBracket
  }
}
