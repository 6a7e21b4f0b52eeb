import SnapshotJSON

/// A JSON value that can be taken apart and put together; the order of members means nothing.
enum Tree: Equatable {
  /// A number, true, false or null, by its text.
  case plain(String)
  case string(String)
  case array([Tree])
  case object([String: Tree])

  init(_ bytes: [UInt8]) throws { self.init(try JSONReader().read(bytes).root) }

  init(_ value: JSONValue) {
    switch value.kind {
    case .string: self = .string(value.string ?? "")
    case .array: self = .array(value.elements.map { Tree($0) })
    case .object:
      self = .object(Dictionary(value.members.map { ($0.key, Tree($0.value)) }) { $1 })
    default: self = .plain(value.rawText)
    }
  }

  subscript(_ key: String) -> Tree? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The elements of an array; none of what is none.
  var elements: [Tree] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var members: [String: Tree] {
    if case .object(let members) = self { members } else { [:] }
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var int: Int? {
    if case .plain(let text) = self { Int(text) } else { nil }
  }

  /// An id as deltas show it.
  var idText: String? {
    switch self {
    case .string(let text), .plain(let text): text
    case .array, .object: nil
    }
  }

  /// Without a member.
  func without(_ key: String) -> Tree {
    var members = members
    members[key] = nil
    return .object(members)
  }

  /// A text that says what it says.
  var text: String {
    switch self {
    case .plain(let text): return text
    case .string(let text):
      var writer = JSONWriter()
      writer.string(text)
      return String(decoding: writer.bytes, as: UTF8.self)
    case .array(let elements): return "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      let parts = members.sorted { $0.key < $1.key }
        .map { Tree.string($0.key).text + ":" + $0.value.text }
      return "{" + parts.joined(separator: ",") + "}"
    }
  }
}
