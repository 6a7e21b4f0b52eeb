/// JSON as the judge reads it: not by the service's own reader.
indirect enum Text: Equatable {
  case object([(name: String, value: Text)], source: String)
  case array([Text])
  case string(String)
  /// A number, a boolean or null, as it was written.
  case other(String)

  /// Reads a text; nil if it is not JSON.
  ///
  /// Escapes in strings are not decoded.
  init?(_ bytes: [UInt8]) {
    var parser = Parser(bytes: bytes)
    guard let value = parser.value(), parser.index == bytes.count else { return nil }
    self = value
  }

  subscript(name: String) -> Text? {
    guard case .object(let members, _) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var members: [(name: String, value: Text)]? {
    if case .object(let members, _) = self { members } else { nil }
  }

  var elements: [Text]? { if case .array(let elements) = self { elements } else { nil } }

  var string: String? { if case .string(let text) = self { text } else { nil } }

  var number: Int? { if case .other(let text) = self { Int(text) } else { nil } }

  /// An object as it was written.
  var source: String? { if case .object(_, let source) = self { source } else { nil } }

  static func == (one: Text, other: Text) -> Bool {
    switch (one, other) {
    case (.object(_, let one), .object(_, let other)): one == other
    case (.array(let one), .array(let other)): one == other
    case (.string(let one), .string(let other)), (.other(let one), .other(let other)): one == other
    default: false
    }
  }
}

private struct Parser {
  let bytes: [UInt8]
  var index = 0

  mutating func take(_ character: Character) -> Bool {
    guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
    index += 1
    return true
  }

  mutating func value() -> Text? {
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return array()
    case UInt8(ascii: "\""): return string().map { .string($0) }
    default:
      let start = index
      while index < bytes.count, !",]}".utf8.contains(bytes[index]) { index += 1 }
      return index > start ? .other(text(start..<index)) : nil
    }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func object() -> Text? {
    let start = index
    index += 1
    var members: [(name: String, value: Text)] = []
    while !take("}") {
      if !members.isEmpty, !take(",") { return nil }
      guard let name = string(), take(":"), let value = value() else { return nil }
      members.append((name, value))
    }
    return .object(members, source: text(start..<index))
  }

  private mutating func array() -> Text? {
    index += 1
    var elements: [Text] = []
    while !take("]") {
      if !elements.isEmpty, !take(",") { return nil }
      guard let element = value() else { return nil }
      elements.append(element)
    }
    return .array(elements)
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < bytes.count else { return nil }
    defer { index += 1 }
    return text(start..<index)
  }
}
