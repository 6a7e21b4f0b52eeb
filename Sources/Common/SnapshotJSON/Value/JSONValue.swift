/// A value in a document; a lightweight view that retains the document.
///
/// It is designed for the small documents of an API; `Snapshot` reads snapshots without it.
public struct JSONValue: Sendable {
  let storage: JSONStorage
  /// The value's index on the tape.
  let index: Int

  var token: Token { storage.tape[index] }

  /// The kind of the value.
  public var kind: JSONKind { token.kind }

  /// The range of the value's text in `JSONDocument.bytes`.
  public var range: Range<Int> { Int(token.offset)..<Int(token.end) }

  /// The value's text, unchanged.
  public var rawBytes: ArraySlice<UInt8> { storage.bytes[range] }

  /// The value's text, unchanged; for a number, its digits.
  public var rawText: String { String(decoding: rawBytes, as: UTF8.self) }

  /// Whether this is `null`.
  public var isNull: Bool { kind == .null }

  /// The Boolean value; nil for other kinds.
  public var bool: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The integer; nil unless this is a number without fraction and exponent that fits into an
  /// `Int`.
  public var int: Int? {
    guard isInteger else { return nil }
    return Int(rawText)
  }

  /// Whether this is a number without fraction and exponent, of any size.
  public var isInteger: Bool { kind == .number && token.info & Token.fractional == 0 }

  /// The unescaped string; nil for other kinds.
  public var string: String? {
    stringBytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The UTF-8 bytes of the unescaped string; nil for other kinds.
  public var stringBytes: [UInt8]? {
    guard kind == .string else { return nil }
    return token.hasEscapes
      ? RawJSON.unescaped(rawBytes.span) : Array(rawBytes.dropFirst().dropLast())
  }
}
