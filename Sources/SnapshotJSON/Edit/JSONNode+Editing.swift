/// A value that was put somewhere or taken away.
struct JSONNodeChange {
  /// What was there before; nil for nothing.
  var old: JSONNode?
  /// How many bytes the document gains, or loses, beside those of the value itself: a comma, and
  /// the name in an object.
  var overhead: Int
}

extension JSONNode {
  /// Changes the value at a path in place; nil when there is none.
  ///
  /// While a part is changed its parent holds nothing of it, so that nothing is copied.
  ///
  /// - Complexity: O(m) in the members of the objects on the path, and in what is taken apart.
  mutating func edit<Result>(
    _ path: ArraySlice<String>, _ work: inout JSONPatchWork,
    _ body: (inout JSONNode, inout JSONPatchWork) -> Result
  ) -> Result? {
    guard let name = path.first else { return body(&self, &work) }
    takeApart(&work)
    switch self {
    case .text: return nil
    case .array(var elements):
      guard let index = JSONPointer.arrayIndex(name), index < elements.count else { return nil }
      self = .array([])
      defer { self = .array(elements) }
      return elements[index].edit(path.dropFirst(), &work, body)
    case .object(var members):
      guard let index = JSONNode.index(of: name, in: members, &work) else { return nil }
      self = .object([])
      defer { self = .object(members) }
      return members[index].value.edit(path.dropFirst(), &work, body)
    }
  }

  /// RFC 6902 §4.1; nil when nothing can be added here.
  mutating func add(
    _ value: JSONNode, _ name: String, _ work: inout JSONPatchWork
  ) -> JSONNodeChange? {
    takeApart(&work)
    switch self {
    case .text: return nil
    case .array(var elements):
      guard let index = name == "-" ? elements.count : JSONPointer.arrayIndex(name),
        index <= elements.count
      else { return nil }
      work.spend((elements.count - index) / 64)
      self = .array([])
      elements.insert(value, at: index)
      self = .array(elements)
      return JSONNodeChange(overhead: elements.count > 1 ? 1 : 0)
    case .object(var members):
      let index = JSONNode.index(of: name, in: members, &work)
      self = .object([])
      defer { self = .object(members) }
      if let index {
        let old = members[index].value
        members[index].value = value
        return JSONNodeChange(old: old, overhead: 0)
      }
      members.append(Member(name: Array(name.utf8), value: value))
      return JSONNodeChange(overhead: JSONNode.overhead(name, hasSiblings: members.count > 1))
    }
  }

  /// RFC 6902 §4.2; nil when there is nothing to remove.
  mutating func remove(_ name: String, _ work: inout JSONPatchWork) -> JSONNodeChange? {
    takeApart(&work)
    switch self {
    case .text: return nil
    case .array(var elements):
      guard let index = JSONPointer.arrayIndex(name), index < elements.count else { return nil }
      work.spend((elements.count - index) / 64)
      self = .array([])
      defer { self = .array(elements) }
      let old = elements.remove(at: index)
      return JSONNodeChange(old: old, overhead: elements.isEmpty ? 0 : 1)
    case .object(var members):
      guard let index = JSONNode.index(of: name, in: members, &work) else { return nil }
      self = .object([])
      defer { self = .object(members) }
      let old = members.remove(at: index).value
      return JSONNodeChange(
        old: old, overhead: JSONNode.overhead(name, hasSiblings: !members.isEmpty))
    }
  }

  private static func index(
    of name: String, in members: [Member], _ work: inout JSONPatchWork
  ) -> Int? {
    work.spend(1 + members.count / 8)
    return members.firstIndex { $0.isNamed(name) }
  }

  /// A name's quotes and colon, and a comma.
  private static func overhead(_ name: String, hasSiblings: Bool) -> Int {
    spelledCount(name.utf8) + (hasSiblings ? 4 : 3)
  }
}
