import SnapshotJSON

/// A JSON value as terms compare it: numbers by their exact value, texts by their UTF-8 bytes, objects in any
/// order of their members.
package indirect enum ViewValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(ViewNumber)
  case text([UInt8])
  case array([ViewValue])
  case object([[UInt8]: ViewValue])

  /// Creates the value of a JSON value; the last of several members with one name counts.
  init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .true, .false: self = .bool(value.kind == .true)
    case .number: self = .number(ViewNumber(value.rawBytes))
    case .string: self = .text(value.stringBytes ?? [])
    case .array: self = .array(value.elements.map { ViewValue($0) })
    case .object:
      self = .object(
        Dictionary(value.members.map { (Array($0.key.utf8), ViewValue($0.value)) }) { $1 })
    }
  }

  /// Whether an item's value is equal; any two of different types are not.
  func isEqual(to json: ArraySlice<UInt8>, _ reader: JSONReader) -> Bool {
    switch (self, RawJSON.kind(of: json.span)) {
    case (.null, .null), (.bool(true), .true), (.bool(false), .false): true
    case (.number, .number), (.text, .string): order(of: json) == 0
    case (.array, .array), (.object, .object):
      reader.root(of: Array(json)).map { ViewValue($0) == self } ?? false
    default: false
    }
  }

  /// Whether an item's value is before this one (-1), equal (0) or behind it (1); nil unless both are numbers or
  /// both are texts.
  func order(of json: ArraySlice<UInt8>) -> Int? {
    switch (self, RawJSON.kind(of: json.span)) {
    case (.number(let number), .number): number.order(of: json)
    case (.text(let text), .string):
      json.contains(UInt8(ascii: "\\"))
        ? Self.order(RawJSON.unescaped(json.span)[...], text)
        : Self.order(json.dropFirst().dropLast(), text)
    default: nil
    }
  }

  /// Whether an item's value is a text that begins with this one.
  func isPrefix(of json: ArraySlice<UInt8>) -> Bool {
    guard case .text(let text) = self, RawJSON.kind(of: json.span) == .string else { return false }
    guard json.contains(UInt8(ascii: "\\")) else {
      return json.dropFirst().dropLast().starts(with: text)
    }
    return RawJSON.unescaped(json.span).starts(with: text)
  }

  private static func order(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Int {
    for (one, other) in zip(left, right) where one != other { return one < other ? -1 : 1 }
    return (left.count - right.count).signum()
  }
}

extension ViewValue {
  /// Writes the one text of all equal values.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let bool): writer.bool(bool)
    case .number(let number): writer.raw(number.decimal.canonical)
    case .text(let text): writer.string(utf8: text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (name, value) in members.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        writer.key(utf8: name[...])
        value.write(to: &writer)
      }
      writer.endObject()
    }
  }

  /// The one text of all equal values.
  var canonical: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

/// A number that many others are compared with.
package struct ViewNumber: Hashable, Sendable {
  let decimal: JSONDecimal
  /// Its value, where that is an integer written plainly, as most numbers are.
  let integer: Int?

  package static func == (one: ViewNumber, other: ViewNumber) -> Bool {
    one.decimal == other.decimal
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(decimal) }

  init(_ text: ArraySlice<UInt8>) {
    decimal = JSONDecimal(text)
    integer = Self.integer(text)
  }

  /// Whether a number is less than this one (-1), equal (0) or greater (1).
  func order(of text: ArraySlice<UInt8>) -> Int {
    if let integer, let other = Self.integer(text) { return (other - integer).signum() }
    let other = JSONDecimal(text)
    return other == decimal ? 0 : other < decimal ? -1 : 1
  }

  /// The value of an integer of at most 17 digits; nil for any other number.
  static func integer(_ text: ArraySlice<UInt8>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    guard 1...17 ~= digits.count else { return nil }
    var value = 0
    for digit in digits {
      guard 0x30...0x39 ~= digit else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return isNegative ? -value : value
  }
}
