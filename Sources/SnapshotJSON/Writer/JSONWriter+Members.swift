// What a name and its value are written with in one call; a name is plain ASCII without escapes.

extension JSONWriter {
  /// The text of one object.
  ///
  /// - Parameters:
  ///   - capacity: How many bytes there is room for at once.
  ///   - body: Writes the members.
  /// - Returns: The object on one line.
  public static func object(
    capacity: Int = 256, _ body: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: capacity)
    writer.object(body)
    return writer.bytes
  }

  /// Writes an object, whose members `body` writes.
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  /// Writes a member whose value is an array: `body` writes each element.
  public mutating func array<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements,
    _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    beginArray(name)
    for element in elements { body(&self, element) }
    endArray()
  }

  /// Opens an object that is a member's value; `name` is plain ASCII that needs no escapes.
  public mutating func beginObject(_ name: StaticString) {
    key(name)
    beginObject()
  }

  /// Opens an array that is a member's value.
  public mutating func beginArray(_ name: StaticString) {
    key(name)
    beginArray()
  }

  /// Writes a member whose value is a string.
  public mutating func member(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  /// Writes a member whose value is an integer.
  public mutating func member(_ name: StaticString, _ value: Int) {
    key(name)
    number(value)
  }

  /// Writes a member whose value is `true` or `false`.
  public mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  /// Writes a member whose value is JSON text already.
  public mutating func member(_ name: StaticString, raw json: ArraySlice<UInt8>) {
    key(name)
    raw(json)
  }

  /// Writes a member whose value is JSON text already.
  public mutating func member(_ name: StaticString, raw json: [UInt8]) {
    key(name)
    raw(json)
  }

  /// Writes a member whose value is a string, or `null` where there is none.
  public mutating func member(_ name: StaticString, orNull value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  /// Writes a member whose value is a string of UTF-8.
  public mutating func member(_ name: StaticString, utf8 value: ArraySlice<UInt8>) {
    key(name)
    string(utf8: value)
  }
}
