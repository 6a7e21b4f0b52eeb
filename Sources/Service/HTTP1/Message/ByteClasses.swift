// Each set is a bitmap of two 64-bit words: no table in memory, no branch per byte.

/// A set of ASCII bytes.
struct ByteClass {
  var low: UInt64
  var high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte & 0x40 == 0 ? low : high
    return byte < 0x80 && word &>> UInt64(byte & 0x3F) & 1 == 1
  }
}

extension ByteClass {
  // ByteClassTests checks the words against the character lists of the grammars.

  /// RFC 9110 §5.6.2: `tchar`.
  @inline(__always)
  static var token: ByteClass { ByteClass(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }

  /// The bytes of a path and a query, `%` included (RFC 3986 §3.3, §3.4).
  @inline(__always)
  static var target: ByteClass {
    ByteClass(low: 0xAFFF_FFF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
  }

  /// The `unreserved` bytes and `%`: a host name (RFC 3986 §3.2.2) without `sub-delims`.
  @inline(__always)
  static var host: ByteClass { ByteClass(low: 0x03FF_6020_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }
}

extension UInt8 {
  /// The value of a hexadecimal digit, or `nil`.
  @inline(__always)
  package var hexValue: Int? {
    switch self {
    case 0x30...0x39: Int(self) - 0x30
    case 0x41...0x46: Int(self) - 0x41 + 10
    case 0x61...0x66: Int(self) - 0x61 + 10
    default: nil
    }
  }

  @inline(__always)
  var isDigit: Bool { self &- 0x30 < 10 }

  /// Whether the byte may appear in a field value (RFC 9110 §5.5).
  @inline(__always)
  var isFieldValue: Bool { (self >= 0x20 && self != 0x7F) || self == 0x09 }

  @inline(__always)
  var isWhiteSpace: Bool { self == 0x20 || self == 0x09 }
}
