/// A decimal number compared exactly, without converting it to a `Double`.
struct DecimalText: Comparable {
  private var isNegative: Bool
  /// The significant digits, without leading or trailing zeros; empty for zero.
  private var digits: [UInt8]
  /// The value is 0.digits × 10^exponent.
  private var exponent: Int

  /// Parses a JSON number; nil if its exponent has more than nine digits.
  init?(_ text: ArraySlice<UInt8>) {
    isNegative = text.first == UInt8(ascii: "-")
    digits = []
    var point: Int?
    var rest = isNegative ? text.dropFirst() : text
    while let byte = rest.first, byte == UInt8(ascii: ".") || 0x30...0x39 ~= byte {
      if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
      rest = rest.dropFirst()
    }
    exponent = point ?? digits.count
    if !rest.isEmpty {
      guard rest.count <= 11, let power = Int(String(decoding: rest.dropFirst(), as: UTF8.self))
      else { return nil }
      exponent += power
    }
    let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(zeros)
    exponent -= zeros
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }

  static func < (lhs: DecimalText, rhs: DecimalText) -> Bool {
    if lhs.isNegative != rhs.isNegative { return lhs.isNegative }
    return lhs.isNegative ? rhs.isNearerZero(than: lhs) : lhs.isNearerZero(than: rhs)
  }

  private func isNearerZero(than other: DecimalText) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
