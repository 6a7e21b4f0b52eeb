/// A document that is being edited: containers are taken apart where an edit passes, all else
/// stays a view of the text it came from.
enum JSONNode: Sendable {
  case text(JSONValue)
  case array([JSONNode])
  case object([Member])

  struct Member: Sendable {
    /// UTF-8, unescaped.
    var name: [UInt8]
    var value: JSONNode

    func isNamed(_ other: String) -> Bool {
      name.count == other.utf8.count && name.elementsEqual(other.utf8)
    }
  }

  /// The size and the nesting of a value.
  struct Extent {
    /// An upper bound: white space is counted where nothing was taken apart.
    var byteCount: Int
    /// How deep containers are nested; for a scalar 0.
    var depth: Int
  }

  /// This level taken apart; scalars stay as they are, and so does all when the work runs out.
  mutating func takeApart(_ work: inout JSONPatchWork) {
    guard case .text(let value) = self, value.token.isContainer, !work.isOver else { return }
    // Spent first: nothing is taken apart that there is no work left for.
    work.spend(value.childCount)
    if work.isOver { return }
    if value.kind == .array {
      self = .array(value.elements.map { .text($0) })
    } else {
      self = .object(
        LastMembers(value).inOrder.map { Member(name: $0.name, value: .text($0.value)) })
    }
  }

  /// - Complexity: O(n) in the values inside, which is spent.
  func extent(_ work: inout JSONPatchWork) -> Extent {
    switch self {
    case .text(let value):
      // A walk over tokens takes a small part of the time of one over a tree.
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
  /// The number of bytes of a name as it is written, between its quotes (RFC 8259 §7).
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
  /// The number of tokens of this value.
  fileprivate var tokenCount: Int { Int(token.next) - index }

  /// How many elements an array has, or members an object.
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

  /// How deep containers are nested in this value; for a scalar 0.
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
