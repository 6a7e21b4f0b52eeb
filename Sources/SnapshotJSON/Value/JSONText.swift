/// The spelling of JSON strings (RFC 8259 §7): escapes read, checked and undone.
enum JSONText {
  /// The number of bytes of the escape at `text`, 2, 6 or 12, or nil when it is not one.
  ///
  /// A surrogate must be half of a pair: alone it is no Unicode text. (RFC 8259 §8.2 calls the
  /// behaviour of such strings unpredictable.)
  static func escapeLength(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    guard count >= 2 else { return nil }
    switch text[1] {
    case Byte.quote, Byte.backslash, Byte.slash, Byte.lowerB, Byte.lowerF, Byte.lowerN,
      Byte.lowerR, Byte.lowerT:
      return 2
    case Byte.lowerU:
      guard let unit = codeUnit(text, count) else { return nil }
      guard (0xD800...0xDFFF).contains(unit) else { return 6 }
      guard unit < 0xDC00, count >= 12, text[6] == Byte.backslash, text[7] == Byte.lowerU,
        let low = codeUnit(text + 6, count - 6), (0xDC00...0xDFFF).contains(low)
      else { return nil }
      return 12
    default:
      return nil
    }
  }

  /// The code unit that the four hexadecimal digits behind `\u` stand for.
  static func codeUnit(_ text: UnsafePointer<UInt8>, _ count: Int) -> UInt32? {
    guard count >= 6 else { return nil }
    var unit: UInt32 = 0
    for at in 2..<6 {
      guard let digit = Byte.hexValue(text[at]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  /// The scalar that a checked escape stands for, and the length of the escape.
  static func scalar(_ text: UnsafePointer<UInt8>) -> (value: UInt32, length: Int) {
    switch text[1] {
    case Byte.lowerB: return (0x08, 2)
    case Byte.lowerF: return (0x0C, 2)
    case Byte.lowerN: return (0x0A, 2)
    case Byte.lowerR: return (0x0D, 2)
    case Byte.lowerT: return (0x09, 2)
    case Byte.lowerU:
      let high = codeUnit(text, 6) ?? 0
      guard (0xD800...0xDBFF).contains(high) else { return (high, 6) }
      let low = codeUnit(text + 6, 6) ?? 0
      return (0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF)), 12)
    default: return (UInt32(text[1]), 2)
    }
  }

  /// Writes a scalar as UTF-8; the number of bytes.
  static func encode(_ scalar: UInt32, into out: UnsafeMutablePointer<UInt8>) -> Int {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | (scalar >> shift & 0x3F)) }
    switch scalar {
    case ..<0x80:
      out[0] = UInt8(scalar)
      return 1
    case ..<0x800:
      out[0] = UInt8(0xC0 | scalar >> 6)
      out[1] = tail(0)
      return 2
    case ..<0x10000:
      out[0] = UInt8(0xE0 | scalar >> 12)
      out[1] = tail(6)
      out[2] = tail(0)
      return 3
    default:
      out[0] = UInt8(0xF0 | scalar >> 18 & 0x07)
      out[1] = tail(12)
      out[2] = tail(6)
      out[3] = tail(0)
      return 4
    }
  }

  /// Undoes the escapes of a checked string's inside; never longer than the spelling.
  ///
  /// - Returns: the number of bytes written.
  static func unescape(
    _ text: UnsafePointer<UInt8>, _ count: Int, into out: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var read = 0
    var written = 0
    while read < count {
      let byte = text[read]
      if byte == Byte.backslash {
        let escape = scalar(text + read)
        written += encode(escape.value, into: out + written)
        read += escape.length
      } else {
        out[written] = byte
        written += 1
        read += 1
      }
    }
    return written
  }
}

extension JSONText {
  /// Writes `\u00xx`; the number of bytes.
  static func escapeControl(_ byte: UInt8, into out: UnsafeMutablePointer<UInt8>) -> Int {
    out[0] = Byte.backslash
    out[1] = Byte.lowerU
    out[2] = Byte.zero
    out[3] = Byte.zero
    out[4] = hexDigit(byte >> 4)
    out[5] = hexDigit(byte & 0xF)
    return 6
  }

  static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? Byte.zero + value : 0x61 + value - 10
  }
}
