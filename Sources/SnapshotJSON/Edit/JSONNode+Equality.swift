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

/// The value of a decimal number: its digits without leading and trailing zeros, and an exponent.
///
/// It is exact for numbers of any length. Exponents out of range are clamped, so only numbers
/// beyond 10^(2^62) are wrongly considered equal.
struct JSONDecimal: Hashable {
  private var isNegative = false
  private var digits: [UInt8] = []
  /// The power of ten of the last digit.
  private var exponent = 0

  /// - Parameter text: A validated JSON number.
  init(_ text: ArraySlice<UInt8>) {
    var isFraction = false
    for (at, byte) in zip(text.indices, text) {
      switch byte {
      case Byte.minus: isNegative = true
      case Byte.dot: isFraction = true
      case Byte.lowerE, Byte.upperE:
        exponent += JSONDecimal.exponent(text[(at + 1)...])
        normalize()
        return
      default:
        digits.append(byte)
        if isFraction { exponent -= 1 }
      }
    }
    normalize()
  }

  private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
    let text = String(decoding: text, as: UTF8.self)
    let limit = 1 << 62
    return min(max(Int(text) ?? (text.hasPrefix("-") ? -limit : limit), -limit), limit)
  }

  private mutating func normalize() {
    while digits.last == Byte.zero {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == Byte.zero })
    // Zero has no sign and no exponent.
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }
}
