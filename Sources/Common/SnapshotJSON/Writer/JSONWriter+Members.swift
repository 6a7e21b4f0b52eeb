// Writes names and values in one call; names are plain ASCII without escapes.

extension JSONWriter {
  /// Returns the text of an object.
  ///
  /// - Parameters:
  ///   - capacity: The initial capacity in bytes.
  ///   - body: Writes the members.
  /// - Returns: The object on one line.
  public static func object(
    capacity: Int = 256, _ body: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: capacity)
    writer.object(body)
    return writer.bytes
  }

  /// Writes an object with the members that `body` writes.
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  /// Writes a member with an array; `body` writes each element.
  public mutating func array<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements,
    _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    beginArray(name)
    for element in elements { body(&self, element) }
    endArray()
  }

  /// Begins an object as a member's value; `name` is plain ASCII that needs no escapes.
  public mutating func beginObject(_ name: StaticString) {
    key(name)
    beginObject()
  }

  /// Begins an array as a member's value.
  public mutating func beginArray(_ name: StaticString) {
    key(name)
    beginArray()
  }

  /// Writes a member with a string.
  public mutating func member(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  /// Writes a member with an integer.
  public mutating func member(_ name: StaticString, _ value: Int) {
    key(name)
    number(value)
  }

  /// Writes a member with `true` or `false`.
  public mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  /// Writes a member with a value that is JSON text.
  public mutating func member(_ name: StaticString, raw json: ArraySlice<UInt8>) {
    key(name)
    raw(json)
  }

  /// Writes a member with a value that is JSON text.
  public mutating func member(_ name: StaticString, raw json: [UInt8]) {
    key(name)
    raw(json)
  }

  /// Writes a member with a string, or `null` for nil.
  public mutating func member(_ name: StaticString, orNull value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  /// Writes a member with a UTF-8 string.
  public mutating func member(_ name: StaticString, utf8 value: ArraySlice<UInt8>) {
    key(name)
    string(utf8: value)
  }
}
