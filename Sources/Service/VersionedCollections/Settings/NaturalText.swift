/// A string in which digits are compared as numbers: `a9` before `a10`.
struct NaturalText: Comparable {
  let text: [UInt8]

  static func < (lhs: NaturalText, rhs: NaturalText) -> Bool {
    var (left, right) = (lhs.text[...], rhs.text[...])
    while let first = left.first, let second = right.first {
      guard isDigit(first), isDigit(second) else {
        if first != second { return first < second }
        left = left.dropFirst()
        right = right.dropFirst()
        continue
      }
      let (number, other) = (takeNumber(&left), takeNumber(&right))
      if number.count != other.count { return number.count < other.count }
      if number != other { return number.lexicographicallyPrecedes(other) }
    }
    if left.isEmpty != right.isEmpty { return left.isEmpty }
    // The strings differ only in leading zeros.
    return lhs.text.lexicographicallyPrecedes(rhs.text)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  /// Removes digits from the front; returns them without leading zeros.
  private static func takeNumber(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == 0x30 }
  }
}
