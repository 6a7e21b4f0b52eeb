import Testing

@testable import CollectionService

@Suite struct SortTests {
  @Test func `numbers are compared by their text, without loss`() throws {
    let ascending = [
      "-1e400", "-100000000000000000000.5", "-100000000000000000000.4", "-2", "-1.5", "-1", "-0.1",
      "-1e-9", "0", "1e-400", "0.1", "0.10000000000000000001", "1", "1.5", "10", "11", "1e2", "101",
      "9007199254740992", "9007199254740993", "1E+400",
    ]
    let numbers = try ascending.map { try #require(DecimalText(Array($0.utf8)[...])) }
    for (left, a) in numbers.enumerated() {
      for (right, b) in numbers.enumerated() {
        #expect((a < b) == (left < right), "\(ascending[left]) < \(ascending[right])")
      }
    }
    for (left, right) in [
      ("1.0", "1"), ("100", "1e2"), ("-0", "0"), ("0.0e5", "0"), ("12.50", "125e-1"),
    ] {
      let a = try #require(DecimalText(Array(left.utf8)[...]))
      let b = try #require(DecimalText(Array(right.utf8)[...]))
      #expect(a == b)
    }
  }

  @Test func `moments are compared across offsets and fractions`() throws {
    let ascending = [
      "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
      "2024-02-29T12:00:00+01:00", "2024-02-29T11:30:00Z", "2024-02-29T11:30:00.05Z",
      "2024-02-29T11:30:00.1Z", "2024-02-29T06:00:00-06:00", "2024-03-01T00:00:00z",
    ]
    let moments = try ascending.map { try #require(Moment(Array($0.utf8))) }
    for (left, a) in moments.enumerated() {
      for (right, b) in moments.enumerated() {
        #expect((a < b) == (left < right), "\(ascending[left]) < \(ascending[right])")
      }
    }
    let whole = try #require(Moment(Array("2024-02-29T12:00:00Z".utf8)))
    #expect(Moment(Array("2024-02-29T13:00:00.000+01:00".utf8)) == whole)
    for text in [
      "", "2024-02-29", "2024-02-29T12:00:00", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z",
      "2024-01-01T00:00:00.1", "2024-01-01T00:00:00+1:00", "2024-01-01T00:00:00Zx", "x",
    ] {
      #expect(Moment(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
