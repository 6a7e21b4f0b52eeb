import SnapshotJSON
import Testing

@testable import VersionedCollections

/// The order of a view, by the values of one member.
@Suite struct OrderTests {
  /// Items by their values, in the collection's own order; nil has none.
  private static let values: [String?] = [
    #""b""#, "10", nil, "2", #""10""#, "true", "-1", #""""#, "2.0", "[1]", #""é""#, "null", "1e1",
    #""B""#, #""2024-01-02""#, #"{"a":1}"#, "0.5", #""2024-01-01""#, "12345678901234567891",
    "12345678901234567890",
  ]

  @Test(arguments: [
    // Numbers by value, then texts by bytes, then the rest; ties in the collection's own order.
    (
      "/v",
      [
        "-1", "0.5", "2", "2.0", "10", "1e1", "12345678901234567890", "12345678901234567891",
        #""""#, #""10""#, #""2024-01-01""#, #""2024-01-02""#, #""B""#, #""b""#, #""é""#, "-",
        "true", "[1]", "null", #"{"a":1}"#,
      ]
    ),
    (
      "/v:desc",
      [
        #""é""#, #""b""#, #""B""#, #""2024-01-02""#, #""2024-01-01""#, #""10""#, #""""#,
        "12345678901234567891", "12345678901234567890", "10", "1e1", "2", "2.0", "0.5", "-1", "-",
        "true", "[1]", "null", #"{"a":1}"#,
      ]
    ),
    (
      "/v:text",
      [
        #""""#, #""10""#, #""2024-01-01""#, #""2024-01-02""#, #""B""#, #""b""#, #""é""#, "10", "-",
        "2", "true", "-1", "2.0", "[1]", "null", "1e1", #"{"a":1}"#, "0.5", "12345678901234567891",
        "12345678901234567890",
      ]
    ),
    (
      "/v:desc:number",
      [
        "12345678901234567891", "12345678901234567890", "10", "1e1", "2", "2.0", "0.5", "-1",
        #""b""#, "-", #""10""#, "true", #""""#, "[1]", #""é""#, "null", #""B""#,
        #""2024-01-02""#, #"{"a":1}"#, #""2024-01-01""#,
      ]
    ),
    (
      "/v:date",
      [
        "-1", "0.5", "2", "2.0", "10", "1e1", #""2024-01-01""#, #""2024-01-02""#,
        "12345678901234567890", "12345678901234567891", #""b""#, "-", #""10""#, "true", #""""#,
        "[1]", #""é""#, "null", #""B""#, #"{"a":1}"#,
      ]
    ),
  ]) func `values have an order, with or without a type`(order: String, expected: [String]) throws {
    var bench = ViewBench()
    let items = Self.values.enumerated().map { index, value in
      #"{"id":"i\#(index)"\#(value.map { #","v":\#($0)"# } ?? "")}"#
    }
    let view = CompiledView(try ViewQuery([("order", order)]).view, bench.settings)
    let viewed = try #require(try bench.viewed(try bench.version([("s", items)]), view))
    let found = (0..<items.count).map { Self.values[viewed.members.flatIndex(at: $0)] ?? "-" }
    #expect(found == expected)
  }

  @Test func `the settings' order is by texts where it has no type`() throws {
    let text = Array(#"{"sortBy":[{"path":"/v"}]}"#.utf8)
    let settings = try CollectionSettings(stored: try JSONReader().readStrictly(text))
    #expect(settings.sortRules.map(\.kind) == [.text])
  }
}
