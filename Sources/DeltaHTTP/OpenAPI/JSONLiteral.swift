import SnapshotJSON

/// A JSON value written as a Swift literal; the order of members is preserved.
indirect enum JSONLiteral: Sendable {
  case null
  case flag(Bool)
  case number(Int)
  case text(String)
  case elements([JSONLiteral])
  case members([(name: String, value: JSONLiteral)])

  /// The value as compact JSON.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .flag(let value): writer.bool(value)
    case .number(let value): writer.number(value)
    case .text(let value): writer.string(value)
    case .elements(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .members(let members):
      writer.beginObject()
      for member in members {
        writer.key(member.name)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }

  /// Returns an object with the members of both.
  static func + (lhs: JSONLiteral, rhs: JSONLiteral) -> JSONLiteral {
    guard case .members(let first) = lhs, case .members(let second) = rhs else { return lhs }
    return .members(first + second)
  }
}

extension JSONLiteral: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  init(nilLiteral: ()) { self = .null }
  init(booleanLiteral value: Bool) { self = .flag(value) }
  init(integerLiteral value: Int) { self = .number(value) }
  init(stringLiteral value: String) { self = .text(value) }
  init(arrayLiteral elements: JSONLiteral...) { self = .elements(elements) }
  init(dictionaryLiteral members: (String, JSONLiteral)...) {
    self = .members(members.map { (name: $0.0, value: $0.1) })
  }
}
