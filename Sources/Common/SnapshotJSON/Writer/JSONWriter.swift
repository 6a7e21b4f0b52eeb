/// Writes JSON text on one line, without white space, inserting commas as needed.
///
/// The caller must balance beginnings and ends, and write a name before each value in an object.
///
/// ```swift
/// JSONWriter.object { $0.array("ids", [1, 2]) { $0.number($1) } }  // {"ids":[1,2]}
/// ```
public struct JSONWriter: Sendable {
  /// The text written so far.
  public private(set) var bytes: [UInt8]
  /// Whether the next value at this level must be preceded by a comma.
  private var needsComma = false

  /// Creates a writer with an initial capacity in bytes.
  public init(capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  // MARK: Containers

  /// Begins an object.
  public mutating func beginObject() { begin(Byte.openBrace) }
  /// Ends the current object.
  public mutating func endObject() { end(Byte.closeBrace) }
  /// Begins an array.
  public mutating func beginArray() { begin(Byte.openBracket) }
  /// Ends the current array.
  public mutating func endArray() { end(Byte.closeBracket) }

  /// Writes the name of the next value; `name` is plain ASCII that needs no escapes.
  public mutating func key(_ name: StaticString) {
    separate()
    bytes.append(Byte.quote)
    name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(Byte.quote)
    bytes.append(Byte.colon)
    needsComma = false
  }

  /// Writes the name of the next value.
  public mutating func key(_ name: String) {
    string(name)
    bytes.append(Byte.colon)
    needsComma = false
  }

  /// Writes the name of the next value.
  ///
  /// - Parameter json: A JSON string including its quotes.
  mutating func key(rawName json: ArraySlice<UInt8>) {
    raw(json)
    bytes.append(Byte.colon)
    needsComma = false
  }

  /// Writes the name of the next value.
  public mutating func key(utf8 name: ArraySlice<UInt8>) {
    string(utf8: name)
    bytes.append(Byte.colon)
    needsComma = false
  }

  // MARK: Values

  /// Writes a string, escaping only what RFC 8259 §7 requires.
  public mutating func string(_ text: String) {
    var text = text
    separate()
    text.withUTF8 { unsafe appendString($0) }
  }

  /// Writes a string.
  public mutating func string(utf8 text: ArraySlice<UInt8>) {
    separate()
    unsafe text.withUnsafeBufferPointer { unsafe appendString($0) }
  }

  /// Writes a string.
  public mutating func string(utf8 text: [UInt8]) { string(utf8: text[...]) }

  /// Writes an integer.
  public mutating func number(_ value: Int) {
    separate()
    appendDigits(value)
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
  }

  /// Writes `null`.
  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes a value that is JSON text.
  public mutating func raw(_ json: ArraySlice<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes a value that is JSON text.
  public mutating func raw(_ json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes a value of another document without white space between tokens.
  public mutating func value(_ value: JSONValue) {
    separate()
    bytes += value.minified()
  }

  // MARK: Parts

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(Byte.comma) }
    needsComma = true
  }

  private mutating func appendDigits(_ value: Int) {
    if value < 0 { bytes.append(Byte.minus) }
    var digits = InlineArray<20, UInt8>(repeating: Byte.zero)
    var start = digits.count
    var rest = value.magnitude
    repeat {
      start -= 1
      digits[start] = Byte.zero + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    unsafe digits.span.extracting(start...).withUnsafeBufferPointer {
      unsafe bytes.append(contentsOf: $0)
    }
  }

  /// Copies runs that need no escapes whole.
  private mutating func appendString(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(Byte.quote)
    var run = 0
    for at in 0..<text.count where unsafe JSONWriter.needsEscape(text[at]) {
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<at]))
      unsafe appendEscape(text[at])
      run = at + 1
    }
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[run...]))
    bytes.append(Byte.quote)
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == Byte.quote || byte == Byte.backslash
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case Byte.quote, Byte.backslash: bytes += [Byte.backslash, byte]
    case 0x08: bytes += [Byte.backslash, Byte.lowerB]
    case 0x0C: bytes += [Byte.backslash, Byte.lowerF]
    case Byte.lineFeed: bytes += [Byte.backslash, Byte.lowerN]
    case Byte.carriageReturn: bytes += [Byte.backslash, Byte.lowerR]
    case Byte.tab: bytes += [Byte.backslash, Byte.lowerT]
    default: JSONText.escapeControl(byte) { bytes.append($0) }
    }
  }
}
