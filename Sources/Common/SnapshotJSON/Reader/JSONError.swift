/// Why a text cannot be read as JSON.
public enum JSONError: Error, Hashable, Sendable {
  /// The text is not JSON (RFC 8259).
  ///
  /// `offset` is that of the first invalid byte, or the length of the text if it ends too early;
  /// `reason` says what was expected or is wrong.
  case syntax(offset: Int, reason: String)
  /// An escape is half of a surrogate pair: the writer cut a text in the middle of a character.
  ///
  /// `offset` is that of the first invalid byte. `pointer` leads to the text, and `id` is that of the item that it is
  /// in; nil where they are not known.
  case halfCharacter(offset: Int, pointer: String?, id: String?)
  /// Objects and arrays are nested deeper than `limit`; `offset` is that of the first bracket in
  /// excess.
  case tooDeep(offset: Int, limit: Int)
  /// The text is larger than `limit`, or there is not enough memory.
  case tooLarge(byteCount: Int, limit: Int)

  /// The most bytes in a text: 1 GiB, so that offsets have 32 bits.
  static let byteCountMax = 1 << 30

  /// What is wrong with half of a surrogate pair, and the mend.
  public static let halfCharacterReason =
    "half of a surrogate pair, a text cut in the middle of a character; cut it between characters, or "
    + "send it by a function that mends it, in JavaScript `toWellFormed()`"

  static func tooLarge(_ bytes: [UInt8]) -> JSONError {
    .tooLarge(byteCount: bytes.count, limit: byteCountMax)
  }
}

extension JSONError: CustomStringConvertible {
  /// A one-sentence description with the offset or the limit.
  public var description: String {
    switch self {
    case .syntax(let offset, let reason): "not JSON at byte \(offset): \(reason)"
    case .halfCharacter(let offset, let pointer, let id):
      "not JSON at byte \(offset)"
        + (pointer.map { ", in \($0)" } ?? "") + (id.map { " of the item \"\($0)\"" } ?? "")
        + ": " + Self.halfCharacterReason
    case .tooDeep(let offset, let limit): "nested deeper than \(limit) at byte \(offset)"
    case .tooLarge(let byteCount, let limit): "\(byteCount) bytes of JSON; at most \(limit)"
    }
  }
}

/// Where a text stops being JSON.
struct JSONFault: Error {
  /// What was expected there, or what is wrong.
  enum Kind: UInt8 {
    case value, name, colon, objectEnd, arrayEnd, end
    case digit, literal, scalarEnd, escape, encoding, control, stringEnd
    case byteOrderMark, depth
  }

  /// The offset of the first byte that no JSON text could have there.
  var offset: UInt32
  var kind: Kind

  init(_ kind: Kind, at offset: UInt32) {
    self.offset = offset
    self.kind = kind
  }

  private var reason: String {
    switch kind {
    case .value: "expected a value"
    case .name: "expected a member name in quotes"
    case .colon: "expected ':'"
    case .objectEnd: "expected ',' or '}'"
    case .arrayEnd: "expected ',' or ']'"
    case .end: "more text behind the end of the value"
    case .digit: "expected a digit"
    case .literal: "expected true, false or null"
    case .scalarEnd: "a number or literal does not go on like this"
    case .escape: "not an escape of JSON"
    case .encoding: "not UTF-8"
    case .control: "a control character in a string must be escaped"
    case .stringEnd: "the string is not closed"
    case .byteOrderMark: "a byte order mark; JSON is sent without one"
    case .depth: "nested too deeply"
    }
  }

  /// The error in a text of `byteCount` bytes, read by a reader that allows `depthMax` levels.
  func error(byteCount: Int, depthMax: Int) -> JSONError {
    if kind == .depth { return .tooDeep(offset: Int(offset), limit: depthMax) }
    let suffix = Int(offset) < byteCount ? "" : "; the text ends here"
    return .syntax(offset: Int(offset), reason: reason + suffix)
  }
}
