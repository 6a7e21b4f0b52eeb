import SnapshotJSON

/// A JSON value as terms compare it: numbers by their exact value, texts by their UTF-8 bytes, objects in any
/// order of their members.
package enum ViewValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(ViewNumber)
  case text([UInt8])
  case container(ViewContainer)

  /// Creates the value of a JSON value; the last of several members with one name counts.
  init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .true, .false: self = .bool(value.kind == .true)
    case .number: self = .number(ViewNumber(value.rawBytes))
    case .string: self = .text(value.stringBytes ?? [])
    case .array, .object: self = .container(ViewContainer(value))
    }
  }

  /// Whether an item's value is equal; any two of different types are not.
  func isEqual(to value: ItemValue, _ reader: JSONReader) -> Bool {
    switch (self, value) {
    case (.number(let number), .integer(let integer)):
      number.integer.map { $0 == integer } ?? (number.decimal.integer == integer)
    case (.container(let container), .container(let json, let digest)):
      container.isEqual(to: json, digest, reader)
    case (_, .text(let json)): isEqual(toScalar: json)
    default: false
    }
  }

  /// Whether a value in a text is of the same type.
  func mayEqual(_ json: ArraySlice<UInt8>) -> Bool {
    switch (self, RawJSON.kind(of: json.span)) {
    case (.null, .null), (.bool, .true), (.bool, .false), (.number, .number), (.text, .string),
      (.container, .array), (.container, .object):
      true
    default: false
    }
  }

  private func isEqual(toScalar json: ArraySlice<UInt8>) -> Bool {
    switch (self, RawJSON.kind(of: json.span)) {
    case (.null, .null), (.bool(true), .true), (.bool(false), .false): true
    case (.number, .number), (.text, .string): order(of: json) == 0
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
    case .container(let container): writer.raw(container.canonical)
    }
  }

  /// The one text of all equal values.
  var canonical: [UInt8] {
    if case .container(let container) = self { return container.canonical }
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

/// An array or object that many others are compared with: by their digests, and by its one text where these are equal.
package struct ViewContainer: Hashable, Sendable {
  /// The one text of all equal values.
  let canonical: [UInt8]
  private let digest: UInt64

  init(_ value: JSONValue) {
    let text = Self.canonical(value)
    var digests = ValueDigests()
    digest = digests.digest(of: text.span)
    canonical = text
  }

  /// Whether an array or object with a digest is equal.
  func isEqual(to json: ArraySlice<UInt8>, _ digest: UInt64, _ reader: JSONReader) -> Bool {
    guard digest == self.digest else { return false }
    return reader.root(of: Array(json)).map { Self.canonical($0) == canonical } ?? false
  }

  private static func canonical(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.bytes
  }

  private static func write(_ value: JSONValue, to writer: inout JSONWriter) {
    switch value.kind {
    case .array:
      writer.beginArray()
      for element in value.elements { write(element, to: &writer) }
      writer.endArray()
    case .object:
      let members = Dictionary(value.members.map { (Array($0.key.utf8), $0.value) }) { $1 }
      writer.beginObject()
      for (name, member) in members.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        writer.key(utf8: name[...])
        write(member, to: &writer)
      }
      writer.endObject()
    default: ViewValue(value).write(to: &writer)
    }
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
    integer = RawJSON.integer(text.span)
  }

  /// Whether a number is less than this one (-1), equal (0) or greater (1).
  func order(of text: ArraySlice<UInt8>) -> Int {
    if let integer, let other = RawJSON.integer(text.span) { return (other - integer).signum() }
    let other = JSONDecimal(text)
    return other == decimal ? 0 : other < decimal ? -1 : 1
  }
}
