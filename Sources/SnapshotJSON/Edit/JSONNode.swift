/// A document being edited: a tree that is expanded only where an edit needs it; all other nodes
/// are views of the original text.
enum JSONNode: Sendable {
  case text(JSONValue)
  case array([JSONNode])
  case object([Member])

  struct Member: Sendable {
    /// The unescaped name in UTF-8.
    var name: [UInt8]
    var value: JSONNode

    func isNamed(_ other: String) -> Bool {
      name.count == other.utf8.count && name.elementsEqual(other.utf8)
    }
  }

  /// The size and nesting depth of a value.
  struct Extent {
    /// An upper bound in bytes, which includes white space in nodes that were not expanded.
    var byteCount: Int
    /// The nesting depth of containers; 0 for a scalar.
    var depth: Int
  }

  /// Expands this node by one level; scalars are not changed, nor is anything if the steps are
  /// exhausted.
  mutating func takeApart(_ work: inout JSONPatchBudget) {
    guard case .text(let value) = self, value.token.isContainer, !work.isOver else { return }
    // Spend first, so that nothing is expanded without remaining steps.
    work.spend(value.childCount)
    if work.isOver { return }
    if value.kind == .array {
      self = .array(value.elements.map { .text($0) })
    } else {
      self = .object(
        LastMembers(value).inOrder.map { Member(name: $0.name, value: .text($0.value)) })
    }
  }

  /// - Complexity: O(*n*), where *n* is the number of values inside; the steps are spent.
  func extent(_ work: inout JSONPatchBudget) -> Extent {
    switch self {
    case .text(let value):
      // Walking tokens takes a small fraction of the time of walking a tree.
      work.spend(1 + value.tokenCount / 8)
      return Extent(byteCount: value.range.count, depth: value.depth)
    case .array(let elements):
      work.spend(elements.count + 1)
      var extent = Extent(byteCount: 2 + max(elements.count - 1, 0), depth: 1)
      for element in elements { extent.include(element.extent(&work)) }
      return extent
    case .object(let members):
      work.spend(members.count + 1)
      var extent = Extent(byteCount: 2 + max(members.count - 1, 0), depth: 1)
      for member in members {
        extent.byteCount += JSONNode.spelledCount(member.name) + 3
        extent.include(member.value.extent(&work))
      }
      return extent
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .text(let value): writer.value(value)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(utf8: member.name[...])
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension JSONNode {
  /// The length of an escaped name in bytes, without quotes (RFC 8259 §7).
  static func spelledCount(_ name: some Sequence<UInt8>) -> Int {
    name.reduce(0) { count, byte in
      switch byte {
      case Byte.quote, Byte.backslash, 0x08, 0x0C, Byte.lineFeed, Byte.carriageReturn, Byte.tab:
        count + 2
      case ..<0x20: count + 6
      default: count + 1
      }
    }
  }
}

extension JSONNode.Extent {
  fileprivate mutating func include(_ child: JSONNode.Extent) {
    byteCount += child.byteCount
    depth = max(depth, child.depth + 1)
  }
}

extension JSONValue {
  /// The number of tokens in this value.
  fileprivate var tokenCount: Int { Int(token.next) - index }

  /// The number of elements or members.
  fileprivate var childCount: Int {
    var count = 0
    var at = index + 1
    let isObject = kind == .object
    while at < Int(token.next) {
      at = Int(storage.tape[isObject ? at + 1 : at].next)
      count += 1
    }
    return count
  }

  /// The nesting depth of containers in this value; 0 for a scalar.
  var depth: Int {
    var depth = 0
    var deepest = 0
    var ends: [UInt32] = []
    for at in index..<Int(token.next) {
      while let end = ends.last, end <= at {
        ends.removeLast()
        depth -= 1
      }
      guard storage.tape[at].isContainer else { continue }
      ends.append(storage.tape[at].next)
      depth += 1
      deepest = max(deepest, depth)
    }
    return deepest
  }
}
