import SnapshotJSON
import Testing

/// What RFC 8259 takes and refuses, rule by rule; the plain validator must agree on each.
struct ConformanceTests {
  /// RFC 8259 §2–§7: texts that are JSON.
  static let accepted: [String] = [
    // §2 white space around any token, and none
    "[]", "{}", " [] ", "\t[\n]\r", "\r\n{\t} ", "[ 1 , 2 ]", "{ \"a\" : 1 , \"b\" : 2 }", "[1,2]",
    // §2 any value may stand alone
    "null", "true", "false", "0", "\"\"", " 7 ", "\n\"a\"\n", "-1", "true ", " null",
    // §3 literals, lower case
    "[null,true,false]", "{\"null\":null}", "[ true ]", "[false\n]",
    // §4 objects
    "{\"\":0}", "{\"a\":{}}", "{\"a\":[]}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":1}",
    "{\"a\":{\"b\":{\"c\":null}}}", "{\"\\u0061\":1}", "{\"a b\":1}", "{\"é\":1}", "{\"1\":1}",
    "{\"a\":\"}\"}", "{\"a\":\"{\"}", "{\"a,b\":\"c:d\"}", "{\"a\\\"b\":1}",
    // §5 arrays
    "[[]]", "[[],[]]", "[[[1]]]", "[1,\"a\",null,true,{},[]]", "[\"]\"]", "[\"[\",\",\"]", "[\"\"]",
    "[{}]", "[{},{}]", "[0]",
    // §6 numbers
    "-0", "0.0", "-0.0", "1.5", "10", "1234567890", "0e0", "0E0", "0e+0", "0e-0", "1e5", "1E5",
    "1e+5", "1E-5", "1.5e10", "-1.5E+10", "0.1", "0.000001", "1e400", "-1e-400",
    "100000000000000000000",
    "[-0]", "[1e1]", "[123.456e-7]", "9007199254740993", "18446744073709551616",
    "123456789012345678901234567890123456789012345678901234567890",
    "0.1234567890123456789012345678901234567890", "[0,1,-1]", "1e00001", "1.0e000",
    // §7 strings
    "\"a\"", "\"\\\"\"", "\"\\\\\"", "\"\\/\"", "\"/\"", "\"\\b\\f\\n\\r\\t\"", "\"\\u0000\"",
    "\"\\u0041\"", "\"\\u00e9\"", "\"\\u00E9\"", "\"\\uFFFF\"", "\"\\uabcd\\uABCD\"", "\"\\u20ac\"",
    "\"\\ud83d\\ude00\"", "\"\\uD834\\uDD1E\"", "\"\\uDBFF\\uDFFF\"", "\"\\uD800\\uDC00\"",
    "\"\\uD7FF\"", "\"\\uE000\"", "\"\u{7F}\"", "\"\u{80}\"", "\"é\"", "\"€\"", "\"😀\"",
    "\"\u{FFFF}\"",
    "\"\u{10FFFF}\"", "\"\u{2028}\u{2029}\"", "\"\u{FEFF}\"", "\"\\\\u0041\"", "\"\\\\\\\\\"",
    "\"\\\\\\\"\"", "\"'\"", "\"//\"", "\"/* */\"", "\"[1,{}]\"", "\" \"", "\"a\\u0000b\"",
    "\"\\ud83d\\ude00\\ud83d\\ude00\"", "\"\u{A0}\"", "\"\u{E000}\"", "[\"\\\\\"]",
    "[\"a\\\\\",\"b\"]",
  ]

  /// Texts that are not JSON but that some readers take.
  static let refused: [String] = [
    // white space and encodings that JSON has not
    "\u{FEFF}[]", "[\u{A0}]", "\u{B}1", "\u{C}[]", "[\u{2028}]", "\u{2060}1", "[1\u{B},2]",
    // comments
    "/**/1", "1//", "[1]#", "<!--1-->",
    // literals
    "True", "TRUE", "Null", "nil", "none", "undefined", "NaN", "Infinity", "-Infinity", "inf",
    "tru",
    "truee", "true false", "[nul]", "nulL",
    // objects
    "{\"a\":1,}", "{,}", "{\"a\"}", "{\"a\":}", "{:1}", "{a:1}", "{'a':1}", "{null:1}", "{1:1}",
    "{\"a\" \"b\"}", "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}", "{\"a\"=1}", "{\"a\":1}}", "{{}}",
    "{[]}", "{\"a\":1", "{\"a\":1]", "{\"a\":/1}", "{\"a\":\"a\" 1}", "{true:1}", "{}{}",
    "{\"a\",\"b\"}",
    // arrays
    "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1;2]", "[1", "1]", "[1}", "[]]", "[][]", "[\"a\"",
    "[1:2]", "[\"a\":1]", "(1)", "[1,", "[[1]", "[\"a\",", "[*]",
    // numbers
    "+1", "01", "-01", "00", "0.", ".1", "-.1", "1.", "1.e1", "1e", "1e+", "1E-", "1e1.5", "1ee1",
    "1e+-1", "--1", "-", "- 1", "1 .5", "0x1", "0b1", "0o1", "1_0", "1,000", "1f", "1L", "-a",
    "1e ",
    "[1.]", "[-]", "[1.2.3]", "\u{FF11}", "1+1", "[01]", "-00", "1.0e", "0e+", "[1e]", "½",
    // strings
    "\"", "\"a", "'a'", "`a`", "\"\\", "\"\\\"", "\"\\a\"", "\"\\x41\"", "\"\\0\"", "\"\\'\"",
    "\"\\u\"", "\"\\u1\"", "\"\\u12\"", "\"\\u123\"", "\"\\u123g\"", "\"\\U0041\"", "\"\\u{41}\"",
    "\"\\ud800\"", "\"\\udfff\"", "\"\\ud800\\ud800\"", "\"\\udc00\\ud800\"", "\"\\ud800\\\"",
    "\"\\ud800a\"", "\"\\ud800\\u0041\"", "\"\t\"", "\"\n\"", "\"\r\"", "\"\u{0}\"", "\"\u{1F}\"",
    "\"a\" \"b\"", "\"a\"b", "a\"b\"", "\"a\"+\"b\"", "[\"\\\"]", "[\"a\\\\\\\"]", "\"\\\n\"",
    // not a value
    "", " ", "\n\t", ",", ":", "abc", "\\", "@", "*", "~", "1 1", "[] 1", "\u{0}", "{}\u{0}", "é",
  ]

  @Test(arguments: accepted)
  func `a text that RFC 8259 allows is read`(text: String) throws {
    let bytes = Array(text.utf8)
    #expect(verdict(bytes, reader: JSONReader()) == .json)
    #expect(PlainValidator.verdict(bytes) == .json)
  }

  @Test(arguments: refused)
  func `a text that RFC 8259 does not allow is refused where the plain validator says`(
    text: String
  ) {
    let bytes = Array(text.utf8)
    let answer = verdict(bytes, reader: JSONReader())
    #expect(answer != .json)
    if !text.hasPrefix("\u{FEFF}") { #expect(answer == PlainValidator.verdict(bytes)) }
  }

  @Test func `the table is large enough to mean something`() {
    #expect(ConformanceTests.accepted.count >= 110)
    #expect(ConformanceTests.refused.count >= 140)
  }

  @Test func `every beginning of a text is refused at its end`() {
    let reader = JSONReader()
    let text = #"{"a":[1.5e-3,true,null,"é\u00e9\ud83d\ude00"],"b":{"c":false,"d":-0}}"#
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      #expect(verdict(Array(bytes[..<count]), reader: reader) == .fault(count))
    }
    #expect(verdict(bytes, reader: reader) == .json)
  }

  @Test func `every two bytes are judged as the plain validator judges them`() {
    let reader = JSONReader()
    for first in UInt8.min ... .max {
      for second in UInt8.min ... .max {
        let bytes = [first, second]
        let answer = verdict(bytes, reader: reader)
        if answer != PlainValidator.verdict(bytes) {
          Issue.record("\(visible(bytes)): \(answer)")
        }
      }
    }
  }
}
