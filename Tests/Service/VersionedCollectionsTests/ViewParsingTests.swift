import SnapshotJSON
import Testing

@testable import VersionedCollections

/// What the texts of views mean, and what is wrong with others and where.
@Suite struct ViewParsingTests {
  // MARK: Canonical texts

  @Test(arguments: [
    ("/a:eq:1.0", "/a:eq:0.1e1"), ("/a:eq:10e-1", "/a:eq:0.1e1"), ("/a:eq:-0", "/a:eq:0"),
    ("/a:eq:abc", #"/a:eq:"abc""#), (#"/a:eq:"abc""#, #"/a:eq:"abc""#), ("/a:eq:", #"/a:eq:"""#),
    ("/a:eq:tru", #"/a:eq:"tru""#), ("/a:eq:true", "/a:eq:true"), ("/a:eq: true ", "/a:eq:true"),
    ("/a:eq:01", #"/a:eq:"01""#), ("/a:eq:a:b:eq:c", #"/a:eq:"a:b:eq:c""#),
    ("/xml:lang:eq:de", #"/xml:lang:eq:"de""#), ("/a:in:[2,1,1.0]", "/a:in:[0.1e1,0.2e1]"),
    (#"/a:ne:{"y":1,"x":[null],"y":2}"#, #"/a:ne:{"x":[null],"y":0.2e1}"#), (":exists", ":exists"),
    ("/a:absent", "/a:absent"), (#"/a:has:"é""#, #"/a:has:"é""#),
    ("/a~1b/~0:exists", "/a~1b/~0:exists"),
    ("/a:gt:1e12345678901234567890", "/a:gt:0.1e12345678901234567891"),
    ("/a:gt:100e-12345678901234567890", "/a:gt:0.1e-12345678901234567887"),
  ]) func `a term has one text`(text: String, canonical: String) throws {
    let query = try ViewQuery([("where", text)])
    #expect(query.view.terms.map(\.canonical) == [canonical])
    #expect(try ViewQuery([("where", canonical)]) == query)
    #expect(query.view.sections == .drop)
  }

  @Test func `the order of parameters and terms means nothing, that of criteria does`() throws {
    let parameters = [
      ("where", "/a:eq:1"), ("where", "/b:exists"), ("select", "/x,/y/z,/y,/x"),
      ("order", "/a:desc"),
      ("order", "/b:number"), ("window", "at:0:5"), ("was", "around:a:b:1:2"), ("other", "x"),
    ]
    let query = try ViewQuery(parameters.map { (name: $0.0, value: $0.1) })
    let other = [
      ("was", "around:a:b:1:2"), ("where", "/b:exists"), ("window", "first:5"), ("select", "/y,/x"),
      ("order", "/a:desc"), ("where", "/a:eq:1.0"), ("order", "/b:number"),
      ("where", "/b:exists"), ("sections", "drop"),
    ]
    #expect(try ViewQuery(other.map { (name: $0.0, value: $0.1) }) == query)
    let text = String(decoding: query.canonicalText, as: UTF8.self)
    #expect(
      text == #"{"where":["/a:eq:0.1e1","/b:exists"],"select":"/x,/y","#
        + #""order":["/a:desc","/b:number"],"sections":"drop","window":"first:5","#
        + #""was":"around:a:b:1:2"}"#)
    #expect(try ViewQuery(JSONReader().readStrictly(query.canonicalText)) == query)
    let swapped = [parameters[4], parameters[3]].map { (name: $0.0, value: $0.1) }
    #expect(
      try ViewQuery(swapped).view.order.map(\.path.description) == ["/b", "/a"])
    #expect(query.tag.count == 16)
    #expect(ViewQuery().tag.isEmpty && ViewQuery().isWhole)
    #expect(try ViewQuery([("wait", "5")]).isWhole)
    #expect(try ViewQuery(JSONReader().readStrictly(Array("{}".utf8))).isWhole)
  }

  @Test(arguments: [
    ("/a", nil, false, "/a"), ("/a:desc", nil, true, "/a"), ("/a:text", "text", false, "/a"),
    ("/a:number", "number", false, "/a"), ("/a:desc:date", "date", true, "/a"),
    ("/a:b:desc", nil, true, "/a:b"), ("/a:b:desc:text", "text", true, "/a:b"),
  ]) func `an order without a type is none of those with one`(
    text: String, kind: String?, isDescending: Bool, path: String
  ) throws {
    let query = try ViewQuery([("order", text)])
    let rule = try #require(query.view.order.first)
    #expect(rule.kind?.rawValue == kind && rule.isDescending == isDescending)
    #expect(rule.path.description == path)
    #expect(String(decoding: query.canonicalText, as: UTF8.self).contains(#""order":["\#(text)"]"#))
  }

  @Test func `a restriction is part of the key`() throws {
    let view = try ViewQuery([("where", "/a:eq:1"), ("select", "/x,/y/z")]).view
    let restriction = try ViewRestriction([("where", "/p:eq:true"), ("select", "/y,/x/a,/w")])
    var query = ViewQuery()
    query.view = view.restricted(by: restriction)
    #expect(query.view != view)
    #expect(query.view.effectiveSelection?.pointers.map(\.description) == ["/x/a", "/y/z"])
    // Tags of answers tell questions apart; tokens tell restrictions apart.
    #expect(query.tag == ViewQuery(view: view).tag)
  }

  @Test(arguments: [
    #"null"#, #"{}"#, #"[]"#, #""""#, #"{"where":null}"#, #"{"where":[]}"#, #"{"select":null}"#,
    #"{"where":["/a:eq:1"],"where":["/b:eq:1"]}"#, #"{"where":["/a:eq:1"],"select":null}"#,
    #"{"show":"meta"}"#, #"{"where":"/a:eq:1"}"#, #"{"where":["/a:like:1"]}"#,
    #"{"where":["/a:eq:1"],"show":"settings"}"#, #"{"where":["/a:eq:1"],"show":"meta,meta"}"#,
    #"{"select":""}"#, #"{"order":["/a"]}"#,
  ]) func `a restriction that says nothing, or what is not understood, is refused`(json: String) {
    #expect(throws: ViewError.self) {
      try ViewRestriction(JSONReader().readStrictly(Array(json.utf8)))
    }
  }

  @Test(arguments: ["", "where=", "select=", "show=headers", "where=/a:eq:1&window=first:1"])
  func `and as parameters`(text: String) {
    let parameters = text.split(separator: "&").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(sides[0]), value: String(sides[1]))
    }
    #expect(throws: ViewError.self) { try ViewRestriction(parameters) }
  }

  // MARK: Errors

  struct Refused: Sendable, CustomTestStringConvertible {
    var parameters: [(name: String, value: String)]
    var place: String
    var detail: String
    var testDescription: String { "\(parameters.last.map { "\($0)" } ?? "")" }

    init(_ name: String, _ value: String, _ offset: Int, _ detail: String) {
      parameters = [(name, value)]
      place = "\(name) 0 \(offset)"
      self.detail = detail
    }

    init(_ name: String, _ values: [String], _ place: String, _ detail: String) {
      parameters = values.map { (name, $0) }
      self.place = "\(name) \(place)"
      self.detail = detail
    }
  }

  static let long = String(repeating: "x", count: 1024)
  static let values = "[" + (0..<65).map(String.init).joined(separator: ",") + "]"

  static let refused: [Refused] = [
    .init("where", "", 0, "POINTER:OP:VALUE"), .init("where", "/unread", 7, "POINTER:OP:VALUE"),
    .init("where", "/unread:eqq:1", 8, "no operator eqq; did you mean eq?"),
    .init("where", "/unread::1", 8, "no operator"),
    .init("where", "unread:eq:1", 0, "JSON pointer"),
    .init("where", "/a/~2:eq:1", 3, "JSON pointer"), .init("where", "/a~:eq:1", 2, "JSON pointer"),
    .init("where", "/~0~1~:eq:1", 5, "JSON pointer"),
    .init("where", "/" + long + ":eq:1", 1024, "at most 1024 bytes"),
    .init("where", String(repeating: "/a", count: 65) + ":exists", 0, "at most 64 tokens"),
    .init("where", "/a:eq:" + String(repeating: "x", count: 8187), 8192, "at most 8192 bytes"),
    .init("where", "/a:eq", 5, "eq takes a value"),
    .init("where", "/a:exists:", 9, "takes no value"),
    .init("where", "/a:absent:1", 9, "takes no value"), .init("where", "/a:in:1", 6, "JSON array"),
    .init("where", "/a:in:x", 6, "JSON array"), .init("where", "/a:in:[1", 6, "JSON array"),
    .init("where", "/a:in:" + values, 6 + 183, "at most 64 values, not 65"),
    .init("where", "/a:prefix:5", 10, "prefix takes a text"),
    .init("where", "/a:gt:true", 6, "a number or a text"),
    .init("where", "/a:le:[1]", 6, "a number or a text"),
    .init(
      "where", "/a:eq:" + String(repeating: "[", count: 65) + String(repeating: "]", count: 65), 70,
      "nested deeper than 64"),
    .init("where", ["/a:eq:1", "/b:x:1"], "1 3", "no operator x"),
    .init("where", [String](repeating: "/a:exists", count: 9), "8 0", "8 times, not 9"),
    .init("select", "", 0, "separated by commas"), .init("select", "/a,", 3, "separated by commas"),
    .init("select", "/a,,/b", 3, "separated by commas"),
    .init("select", "/id,title", 4, "JSON pointer"),
    .init("select", "/a,/b~", 5, "JSON pointer"),
    .init(
      "select", (0..<33).map { "/\($0 % 10)" }.joined(separator: ","), 96, "at most 32 pointers"),
    .init("select", ["/a", "/b"], "1 0", "once, not 2"),
    .init("order", "", 0, "such as /date:desc"),
    .init("order", "date", 0, "JSON pointer"),
    .init("order", "/date:asc", 6, "desc, text, number or date"),
    .init("order", "/date:desc:asc", 6, "desc, text, number or date"),
    .init("order", "/date:number:desc", 6, "in this order"),
    .init("order", "/d:desc:desc", 3, "in this order"),
    .init("order", ["/a", "/b:", "/c"], "1 3", "desc, text, number or date"),
    .init("order", ["/a", "/b", "/c", "/d", "/e"], "4 0", "4 times, not 5"),
    .init("sections", "all", 0, "keep, drop or flat"),
    .init("sections", "", 0, "keep, drop or flat"),
    .init("window", "", 0, "first:N"), .init("window", "firs:3", 0, "first:N"),
    .init("window", "first", 5, "first:N"), .init("window", "first:", 6, "digits"),
    .init("window", "first:1:2", 9, "first:N"), .init("window", "first:-1", 6, "digits"),
    .init("window", "first:1001", 6, "at most 1000 items, not 1001"),
    .init("window", "last:x", 5, "digits"),
    .init("window", "at:5", 4, "first:N"), .init("window", "at:x:5", 3, "digits"),
    .init("window", "at:5:1001", 5, "at most 1000"),
    .init("window", "first:9223372036854775808", 6, "at most 1000 items, not 9223372036854775808"),
    .init("window", "around:a:1:99999999999999999999", 11, "at most 1000 items, not 99999"),
    .init("window", "around:a", 8, "first:N"),
    .init("window", "around::1:1", 7, "the id"), .init("window", "around:a:1:x", 11, "digits"),
    .init("window", "around:a:b", 10, "first:N"),
    .init("window", "around:a:500:500", 9, "at most 1000 items, not 1001"),
    .init("was", "before:3", 0, "first:N"), .init("was", "first:+1", 6, "digits"),
  ]

  @Test(arguments: refused) func `an error says the parameter, the place and what is expected`(
    _ row: Refused
  ) throws {
    let error = try #require(throws: ViewError.self) { try ViewQuery(row.parameters) }
    #expect("\(error.parameter) \(error.index) \(error.offset)" == row.place)
    #expect(error.detail.contains(row.detail), "\(error)")
  }

  @Test(arguments: [
    ("[]", "/ expected an object"),
    (#"{"whre":[]}"#, "/whre there is no member whre; did you mean where?"),
    (#"{"where":"/a:exists"}"#, "/where/0 expected an array"),
    (#"{"where":["/a:exists",1]}"#, "/where/1 expected a string"),
    (#"{"order":["/a","b"]}"#, "/order/1 expected a JSON pointer (RFC 6901), such as /unread"),
    (#"{"select":["/a"]}"#, "/select expected a string"),
    (#"{"window":50}"#, "/window expected a string"),
    (
      #"{"since":"x"}"#,
      "/since there is no member since; there are where, select, order, sections, window, was"
    ),
  ]) func `an error in JSON has a pointer`(json: String, expected: String) throws {
    let value = try JSONReader().readStrictly(Array(json.utf8))
    let error = try #require(throws: ViewError.self) { try ViewQuery(value) }
    #expect("\(error.pointer) \(error.detail)" == expected)
  }

  @Test func `nothing but where and select is imposed`() throws {
    let error = try #require(throws: ViewError.self) {
      try ViewRestriction([("window", "first:5")])
    }
    #expect(error.parameter == "window")
    let value = try JSONReader().readStrictly(Array(#"{"order":[]}"#.utf8))
    #expect(throws: ViewError.self) { try ViewRestriction(value) }
    let json = try JSONReader().readStrictly(Array(#"{"where":["/a:eq:1"],"select":"/id"}"#.utf8))
    #expect(
      try ViewRestriction(json) == ViewRestriction([("select", "/id"), ("where", "/a:eq:1")]))
  }

  @Test func `null is no parameter`() throws {
    let value = try JSONReader().readStrictly(Array(#"{"where":null,"window":null}"#.utf8))
    #expect(try ViewQuery(value).isWhole)
  }
}
