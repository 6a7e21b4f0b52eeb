/// Parses, validates and decodes the escapes of JSON strings (RFC 8259 §7).
enum JSONText {
  /// Returns the length of the escape at the start of `text`: 2, 6 or 12 bytes; nil if it is
  /// invalid.
  ///
  /// Surrogates must occur in pairs, because lone ones are not Unicode text. (RFC 8259 §8.2 calls
  /// the behavior of software that receives such strings unpredictable.)
  static func escapeLength(_ text: Span<UInt8>) -> Int? {
    guard text.count >= 2 else { return nil }
    switch text[1] {
    case Byte.quote, Byte.backslash, Byte.slash, Byte.lowerB, Byte.lowerF, Byte.lowerN,
      Byte.lowerR, Byte.lowerT:
      return 2
    case Byte.lowerU:
      guard let unit = codeUnit(text, at: 0) else { return nil }
      guard (0xD800...0xDFFF).contains(unit) else { return 6 }
      guard unit < 0xDC00, text.count >= 12, text[6] == Byte.backslash, text[7] == Byte.lowerU,
        let low = codeUnit(text, at: 6), (0xDC00...0xDFFF).contains(low)
      else { return nil }
      return 12
    default:
      return nil
    }
  }

  /// The number of bytes at the start of an invalid escape that a valid one could begin with.
  static func validCount(ofEscape text: Span<UInt8>) -> Int {
    for at in 1..<min(text.count, 12) {
      let digit = Byte.hexValue(text[at])
      let isValid =
        switch at {
        case 1, 7: text[at] == Byte.lowerU
        case 6: text[at] == Byte.backslash
        // The first half of a surrogate pair, and the second.
        case 3 where Byte.hexValue(text[2]) == 0xD: digit.map { $0 < 0xC } ?? false
        case 8: digit == 0xD
        case 9: digit.map { $0 >= 0xC } ?? false
        default: digit != nil
        }
      if !isValid { return at }
    }
    return text.count
  }

  /// The code unit given by the four hexadecimal digits after the `\u` at `start`.
  static func codeUnit(_ text: Span<UInt8>, at start: Int) -> UInt32? {
    guard text.count - start >= 6 else { return nil }
    var unit: UInt32 = 0
    for at in start + 2..<start + 6 {
      guard let digit = Byte.hexValue(text[at]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  /// The scalar of a validated escape, and the length of the escape in bytes.
  static func scalar(_ text: Span<UInt8>, at start: Int) -> (value: UInt32, length: Int) {
    switch text[start + 1] {
    case Byte.lowerB: return (0x08, 2)
    case Byte.lowerF: return (0x0C, 2)
    case Byte.lowerN: return (0x0A, 2)
    case Byte.lowerR: return (0x0D, 2)
    case Byte.lowerT: return (0x09, 2)
    case Byte.lowerU:
      let high = codeUnit(text, at: start) ?? 0
      guard (0xD800...0xDBFF).contains(high) else { return (high, 6) }
      let low = codeUnit(text, at: start + 6) ?? 0
      return (0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF)), 12)
    default: return (UInt32(text[start + 1]), 2)
    }
  }

  /// Calls `body` with each byte of a scalar's UTF-8 encoding.
  @inline(__always)
  static func encode(_ scalar: UInt32, _ body: (UInt8) -> Void) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | (scalar >> shift & 0x3F)) }
    switch scalar {
    case ..<0x80: body(UInt8(scalar))
    case ..<0x800:
      body(UInt8(0xC0 | scalar >> 6))
      body(tail(0))
    case ..<0x10000:
      body(UInt8(0xE0 | scalar >> 12))
      body(tail(6))
      body(tail(0))
    default:
      body(UInt8(0xF0 | scalar >> 18 & 0x07))
      body(tail(12))
      body(tail(6))
      body(tail(0))
    }
  }

  /// Calls `body` with each unescaped byte of a validated string's contents.
  ///
  /// The result is never longer than the original.
  @inline(__always)
  static func unescape(_ text: Span<UInt8>, _ body: (UInt8) -> Void) {
    var at = 0
    while at < text.count {
      if text[at] == Byte.backslash {
        let escape = scalar(text, at: at)
        encode(escape.value, body)
        at += escape.length
      } else {
        body(text[at])
        at += 1
      }
    }
  }

  /// Calls `body` with each byte of `\u00xx`.
  @inline(__always)
  static func escapeControl(_ byte: UInt8, _ body: (UInt8) -> Void) {
    body(Byte.backslash)
    body(Byte.lowerU)
    body(Byte.zero)
    body(Byte.zero)
    body(hexDigit(byte >> 4))
    body(hexDigit(byte & 0xF))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? Byte.zero + value : 0x61 + value - 10
  }
}
