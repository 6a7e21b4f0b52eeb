/// Lists where the tokens of a text begin, as `CSimdJSON` does, in Swift.
///
/// It checks that strings are closed, are UTF-8 and have no control characters. Anything else that is not
/// JSON becomes a token, which `TapeBuilder` refuses.
struct TokenScanner {
  /// The text, followed by 32 zero bytes.
  private(set) var text: [UInt8]
  /// The offsets of the tokens, followed by the length of the text.
  private(set) var indexes: [UInt32] = []

  /// The bytes that `TapeBuilder` may read beyond a text.
  private static let padding = [UInt8](repeating: 0, count: 32)

  /// Scans a text of at most `JSONReader.byteCountMax` bytes; nil if a string in it is invalid, or if
  /// there is no token.
  init?(_ bytes: [UInt8]) {
    text = bytes + TokenScanner.padding
    indexes.reserveCapacity(bytes.count / 4)
    guard scan(bytes.span), !indexes.isEmpty else { return nil }
    indexes.append(UInt32(bytes.count))
  }

  private mutating func scan(_ bytes: Span<UInt8>) -> Bool {
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      if Byte.isSpace(byte) {
        at += 1
        continue
      }
      indexes.append(UInt32(at))
      if byte == Byte.quote {
        guard let end = TokenScanner.endOfString(bytes, at + 1) else { return false }
        at = end
      } else {
        at += 1
        guard !TokenScanner.isStructural(byte) else { continue }
        while at < bytes.count, TokenScanner.isScalar(bytes[at]) { at += 1 }
      }
    }
    return true
  }

  private static func isStructural(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.openBrace, Byte.closeBrace, Byte.openBracket, Byte.closeBracket, Byte.comma,
      Byte.colon:
      true
    default: false
    }
  }

  private static func isScalar(_ byte: UInt8) -> Bool {
    !Byte.isSpace(byte) && !isStructural(byte) && byte != Byte.quote
  }

  /// Returns the offset after a string's closing quote; nil if the string is invalid or not closed.
  private static func endOfString(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case Byte.quote: return at + 1
      case Byte.backslash: at += 2
      case ..<Byte.space: return nil
      case ..<0x80: at += 1
      default:
        guard let length = scalarLength(bytes, at) else { return nil }
        at += length
      }
    }
    return nil
  }

  /// Returns the length of the well-formed sequence at an offset (Unicode, table 3-7); nil if it is not.
  private static func scalarLength(_ bytes: Span<UInt8>, _ at: Int) -> Int? {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[at] {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if bytes[at] == 0xE0 { second = 0xA0...0xBF }
      if bytes[at] == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if bytes[at] == 0xF0 { second = 0x90...0xBF }
      if bytes[at] == 0xF4 { second = 0x80...0x8F }
    default: return nil
    }
    guard at + length <= bytes.count, second.contains(bytes[at + 1]) else { return nil }
    for next in at + 2..<max(at + 2, at + length) where bytes[next] & 0xC0 != 0x80 { return nil }
    return length
  }
}
