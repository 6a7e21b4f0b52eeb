package import SnapshotJSON

/// A JSON value of a test.
///
/// Strings that differ in their bytes are different, as in the service: an accent that follows its
/// letter is held as another character, which makes no letter with it, and is itself again in texts.
///
/// Subscripts never fail. The order of members means nothing to equality, and is kept in
/// `description`.
package enum JSONTree: Sendable {
  /// What a path leads to where there is nothing.
  case missing
  /// A number, true, false or null, by its text.
  case plain(String)
  case string(String)
  case array([JSONTree])
  case object(JSONMembers)

  /// Reads a text; what is none is `missing`.
  package init(_ bytes: [UInt8]) {
    self = (try? JSONTree(parsing: bytes)) ?? .missing
  }

  /// Reads a text.
  package init(parsing bytes: [UInt8]) throws { self.init(try JSONReader().read(bytes).root) }

  package init(_ value: JSONValue) {
    switch value.kind {
    case .string: self = .string(Self.distinct(value.string ?? ""))
    case .array: self = .array(value.elements.map { JSONTree($0) })
    case .object:
      self = .object(JSONMembers(value.members.map { (Self.distinct($0.key), JSONTree($0.value)) }))
    default: self = .plain(value.rawText)
    }
  }
}

/// The members of an object, in order.
package struct JSONMembers: Sendable, ExpressibleByDictionaryLiteral {
  package var pairs: [(key: String, value: JSONTree)]

  package init(_ pairs: [(key: String, value: JSONTree)]) { self.pairs = pairs }

  package init(dictionaryLiteral pairs: (String, JSONTree)...) {
    self.init(pairs.map { (key: $0.0, value: $0.1) })
  }

  /// The last member of a name; nil removes all of it.
  package subscript(name: String) -> JSONTree? {
    get { pairs.last { $0.key == name }?.value }
    set {
      let index = pairs.firstIndex { $0.key == name }
      if let newValue, let index {
        pairs[index].value = newValue
      } else if let newValue {
        pairs.append((name, newValue))
      } else {
        pairs.removeAll { $0.key == name }
      }
    }
  }

  package var byName: [String: JSONTree] { Dictionary(pairs) { $1 } }
}

// MARK: Navigation

extension JSONTree {
  package subscript(_ key: String) -> JSONTree {
    if case .object(let members) = self { members[key] ?? .missing } else { .missing }
  }

  package subscript(_ index: Int) -> JSONTree {
    elements.indices.contains(index) ? elements[index] : .missing
  }

  package var exists: Bool { if case .missing = self { false } else { true } }

  /// Nil for what is missing.
  package var ifPresent: JSONTree? { exists ? self : nil }

  /// The elements of an array; none of what is none.
  package var elements: [JSONTree] {
    if case .array(let elements) = self { elements } else { [] }
  }

  package var members: [String: JSONTree] {
    if case .object(let members) = self { members.byName } else { [:] }
  }

  /// The names of an object's members, in order.
  package var keys: [String] {
    if case .object(let members) = self { members.pairs.map(\.key) } else { [] }
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var int: Int? {
    if case .plain(let text) = self { Int(text) } else { nil }
  }

  package var bool: Bool? {
    if case .plain(let text) = self { Bool(text) } else { nil }
  }

  /// An id as deltas show it.
  package var idText: String? {
    switch self {
    case .string(let text), .plain(let text): text
    case .array, .object, .missing: nil
    }
  }

  /// With a member added or replaced; an object even if this is none.
  package func with(_ key: String, _ value: JSONTree) -> JSONTree {
    var members: JSONMembers = if case .object(let members) = self { members } else { [:] }
    members[key] = value
    return .object(members)
  }

  /// Without a member.
  package func without(_ key: String) -> JSONTree {
    guard case .object(var members) = self else { return .object([:]) }
    members[key] = nil
    return .object(members)
  }
}

// MARK: Comparison and text

extension JSONTree: Equatable {
  package static func == (lhs: JSONTree, rhs: JSONTree) -> Bool {
    switch (lhs, rhs) {
    case (.missing, .missing): true
    case (.plain(let one), .plain(let other)), (.string(let one), .string(let other)): one == other
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one.byName == other.byName
    default: false
    }
  }
}

extension JSONTree: CustomStringConvertible {
  /// The value's text without white space; `-` for none.
  package var description: String { text { $0.pairs } }

  /// A text that is the same for equal values.
  package var text: String { text { $0.byName.sorted { $0.key < $1.key } } }

  private func text(_ order: (JSONMembers) -> [(key: String, value: JSONTree)]) -> String {
    switch self {
    case .missing: return "-"
    case .plain(let text): return text
    case .string(let text): return Self.quoted(text)
    case .array(let elements):
      return "[" + elements.map { $0.text(order) }.joined(separator: ",") + "]"
    case .object(let members):
      let parts = order(members).map { Self.quoted($0.key) + ":" + $0.value.text(order) }
      return "{" + parts.joined(separator: ",") + "}"
    }
  }

  /// A string as values hold it.
  package static func distinct(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") {
      $0.unicodeScalars.append($1 == "\u{301}" ? "\u{E301}" : $1)
    }
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(
      text.unicodeScalars.reduce(into: "") {
        $0.unicodeScalars.append($1 == "\u{E301}" ? "\u{301}" : $1)
      })
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
