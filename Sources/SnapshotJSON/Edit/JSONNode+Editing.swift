/// The effect of adding or removing a value.
struct JSONNodeChange {
  /// The previous value; nil if there was none.
  var old: JSONNode?
  /// The bytes that the document gains or loses besides those of the value: a comma, and the name
  /// in an object.
  var overhead: Int
}

extension JSONNode {
  /// Edits the value at a path in place; nil if there is none.
  ///
  /// The parent is emptied during the edit, so that nothing is copied.
  ///
  /// - Complexity: O(*m*), where *m* is the number of members in the objects on the path, plus the
  ///   cost of expanding nodes.
  mutating func edit<Result>(
    _ path: ArraySlice<String>, _ work: inout JSONPatchBudget,
    _ body: (inout JSONNode, inout JSONPatchBudget) -> Result
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

  /// Adds a value (RFC 6902 §4.1); nil if none can be added here.
  mutating func add(
    _ value: JSONNode, _ name: String, _ work: inout JSONPatchBudget
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

  /// Removes a value (RFC 6902 §4.2); nil if there is none.
  mutating func remove(_ name: String, _ work: inout JSONPatchBudget) -> JSONNodeChange? {
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
    of name: String, in members: [Member], _ work: inout JSONPatchBudget
  ) -> Int? {
    work.spend(1 + members.count / 8)
    return members.firstIndex { $0.isNamed(name) }
  }

  /// The bytes of a member besides its value: the name with quotes and colon, and a comma.
  private static func overhead(_ name: String, hasSiblings: Bool) -> Int {
    spelledCount(name.utf8) + (hasSiblings ? 4 : 3)
  }
}
