/// One value of a document: a cheap view that keeps the document alive.
///
/// Made for the small documents of an API, where convenience counts; snapshots are read by
/// `Snapshot`, which does not go through it.
public struct JSONValue: Sendable {
  let storage: JSONStorage
  /// The value's token on the tape.
  let index: Int

  var token: Token { storage.tape[index] }

  /// What kind of value this is.
  public var kind: JSONKind { token.kind }

  /// Where the value's text is in `JSONDocument.bytes`.
  public var range: Range<Int> { Int(token.offset)..<Int(token.end) }

  /// The value's text as it was sent, white space, escapes and all.
  public var rawBytes: ArraySlice<UInt8> { storage.bytes[range] }

  /// The value's text as it was sent: for a number, its digits.
  public var rawText: String { String(decoding: rawBytes, as: UTF8.self) }

  /// Whether this is `null`.
  public var isNull: Bool { kind == .null }

  /// The boolean, or nil when this is none.
  public var bool: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The integer, or nil when this is not a number spelled without fraction and exponent that
  /// fits an `Int`.
  public var int: Int? {
    guard isInteger else { return nil }
    return Int(rawText)
  }

  /// Whether this is a number spelled without fraction and exponent, of any size.
  public var isInteger: Bool { kind == .number && token.info & Token.fractional == 0 }

  /// The string with its escapes undone, or nil when this is none.
  public var string: String? {
    stringBytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The UTF-8 of the string with its escapes undone, or nil when this is none.
  public var stringBytes: [UInt8]? {
    guard kind == .string else { return nil }
    return JSONValue.unescaped(token, in: storage)
  }

  static func unescaped(_ token: Token, in storage: JSONStorage) -> [UInt8] {
    let inside = Int(token.offset) + 1..<Int(token.end) - 1
    guard token.hasEscapes else { return Array(storage.bytes[inside]) }
    var unescaped: [UInt8] = []
    unescaped.reserveCapacity(inside.count)
    let bytes = storage.bytes
    JSONText.unescape(bytes.span.extracting(inside)) { unescaped.append($0) }
    return unescaped
  }
}
