import Synchronization

/// Generates numbers that identify requests and spans across processes.
///
/// They need not be unpredictable: SplitMix64, a mixed counter with a random start (Steele et al.,
/// *Fast Splittable Pseudorandom Number Generators*, 2014).
package final class UniqueNumbers: Sendable {
  private let counter: Atomic<UInt64>

  /// Creates a generator that begins at a random number.
  package init() { counter = Atomic(UInt64.random(in: 0...UInt64.max)) }

  /// Returns a nonzero number.
  package func next() -> UInt64 {
    var bits = counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return max(1, bits ^ bits >> 31)
  }
}

extension [UInt8] {
  /// A number as 16 hexadecimal digits.
  package init(hexadecimal number: UInt64) {
    let digits = hexadecimalDigits(number)
    self = digits.indices.map { digits[$0] }
  }
}

package func hexadecimalText(_ number: UInt64) -> String {
  String(decoding: [UInt8](hexadecimal: number), as: UTF8.self)
}

package func hexadecimalDigits(_ number: UInt64) -> InlineArray<16, UInt8> {
  InlineArray { index in
    let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index) & 0xF)
    return digit < 10 ? 0x30 + digit : 0x57 + digit
  }
}
