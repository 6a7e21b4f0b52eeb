/// A document that is being edited: containers are taken apart where an edit passes, all else
/// stays a view of the text it came from.
indirect enum JSONTree {
  case text(JSONValue)
  case array([JSONTree])
  case object([Member])

  struct Member {
    /// UTF-8, unescaped.
    var name: [UInt8]
    var value: JSONTree

    func isNamed(_ other: String) -> Bool {
      name.count == other.utf8.count && name.elementsEqual(other.utf8)
    }
  }

  /// This level taken apart; scalars stay as they are.
  mutating func takeApart() {
    guard case .text(let value) = self else { return }
    switch value.kind {
    case .array: self = .array(value.elements.map { .text($0) })
    case .object:
      self = .object(
        LastMembers(value).inOrder.map { Member(name: $0.name, value: .text($0.value)) })
    default: break
    }
  }

  /// The number of bytes, and how deep containers are nested; for a scalar 0.
  var extent: (byteCount: Int, depth: Int) {
    switch self {
    case .text(let value): return (value.range.count, value.depth)
    case .array(let elements):
      return elements.reduce(into: (2, 1)) { sum, element in
        let extent = element.extent
        sum = (sum.0 + extent.byteCount + 1, max(sum.1, extent.depth + 1))
      }
    case .object(let members):
      return members.reduce(into: (2, 1)) { sum, member in
        let extent = member.value.extent
        // Quotes, colon and comma; escapes are counted when the result is written.
        let byteCount = member.name.count + extent.byteCount + 4
        sum = (sum.0 + byteCount, max(sum.1, extent.depth + 1))
      }
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

extension JSONValue {
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
