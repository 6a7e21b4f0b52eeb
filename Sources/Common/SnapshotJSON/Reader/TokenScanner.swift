/// Lists where the tokens of a text begin, as `CSimdJSON` does, in Swift.
///
/// It checks that strings are closed, are UTF-8 and have no control characters, up to the first that is not
/// so. Anything else that is not JSON becomes a token, which `TapeBuilder` refuses.
struct TokenScanner {
  /// The text, followed by 32 zero bytes; if a string is invalid, it is closed where it is, and the text ends.
  private(set) var text: [UInt8]
  /// The number of bytes in the text.
  private(set) var count: Int
  /// The offsets of the tokens, followed by the length of the text.
  private(set) var indexes: [UInt32] = []
  /// What is wrong with the first invalid string.
  private(set) var fault: JSONFault?

  /// The bytes that `TapeBuilder` may read beyond a text.
  private static let padding = [UInt8](repeating: 0, count: 32)

  /// Scans a text of at most `JSONReader.byteCountMax` bytes.
  init(_ bytes: [UInt8]) {
    text = bytes
    count = bytes.count
    indexes.reserveCapacity(bytes.count / 4)
    do throws(JSONFault) {
      try scan(bytes.span)
    } catch {
      fault = error
      text = bytes[..<Int(error.offset)] + [Byte.quote]
      count = text.count
    }
    text += TokenScanner.padding
    indexes.append(UInt32(count))
  }

  private mutating func scan(_ bytes: Span<UInt8>) throws(JSONFault) {
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      if Byte.isSpace(byte) {
        at += 1
        continue
      }
      indexes.append(UInt32(at))
      if byte == Byte.quote {
        at = try TokenScanner.endOfString(bytes, at + 1)
      } else {
        at += 1
        guard !TokenScanner.isStructural(byte) else { continue }
        while at < bytes.count, TokenScanner.isScalar(bytes[at]) { at += 1 }
      }
    }
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

  /// Returns the offset after a string's closing quote.
  private static func endOfString(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFault) -> Int {
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case Byte.quote: return at + 1
      case Byte.backslash: at += 2
      case ..<Byte.space: throw JSONFault(.control, at: UInt32(at))
      case ..<0x80: at += 1
      default:
        let (validCount, count) = sequence(bytes, at)
        guard validCount == count else { throw JSONFault(.encoding, at: UInt32(at + validCount)) }
        at += count
      }
    }
    throw JSONFault(.stringEnd, at: UInt32(bytes.count))
  }

  /// Returns the length of the sequence at an offset (Unicode, table 3-7), and how many of its bytes are
  /// well-formed.
  private static func sequence(_ bytes: Span<UInt8>, _ at: Int) -> (validCount: Int, count: Int) {
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[at] {
    case 0xC2...0xDF: count = 2
    case 0xE0...0xEF:
      count = 3
      if bytes[at] == 0xE0 { second = 0xA0...0xBF }
      if bytes[at] == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      count = 4
      if bytes[at] == 0xF0 { second = 0x90...0xBF }
      if bytes[at] == 0xF4 { second = 0x80...0x8F }
    default: return (0, 1)
    }
    var validCount = 1
    while validCount < count, at + validCount < bytes.count,
      validCount == 1 ? second.contains(bytes[at + 1]) : bytes[at + validCount] & 0xC0 == 0x80
    { validCount += 1 }
    return (validCount, count)
  }
}
