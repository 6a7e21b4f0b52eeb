/// A decimal number compared exactly, without converting it to a `Double`.
///
/// Its exponent may have any number of digits: it takes no more memory or time than its text.
package struct JSONDecimal: Hashable, Comparable, Sendable {
  private var isNegative: Bool
  /// The significant digits, without leading or trailing zeros; empty for zero.
  private var digits: [UInt8]
  /// The value is 0.digits × 10^exponent.
  private var exponent: DecimalExponent

  /// Parses a JSON number.
  package init(_ text: ArraySlice<UInt8>) {
    isNegative = text.first == UInt8(ascii: "-")
    digits = []
    var point: Int?
    var rest = isNegative ? text.dropFirst() : text
    while let byte = rest.first, byte == UInt8(ascii: ".") || 0x30...0x39 ~= byte {
      if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
      rest = rest.dropFirst()
    }
    let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    exponent = DecimalExponent(rest.dropFirst(), plus: (point ?? digits.count) - zeros)
    digits.removeFirst(zeros)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty {
      isNegative = false
      exponent = DecimalExponent()
    }
  }

  package static func < (lhs: JSONDecimal, rhs: JSONDecimal) -> Bool {
    if lhs.isNegative != rhs.isNegative { return lhs.isNegative }
    return lhs.isNegative ? rhs.isNearerZero(than: lhs) : lhs.isNearerZero(than: rhs)
  }

  private func isNearerZero(than other: JSONDecimal) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }

  /// Its value, where that is an integer of at most 17 digits.
  package var integer: Int? {
    if digits.isEmpty { return 0 }
    guard let count = exponent.small, count <= 17, digits.count <= count else { return nil }
    var value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    for _ in digits.count..<count { value *= 10 }
    return isNegative ? -value : value
  }

  /// The number as the nearest value of a type whose order is quick to tell; of two numbers the lesser one is not the
  /// greater one there.
  package var nearest: Double {
    guard let integer else { return Double(String(decoding: canonical, as: UTF8.self)) ?? 0 }
    return Double(integer)
  }

  /// A JSON number with this value, the same for all texts of it.
  package var canonical: [UInt8] {
    if digits.isEmpty { return [UInt8(ascii: "0")] }
    return (isNegative ? [UInt8(ascii: "-")] : []) + Array("0.".utf8) + digits
      + [UInt8(ascii: "e")] + exponent.text
  }
}

/// An integer of any size, made of one in a number's text and a small one.
private struct DecimalExponent: Hashable, Comparable, Sendable {
  private var isNegative = false
  /// The digits before the last 17, without leading zeros; mostly none.
  private var high: [UInt8] = []
  /// The last 17 digits.
  private var low = 0

  private static let lowCount = 17
  private static let unit = 100_000_000_000_000_000

  /// Zero.
  init() {}

  /// Adds to the integer in a text, which may have a sign and leading zeros.
  init(_ text: ArraySlice<UInt8>, plus added: Int) {
    isNegative = text.first == UInt8(ascii: "-")
    let digits = text.drop { !(0x31...0x39 ~= $0) }
    high = Array(digits.dropLast(Self.lowCount))
    low = digits.suffix(Self.lowCount).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    low += isNegative ? -added : added
    if low >= Self.unit {
      low -= Self.unit
      step(up: true)
    } else if low < 0, !high.isEmpty {
      low += Self.unit
      step(up: false)
    } else if low < 0 {
      low = -low
      isNegative.toggle()
    }
    if low == 0, high.isEmpty { isNegative = false }
  }

  /// Adds one to the high digits or subtracts one from them.
  private mutating func step(up: Bool) {
    let (last, first): (UInt8, UInt8) = up ? (0x39, 0x30) : (0x30, 0x39)
    var at = high.count
    while at > 0, high[at - 1] == last {
      at -= 1
      high[at] = first
    }
    if at > 0 {
      high[at - 1] = up ? high[at - 1] + 1 : high[at - 1] - 1
    } else {
      high = [0x31] + high
    }
    if high.first == 0x30 { high.removeFirst() }
  }

  static func < (lhs: DecimalExponent, rhs: DecimalExponent) -> Bool {
    if lhs.isNegative != rhs.isNegative { return lhs.isNegative }
    return lhs.isNegative ? rhs.isNearerZero(than: lhs) : lhs.isNearerZero(than: rhs)
  }

  private func isNearerZero(than other: DecimalExponent) -> Bool {
    if high.count != other.high.count { return high.count < other.high.count }
    if high != other.high { return high.lexicographicallyPrecedes(other.high) }
    return low < other.low
  }

  /// The integer, if it is not negative and small.
  var small: Int? { isNegative || !high.isEmpty ? nil : low }

  /// The integer as text.
  var text: [UInt8] {
    let digits = Array(String(low).utf8)
    let zeros = high.isEmpty ? 0 : Self.lowCount - digits.count
    return (isNegative ? [UInt8(ascii: "-")] : []) + high
      + [UInt8](repeating: 0x30, count: zeros) + digits
  }
}
