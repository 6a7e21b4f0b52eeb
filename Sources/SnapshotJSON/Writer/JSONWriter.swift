/// Writes a JSON text into bytes: one line, no white space, commas where they belong.
///
/// The caller opens and closes in the right order; a name stands before each value in an object.
///
/// ```swift
/// JSONWriter.object { $0.array("ids", [1, 2]) { $0.number($1) } }  // {"ids":[1,2]}
/// ```
public struct JSONWriter: Sendable {
  /// What is written so far.
  public private(set) var bytes: [UInt8]
  /// Whether a value was written at this level, so that the next needs a comma.
  private var needsComma = false

  /// Makes a writer with room for some bytes.
  public init(capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  // MARK: Containers

  /// Opens an object.
  public mutating func beginObject() { begin(Byte.openBrace) }
  /// Closes the object opened last.
  public mutating func endObject() { end(Byte.closeBrace) }
  /// Opens an array.
  public mutating func beginArray() { begin(Byte.openBracket) }
  /// Closes the array opened last.
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
  /// - Parameter json: A JSON string with its quotes.
  mutating func key(rawName json: ArraySlice<UInt8>) {
    raw(json)
    bytes.append(Byte.colon)
    needsComma = false
  }

  /// Writes the name of the next value.
  ///
  /// - Parameter name: UTF-8.
  public mutating func key(utf8 name: ArraySlice<UInt8>) {
    string(utf8: name)
    bytes.append(Byte.colon)
    needsComma = false
  }

  // MARK: Values

  /// Writes a string; only what RFC 8259 §7 asks for is escaped.
  public mutating func string(_ text: String) {
    var text = text
    separate()
    text.withUTF8 { unsafe appendString($0) }
  }

  /// Writes a string.
  ///
  /// - Parameter text: UTF-8.
  public mutating func string(utf8 text: ArraySlice<UInt8>) {
    separate()
    unsafe text.withUnsafeBufferPointer { unsafe appendString($0) }
  }

  /// Writes a string.
  ///
  /// - Parameter text: UTF-8.
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

  /// Writes a value that is JSON text already.
  public mutating func raw(_ json: ArraySlice<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes a value that is JSON text already.
  public mutating func raw(_ json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes a value of another document without the white space between its tokens.
  public mutating func value(_ value: JSONValue) {
    separate()
    value.minified(into: &bytes)
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
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      bytes.append(Byte.zero + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Runs that need no escapes are copied whole.
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
