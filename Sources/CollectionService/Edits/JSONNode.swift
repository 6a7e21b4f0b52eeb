import SnapshotJSON

/// A JSON value that can be changed: a view of a document wherever nobody has touched it.
enum JSONNode {
  case value(JSONValue)
  case array([JSONNode])
  case object([(key: String, value: JSONNode)])

  /// Takes an array or object apart, so that its parts can be changed.
  mutating func open() {
    guard case .value(let value) = self else { return }
    switch value.kind {
    case .array: self = .array(value.elements.map { .value($0) })
    case .object: self = .object(value.members.map { (key: $0.key, value: .value($0.value)) })
    default: break
    }
  }

  /// The value at a pointer; nil when there is none.
  func value(at tokens: ArraySlice<String>) -> JSONNode? {
    guard let token = tokens.first else { return self }
    var opened = self
    opened.open()
    let rest = tokens.dropFirst()
    switch opened {
    case .object(let members): return members.last { $0.key == token }?.value.value(at: rest)
    case .array(let elements):
      guard let index = Self.index(token), index < elements.count else { return nil }
      return elements[index].value(at: rest)
    case .value: return nil
    }
  }

  /// Does something to the array or object that holds the last token's place.
  ///
  /// - Returns: false when there is no such array or object, or `body` says so.
  mutating func edit(
    at tokens: ArraySlice<String>, _ body: (inout JSONNode, _ last: String) -> Bool
  ) -> Bool {
    guard let token = tokens.first else { return false }
    open()
    let rest = tokens.dropFirst()
    if rest.isEmpty { return body(&self, token) }
    switch self {
    case .object(var members):
      guard let index = members.lastIndex(where: { $0.key == token }) else { return false }
      self = .object([])
      let isDone = members[index].value.edit(at: rest, body)
      self = .object(members)
      return isDone
    case .array(var elements):
      guard let index = Self.index(token), index < elements.count else { return false }
      self = .array([])
      let isDone = elements[index].edit(at: rest, body)
      self = .array(elements)
      return isDone
    case .value: return false
    }
  }

  /// Adds a member or element (RFC 6902 §4.1).
  mutating func add(_ value: JSONNode, at token: String) -> Bool {
    switch self {
    case .object(var members):
      self = .object([])
      if let index = members.lastIndex(where: { $0.key == token }) {
        members[index].value = value
      } else {
        members.append((key: token, value: value))
      }
      self = .object(members)
      return true
    case .array(var elements):
      guard let index = token == "-" ? elements.count : Self.index(token),
        index <= elements.count
      else { return false }
      self = .array([])
      elements.insert(value, at: index)
      self = .array(elements)
      return true
    case .value: return false
    }
  }

  /// Removes a member or element (RFC 6902 §4.2).
  mutating func remove(at token: String) -> JSONNode? {
    switch self {
    case .object(var members):
      guard let index = members.lastIndex(where: { $0.key == token }) else { return nil }
      self = .object([])
      let removed = members.remove(at: index).value
      self = .object(members)
      return removed
    case .array(var elements):
      guard let index = Self.index(token), index < elements.count else { return nil }
      self = .array([])
      let removed = elements.remove(at: index)
      self = .array(elements)
      return removed
    case .value: return nil
    }
  }

  /// An array index: digits without leading zeros (RFC 6901 §4).
  private static func index(_ token: String) -> Int? {
    guard 1...9 ~= token.utf8.count, token.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      token == "0" || !token.hasPrefix("0")
    else { return nil }
    return Int(token)
  }
}

extension JSONWriter {
  /// Writes a value with its changes.
  mutating func write(_ node: JSONNode) {
    switch node {
    case .value(let json): value(json)
    case .array(let elements):
      beginArray()
      for element in elements { write(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(member.key)
        write(member.value)
      }
      endObject()
    }
  }
}
