import SnapshotJSON
import Testing

struct MergePatchTests {
  /// RFC 7396 Appendix A: original, patch, result.
  static let rows: [(String, String, String)] = [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
    (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
    (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
  ]

  private func merged(_ patch: String, _ target: String?) throws -> String {
    let result = JSONMergePatch.apply(try parse(patch), to: try target.map(parse))
    _ = try JSONReader().read(result)
    return String(decoding: result, as: UTF8.self)
  }

  @Test(arguments: rows.indices)
  func `the cases of RFC 7396 come out as it says`(row: Int) throws {
    let (target, patch, result) = MergePatchTests.rows[row]
    #expect(try merged(patch, target) == result)
  }

  @Test func `what the patch does not name keeps its place and spelling`() throws {
    let target = #"{ "\u0061" : 1.0 , "b" : [ "\/" , -0 ] , "c" : { "d" : 1e2, "e":2 } }"#
    #expect(
      try merged(#"{"c":{"e":3,"f":"\u00e9"},"g":[null]}"#, target)
        == #"{"\u0061":1.0,"b":["\/",-0],"c":{"d":1e2,"e":3,"f":"\u00e9"},"g":[null]}"#)
    #expect(try merged(#"{"a":null,"\u0062":7}"#, target) == #"{"b":7,"c":{"d":1e2,"e":2}}"#)
  }

  @Test func `nothing is patched like an empty object`() throws {
    #expect(try merged(#"{"a":{"b":null,"c":1},"d":null}"#, nil) == #"{"a":{"c":1}}"#)
    #expect(try merged("7", nil) == "7")
  }

  @Test func `of members with one name the last counts`() throws {
    #expect(try merged(#"{"a":1,"a":2}"#, #"{"a":7,"b":0,"a":8}"#) == #"{"a":2,"b":0}"#)
    #expect(try merged(#"{"c":1}"#, #"{"a":7,"b":0,"a":8}"#) == #"{"a":8,"b":0,"c":1}"#)
    #expect(try merged(#"{"c":1,"c":null}"#, "{}") == "{}")
  }

  @Test func `names are compared by their bytes`() throws {
    #expect(try merged("{\"e\u{301}\":null}", "{\"é\":1}") == "{\"é\":1}")
    #expect(try parse("{\"é\":1}")["e\u{301}"] == nil)
  }
}
