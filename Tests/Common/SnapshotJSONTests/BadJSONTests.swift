import SnapshotJSON
import Testing

/// Each row: a text that is not JSON, and the offset of its first fault.
struct BadJSONTests {
  static let rows: [(String, Int)] = [
    ("", 0), ("   \n", 4), ("\u{FEFF}{}", 0), ("{}x", 2), ("{} {}", 3), ("1 2", 2), ("[1]]", 3),
    ("[1,]", 3), ("[,1]", 1), ("[1,,2]", 3), ("[1 2]", 3), ("[1", 2), ("[", 1), ("]", 0), ("}", 0),
    ("[1}", 2), ("{]", 1), ("{\"a\":1]", 6), ("{", 1), ("{\"a\"", 4), ("{\"a\":", 5),
    ("{\"a\":1", 6),
    ("{\"a\":1,}", 7), ("{,\"a\":1}", 1), ("{\"a\",1}", 4), ("{\"a\" 1}", 5), ("{a:1}", 1),
    ("{1:1}", 1), ("{\"a\"::1}", 5), ("{\"a\":1 \"b\":2}", 7), ("{\"a\":1,,\"b\":2}", 7), (":", 0),
    (",", 0), ("{\"a\":}", 5), ("{\"a\":{}", 7), ("[[]", 3), ("{'a':1}", 1), ("//c\n1", 0),
    ("[1/*c*/]", 2), ("tru", 3), ("true1", 4), ("truE", 3), ("nul,", 3), ("nulll", 4), ("fals", 4),
    ("False", 0), ("[trux]", 4), ("[falsx]", 5), ("NaN", 0), ("-Infinity", 1), ("undefined", 0),
    ("01", 1), ("-01", 2), ("-", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1.e5", 2), ("1e", 2),
    ("1e+", 3), ("1e5.0", 3), ("0x10", 1), ("1_000", 1), ("--1", 1), ("1-", 1), ("[1a]", 2),
    ("1\"a\"", 1), ("[1\"a\"]", 2), ("0e", 2), ("-a", 1), ("1.2.3", 3), ("2e3e4", 3),
    ("\"", 1), ("\"abc", 4), ("\"a\nb\"", 2), ("\"a\tb\"", 2), ("\"\u{0}\"", 1), ("\"\\\"", 3),
    ("\"\\x\"", 2), ("\"\\\"\"x", 4), ("\"\\u12G4\"", 5), ("\"\\u\"", 3), ("\"\\u123\"", 6),
    ("\"\\u123", 6), ("\"\\ud800\"", 7), ("\"\\ud800x\"", 7), ("\"\\ud800\\n\"", 8),
    ("\"\\ud800\\u0041\"", 9), ("\"\\ud83d\\uD83D\"", 10), ("\"\\udc00\"", 4), ("\"\\", 2),
    ("\"\\U0041\"", 2), ("\"a\"\"b\"", 3), ("[\"a\" \"b\"]", 5), ("\\\"a\"", 0), ("[\u{1F}1]", 1),
    ("[1\u{C}]", 2), ("[1\u{1A}1]", 2), ("{\"a\"\u{1A}1}", 4), ("[1\u{A0}]", 2), ("[\u{0}]", 1),
    ("1\u{0}", 1), ("[1,,2,\"abc", 3), ("[1x,\"a\nb\"]", 2), ("{\"a\":\"\\q\",\"b\":\"\\u00\"}", 7),
    ("[\"\\ud800\", \"\u{1}\"]", 8),
  ]

  static let rawRows: [([UInt8], Int)] = [
    ([0x80], 0), ([0x22, 0x80, 0x22], 1), ([0x22, 0xC0, 0xAF, 0x22], 1), ([0x22, 0xFF, 0x22], 1),
    ([0x22, 0xC3, 0x28, 0x22], 2), ([0x22, 0xE2, 0x28, 0xA1, 0x22], 2),
    ([0x22, 0xE2, 0x82, 0x22], 3), ([0x22, 0xE0, 0x9F, 0x80, 0x22], 2),
    ([0x22, 0xED, 0xA0, 0x80, 0x22], 2), ([0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], 2),
    ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 2), ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1),
    ([0x22, 0xF0, 0x9F, 0x98, 0x22], 4), ([0x22, 0xF0, 0x9F, 0x98], 4),
    ([0x5B, 0xC3, 0xA9, 0x5D], 1),
    ([0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], 0), ([0x5B, 0x31, 0x5D, 0xC3], 3),
    ([0xEF, 0xBB, 0xBF], 0), ([0xEF, 0xBB], 0),
  ]

  @Test(arguments: rows.indices)
  func `the offset of a fault is that of the first byte that cannot stand there`(row: Int) {
    let (text, offset) = BadJSONTests.rows[row]
    check(Array(text.utf8), offset)
  }

  @Test(arguments: rawRows.indices)
  func `bytes that are not UTF-8 are refused at the first of them`(row: Int) {
    let (bytes, offset) = BadJSONTests.rawRows[row]
    check(bytes, offset)
  }

  /// Alone, and far into a large document, where other blocks of the first stage see it.
  private func check(_ bytes: [UInt8], _ offset: Int) {
    let reader = JSONReader()
    #expect(PlainValidator.verdict(bytes) == .fault(offset), "\(visible(bytes))")
    #expect(verdict(bytes, reader: reader) == .fault(offset), "\(visible(bytes))")
    for width in [1, 31, 62, 63, 64, 65, 1000] {
      let spaces = [UInt8](repeating: 0x20, count: width)
      guard bytes.first != 0xEF else { continue }
      #expect(
        verdict(spaces + bytes, reader: reader) == .fault(offset + width), "\(visible(bytes))")
    }
  }

  @Test func `a byte order mark is refused by name`() {
    #expect(
      throws: JSONError.syntax(offset: 0, reason: "a byte order mark; JSON is sent without one")
    ) { try JSONReader().read([0xEF, 0xBB, 0xBF, 0x31]) }
  }

  @Test func `an empty text says that it ends too early`() {
    #expect(throws: JSONError.syntax(offset: 0, reason: "expected a value; the text ends here")) {
      try JSONReader().read([])
    }
  }

  @Test(arguments: [0, 1, 2, 64, 512])
  func `nesting is allowed up to the limit and refused at the first bracket over it`(limit: Int) {
    let reader = JSONReader(depthMax: limit)
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      func nested(_ depth: Int) -> [UInt8] {
        Array(
          (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth))
            .utf8)
      }
      #expect(verdict(nested(limit), reader: reader) == .json)
      #expect(verdict(nested(limit + 1), reader: reader) == .tooDeep(limit * open.utf8.count))
      #expect(verdict(nested(limit + 9), reader: reader) == .tooDeep(limit * open.utf8.count))
    }
  }

  @Test func `a depth limit over what the stack bears is clamped`() {
    #expect(JSONReader(depthMax: .max).depthMax == JSONReader.depthMaxMax)
    #expect(JSONReader(depthMax: -1).depthMax == 0)
  }

  @Test func `a reader goes on after a refusal`() throws {
    let reader = JSONReader()
    for text in ["[1,", "[1]", "\"a\n\"", "{\"a\":\"b\"}", "[[[", "7"] {
      let bytes = Array(text.utf8)
      #expect(verdict(bytes, reader: reader) == PlainValidator.verdict(bytes))
    }
  }
}
