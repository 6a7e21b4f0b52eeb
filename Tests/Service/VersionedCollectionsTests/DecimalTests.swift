import SnapshotJSON
import TestSupport
import Testing

@testable import VersionedCollections

/// Decimal numbers against all of their digits.
@Suite struct DecimalTests {
  @Test(arguments: 1...(UInt64(rounds(300)))) func `numbers compare by their digits`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let (one, other) = (number(&generator), number(&generator))
      let expected = try #require(SlowDecimal(one)).order(#require(SlowDecimal(other)))
      let (left, right) = (JSONDecimal(Array(one.utf8)[...]), JSONDecimal(Array(other.utf8)[...]))
      let order = left == right ? 0 : left < right ? -1 : 1
      #expect(order == expected, "seed \(seed): \(one) \(other)")
      #expect((right < left) == (expected > 0), "seed \(seed): \(one) \(other)")
      #expect(ViewNumber(Array(other.utf8)[...]).order(of: Array(one.utf8)[...]) == expected)
      let canonical = left.canonical
      #expect(JSONDecimal(canonical[...]) == left, "seed \(seed): \(one)")
      #expect((canonical == right.canonical) == (expected == 0), "seed \(seed): \(one) \(other)")
    }
  }

  /// Exponents around those at which a digit is carried, among them some of 40 digits.
  @Test func `exponents are integers of any size`() {
    let large = [
      "99999999999999998", "99999999999999999", "100000000000000000", "100000000000000001",
      "99999999999999999999999999999999999999998", "99999999999999999999999999999999999999999",
      "100000000000000000000000000000000000000000", "100000000000000000000000000000000000000001",
    ]
    let exponents = large.reversed().map { "-" + $0 } + ["-1", "0", "+1"] + large
    let numbers = exponents.map { JSONDecimal(Array("1e\($0)".utf8)[...]) }
    for (left, one) in numbers.enumerated() {
      for (right, other) in numbers.enumerated() {
        #expect((one < other) == (left < right), "1e\(exponents[left]) 1e\(exponents[right])")
        #expect((one == other) == (left == right))
      }
    }
    for (one, other) in [
      ("10e99999999999999999", "1e100000000000000000"),
      ("0.1e100000000000000000", "1e99999999999999999"),
      ("1000e-100000000000000000", "10e-99999999999999998"), ("0e99999999999999999999", "-0"),
      (
        "10e99999999999999999999999999999999999999999",
        "1e100000000000000000000000000000000000000000"
      ),
      (
        "0.01e-99999999999999999999999999999999999999999",
        "0.1e-100000000000000000000000000000000000000000"
      ),
      ("1e00000000000000000000000005", "100000"),
    ] {
      #expect(JSONDecimal(Array(one.utf8)[...]) == JSONDecimal(Array(other.utf8)[...]), "\(one)")
    }
  }

  @Test func `a number takes the time of its text, whatever its value`() {
    let clock = ContinuousClock()
    let digits = String(repeating: "9", count: 1 << 20)
    let time = clock.measure {
      for text in ["1e\(digits)", "1e-\(digits)", "\(digits)e\(digits)", "0.\(digits)"] {
        let number = JSONDecimal(Array(text.utf8)[...])
        #expect(number == number && !(number < number))
      }
    }
    // A second is more than a hundred times what this takes in an optimized build.
    #expect(time < .seconds(30))
  }

  private func number(_ generator: inout SeededGenerator) -> String {
    func digits(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &generator))
        .map { _ in ["0", "0", "1", "9"].randomElement(using: &generator) ?? "0" }.joined()
    }
    let whole = Int(digits(1...6)).map(String.init) ?? "0"
    var text = (Bool.random(using: &generator) ? "-" : "") + whole
    if Bool.random(using: &generator) { text += "." + digits(1...5) }
    if Bool.random(using: &generator) {
      text += ["e", "E+", "e-", "e0"].randomElement(using: &generator) ?? "e"
      text += digits(1...1)
    }
    return text
  }
}
