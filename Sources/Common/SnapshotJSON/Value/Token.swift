/// A value or member name in a document: the range of its bytes, and the next token.
///
/// A document is a tape of tokens in text order. An object's token is followed by name, value,
/// name, value…; an array's by its elements; `next` skips them. Commas, colons and closing brackets
/// have no tokens.
struct Token {
  /// The offset of the first byte; of a string, the opening quote.
  var offset: UInt32
  /// The offset after the last byte; a string's last byte is the closing quote.
  var end: UInt32
  /// The index of the first token after this one and its contents.
  var next: UInt32
  /// The kind and the flags.
  var info: UInt32

  static let kindMask: UInt32 = 0b111
  /// A string contains escapes, or a container contains such a string.
  static let escapes: UInt32 = 1 << 3
  /// There is white space between the tokens of a container.
  static let gaps: UInt32 = 1 << 4
  /// A number has a fraction or an exponent.
  static let fractional: UInt32 = 1 << 5

  var kind: JSONKind {
    JSONKind(rawValue: UInt8(truncatingIfNeeded: info & Token.kindMask)) ?? .null
  }
  var hasEscapes: Bool { info & Token.escapes != 0 }
  var hasGaps: Bool { info & Token.gaps != 0 }
  /// Whether the text has neither escapes nor white space between tokens.
  var isPlain: Bool { info & (Token.escapes | Token.gaps) == 0 }
  var isContainer: Bool { info & Token.kindMask >= UInt32(JSONKind.array.rawValue) }
  var count: Int { Int(end &- offset) }
}

/// The kinds of JSON values, with `true` and `false` distinguished.
public enum JSONKind: UInt8, Hashable, Sendable {
  case null = 0
  case `false` = 1
  case `true` = 2
  case number = 3
  case string = 4
  case array = 5
  case object = 6
}

/// The bytes with a meaning in JSON's grammar.
enum Byte {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let dot: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let zero: UInt8 = 0x30
  static let colon: UInt8 = 0x3A
  static let upperE: UInt8 = 0x45
  static let openBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let closeBracket: UInt8 = 0x5D
  static let lowerB: UInt8 = 0x62
  static let lowerE: UInt8 = 0x65
  static let lowerF: UInt8 = 0x66
  static let lowerN: UInt8 = 0x6E
  static let lowerR: UInt8 = 0x72
  static let lowerT: UInt8 = 0x74
  static let lowerU: UInt8 = 0x75
  static let openBrace: UInt8 = 0x7B
  static let closeBrace: UInt8 = 0x7D

  @inline(__always) static func isSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == lineFeed || byte == carriageReturn || byte == tab
  }

  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }

  /// The value of a hexadecimal digit; nil for other bytes.
  @inline(__always) static func hexValue(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte &- zero) }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) + 10 : nil
  }
}

extension JSONKind {
  /// The kind with its article, for errors.
  var noun: String {
    switch self {
    case .null: "null"
    case .false: "false"
    case .true: "true"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension UInt8 {
  /// Whether it is a letter or a digit of ASCII.
  package var isLetterOrDigit: Bool {
    0x30...0x39 ~= self || 0x61...0x7A ~= self | 0x20
  }
}
