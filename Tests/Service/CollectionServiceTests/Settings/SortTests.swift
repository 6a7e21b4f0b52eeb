import SnapshotJSON
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct SortTests {
  @Test func `numbers are compared by their text, without loss`() throws {
    let ascending = [
      "-1e400", "-100000000000000000000.5", "-100000000000000000000.4", "-2", "-1.5", "-1", "-0.1",
      "-1e-9", "0", "1e-400", "0.1", "0.10000000000000000001", "1", "1.5", "10", "11", "1e2", "101",
      "9007199254740992", "9007199254740993", "1E+400",
    ]
    let numbers = ascending.map { JSONDecimal(Array($0.utf8)[...]) }
    for (left, a) in numbers.enumerated() {
      for (right, b) in numbers.enumerated() {
        #expect((a < b) == (left < right), "\(ascending[left]) < \(ascending[right])")
      }
    }
    for (left, right) in [
      ("1.0", "1"), ("100", "1e2"), ("-0", "0"), ("0.0e5", "0"), ("12.50", "125e-1"),
    ] {
      let a = JSONDecimal(Array(left.utf8)[...])
      let b = JSONDecimal(Array(right.utf8)[...])
      #expect(a == b)
    }
  }

  @Test func `moments are compared across offsets and fractions`() throws {
    let ascending = [
      "0000-02-29", "0001-01-01", "1969-12-31T23:59:58Z", "1969-12-31T23:59:58.25Z",
      "1969-12-31T23:59:58.3Z",
      "1969-12-31T23:59:59Z", "1970-01-01", "1970-01-01T00:00:01", "1970-01-02T00:00",
      "2024-02-29T12:00:00+01:00", "2024-02-29T11:30:00Z", "2024-02-29T11:30:00.05Z",
      "2024-02-29T11:30:00.1Z", "2024-02-29T06:00:00-06:00", "2024-03-01T00:00:00z",
      "2024-12-31T23:59:60+23:59", "2024-12-31T00:00:00-23:59", "2100-02-28", "2400-02-29",
    ]
    let moments = try ascending.map { try #require(JSONDecimal(date: Array($0.utf8))) }
    for (left, a) in moments.enumerated() {
      for (right, b) in moments.enumerated() {
        #expect((a < b) == (left < right), "\(ascending[left]) < \(ascending[right])")
      }
    }
    for (text, seconds) in [
      ("2024-02-29T13:00:00.000+01:00", "1709208000"), ("2024-02-29T12:00:00", "1709208000.0"),
      ("2024-02-29T13:00:00+0100", "1709208e3"), ("2024-02-29t10:30-01:30", "1709208000"),
      ("2024-02-29 11:00:00,5-01", "1709208000.5"), ("2024-02-29", "1709164800"),
      ("1969-12-31T23:59:58.25Z", "-1.75"), ("1969-12-31T23:59:59.500Z", "-0.5"),
    ] {
      let date = try #require(JSONDecimal(date: Array(text.utf8)), "\(text)")
      #expect(date == JSONDecimal(Array(seconds.utf8)[...]), "\(text)")
    }
    for text in [
      "", "2024-02", "2024-02-29T", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z",
      "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+1:00", "2024-01-01T00:00:00Zx", "x",
      "2024-02-30", "2023-02-29", "1900-02-29", "2024-04-31", "2024-00-01", "2024-01-00",
      "2024-01-32", "2024-13-01", "2024-12-32T00:00:00Z", "2023-02-29T12:00:00Z",
      "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00-24", "2024-01-01T00:00:00+99:00",
      "2024-01-01T00:00:00+01:60", "2024-01-01T00:00:00-0199",
    ] {
      #expect(JSONDecimal(date: Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func `in texts that are natural digits are numbers`() {
    let ascending = ["", "0", "1", "01", "2", "10", "a", "a9", "a09", "a10", "a10b", "b", "ä1"]
    for (left, a) in ascending.enumerated() {
      for (right, b) in ascending.enumerated() {
        let isLess = NaturalText(text: Array(a.utf8)) < NaturalText(text: Array(b.utf8))
        // `01` and `1` are one number: what tells them apart is their texts.
        let areEqual = Int(a) != nil && Int(a) == Int(b) || Set([a, b]) == ["a9", "a09"]
        #expect(isLess == (areEqual ? a < b : left < right), "\(a) < \(b)")
      }
    }
  }
}
