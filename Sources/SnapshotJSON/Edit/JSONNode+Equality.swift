/// Equality as defined for the `test` operation (RFC 6902 §4.6): numbers are compared by value and
/// objects in any order. Elsewhere, equality of contents compares numbers as text.
extension JSONNode {
  /// - Returns: Whether the values are equal; false also if the steps are exhausted.
  func isEqual(to other: JSONNode, _ work: inout JSONPatchBudget) -> Bool {
    var one = self
    var two = other
    one.takeApart(&work)
    two.takeApart(&work)
    work.spend(1)
    if work.isOver { return false }
    switch (one, two) {
    case (.text(let lhs), .text(let rhs)): return JSONNode.isEqualScalar(lhs, rhs)
    case (.array(let lhs), .array(let rhs)):
      guard lhs.count == rhs.count else { return false }
      for (left, right) in zip(lhs, rhs) where !left.isEqual(to: right, &work) { return false }
      return true
    case (.object(let lhs), .object(let rhs)): return JSONNode.isEqual(lhs, rhs, &work)
    default: return false
    }
  }

  private static func isEqual(
    _ lhs: [Member], _ rhs: [Member], _ work: inout JSONPatchBudget
  ) -> Bool {
    guard lhs.count == rhs.count else { return false }
    let members = Dictionary(uniqueKeysWithValues: rhs.map { ($0.name, $0.value) })
    for member in lhs {
      guard let other = members[member.name], member.value.isEqual(to: other, &work) else {
        return false
      }
    }
    return true
  }

  private static func isEqualScalar(_ lhs: JSONValue, _ rhs: JSONValue) -> Bool {
    guard lhs.kind == rhs.kind else { return false }
    switch lhs.kind {
    case .string: return lhs.stringBytes == rhs.stringBytes
    case .number: return JSONDecimal(lhs.rawBytes) == JSONDecimal(rhs.rawBytes)
    default: return true
    }
  }
}
