import SnapshotJSON
import Testing

struct JSONPatchTests {
  private func patched(
    _ document: String, _ patch: String, limits: JSONPatch.Limits = JSONPatch.Limits()
  ) throws -> String {
    let result = try JSONPatch(try parse(patch)).apply(to: try parse(document), limits: limits)
      .bytes
    _ = try JSONReader().read(result)
    return String(decoding: result, as: UTF8.self)
  }

  private func refusal(
    _ document: String, _ patch: String, limits: JSONPatch.Limits = JSONPatch.Limits()
  ) -> JSONPatchError? {
    #expect(throws: JSONPatchError.self, "\(patch)") {
      try patched(document, patch, limits: limits)
    }
  }

  /// Document, patch, result; the first sixteen are RFC 6902 Appendix A.
  static let rows: [(String, String, String)] = [
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
      #"{"foo":"bar","baz":"qux"}"#
    ),
    (
      #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
      #"{"foo":["bar","qux","baz"]}"#
    ),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    (
      #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
      #"{"foo":["bar","baz"]}"#
    ),
    (
      #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
      #"{"baz":"boo","foo":"bar"}"#
    ),
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    (
      #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"foo":"bar","child":{"grandchild":{}}}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
      #"{"foo":"bar","baz":"qux"}"#
    ),
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    (
      #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
      #"{"foo":["bar",["abc","def"]]}"#
    ),
    (#"{"a":1}"#, #"[{"op":"add","path":"","value":[]}]"#, "[]"),
    (#"{"a":1}"#, #"[{"op":"replace","path":"","value":7}]"#, "7"),
    (#"{"a":1,"b":2}"#, #"[{"op":"add","path":"/a","value":3}]"#, #"{"a":3,"b":2}"#),
    (#"{"a":[1]}"#, #"[{"op":"copy","from":"/a","path":"/a/0"}]"#, #"{"a":[[1],1]}"#),
    (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"a":1}"#, #"[{"op":"copy","from":"","path":"/b"}]"#, #"{"a":1,"b":{"a":1}}"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":""}]"#, "1"),
    (#"{"":{"":1}}"#, #"[{"op":"replace","path":"//","value":2}]"#, #"{"":{"":2}}"#),
    (#"[ 1.0 , "\/" ]"#, "[]", #"[1.0,"\/"]"#),
    ("[]", #"[{"op":"add","path":"/0","value":1}]"#, "[1]"),
    (#"{"a":1,"b":2,"a":3}"#, #"[{"op":"remove","path":"/b"}]"#, #"{"a":3}"#),
    (
      #"{"a":[1,2]}"#, #"[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/a/0"}]"#,
      #"{"a":[]}"#
    ),
  ]

  @Test(arguments: rows.indices)
  func `an operation does what RFC 6902 says`(row: Int) throws {
    let (document, patch, result) = JSONPatchTests.rows[row]
    #expect(try patched(document, patch) == result)
  }

  @Test func `a place that does not exist is named with its operation`() {
    let rows: [(String, String, String)] = [
      (#"{"q":{"bar":2}}"#, #"{"op":"add","path":"/a/b","value":1}"#, "/a/b"),
      ("[1]", #"{"op":"add","path":"/2","value":1}"#, "/2"),
      ("[1]", #"{"op":"add","path":"/01","value":1}"#, "/01"),
      ("[1]", #"{"op":"add","path":"/a","value":1}"#, "/a"),
      ("[1]", #"{"op":"remove","path":"/1"}"#, "/1"),
      ("[1]", #"{"op":"remove","path":"/-"}"#, "/-"),
      ("[1]", #"{"op":"remove","path":""}"#, ""), ("7", #"{"op":"remove","path":"/a"}"#, "/a"),
      ("{}", #"{"op":"replace","path":"/a","value":1}"#, "/a"),
      ("{}", #"{"op":"copy","from":"/a","path":"/b"}"#, "/a"),
      ("{}", #"{"op":"move","from":"/a","path":"/a"}"#, "/a"),
      ("{}", #"{"op":"test","path":"/a","value":null}"#, "/a"),
      ("7", #"{"op":"add","path":"/a","value":1}"#, "/a"),
    ]
    for (document, operation, path) in rows {
      let error = refusal(
        document, #"[{"op":"test","path":"","value":\#(document)},\#(operation)]"#)
      #expect(error == .notFound(operation: 1, path: path), "\(operation)")
    }
  }

  @Test func `a test compares values: numbers by value, objects without order`() throws {
    let equal = [
      ("1", "1.0"), ("100", "1e2"), ("0", "-0.0e5"), ("0.01", "1E-2"), ("-1.50", "-15e-1"),
      ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
      ("1e99999999999999999999", "1E99999999999999999999"), ("[{}]", " [ { } ] "), ("0e9", "0"),
      (#"{"a":1,"b":[null]}"#, #"{"b":[null],"\u0061":1.0}"#), (#""\u00e9""#, "\"é\""),
    ]
    for (one, two) in equal {
      _ = try patched(one, #"[{"op":"test","path":"","value":\#(two)}]"#)
    }
    let different = [
      ("1", "-1"), ("1", "10"), ("1", #""1""#), ("null", "false"), ("[1,2]", "[2,1]"), ("{}", "[]"),
      (#"{"a":1}"#, #"{"a":1,"b":1}"#), (#"{"a":1}"#, #"{"b":1}"#), ("\"é\"", "\"e\u{301}\""),
      ("123456789012345678901234567890", "123456789012345678901234567891"), ("0.1", "0.10000001"),
    ]
    for (one, two) in different {
      let error = refusal(one, #"[{"op":"test","path":"","value":\#(two)}]"#)
      #expect(error == .testFailed(operation: 0, path: ""), "\(one) \(two)")
    }
  }

  @Test func `what is no patch is refused with a pointer into it`() {
    let rows: [(String, String)] = [
      ("{}", ""), ("[7]", "/0"), (#"[{"op":"add","value":1}]"#, "/0/path"),
      (#"[{"op":"add","path":"a","value":1}]"#, "/0/path"), (#"[{"path":""}]"#, "/0/op"),
      (#"[{"op":"spam","path":""}]"#, "/0/op"), (#"[{"op":"add","path":""}]"#, "/0"),
      (#"[{"op":"remove","path":"/a"},{"op":"move","path":"/a"}]"#, "/1/from"),
      (#"[{"op":"test","path":"/~2","value":1}]"#, "/0/path"),
    ]
    for (patch, pointer) in rows {
      guard case .malformed(pointer, _) = refusal(#"{"a":1}"#, patch) else {
        Issue.record("\(patch)")
        continue
      }
    }
  }

  @Test func `a patch cannot grow a document without bound`() {
    let double = #"{"op":"copy","from":"","path":"/a"}"#
    let doubles = "[" + Array(repeating: double, count: 60).joined(separator: ",") + "]"
    let deep = refusal(#"{"x":1}"#, doubles, limits: JSONPatch.Limits(depthMax: 5))
    #expect(deep == .tooDeep(operation: 4, limit: 5))
    let append = #"{"op":"copy","from":"/a","path":"/b/-"},{"op":"copy","from":"/b","path":"/a/-"}"#
    let appends = "[" + Array(repeating: append, count: 30).joined(separator: ",") + "]"
    let large = refusal(
      #"{"a":[1],"b":[2]}"#, appends, limits: JSONPatch.Limits(byteCountMax: 500, depthMax: 500))
    guard case .tooLarge(_, 500) = large else {
      Issue.record("\(String(describing: large))")
      return
    }
    #expect(throws: JSONPatchError.tooManyOperations(limit: 59)) {
      try JSONPatch(try parse(doubles), operationsMax: 59)
    }
  }

  @Test func `a value is not moved into itself`() {
    #expect(
      refusal(#"{"a":{}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#)
        == .movedIntoItself(operation: 0, path: "/a/b"))
  }

  @Test func `operations on large values end when the steps are spent`() {
    let list = "[" + Array(repeating: "{\"a\":[1]}", count: 1000).joined(separator: ",") + "]"
    let document = #"{"a":\#(list),"b":0}"#
    let limits = JSONPatch.Limits(stepsMax: 100_000)
    for operations in [
      #"{"op":"move","from":"/a","path":"/b"},{"op":"move","from":"/b","path":"/a"}"#,
      #"{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/b/0"}"#,
      #"{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/a","value":\#(list)}"#,
      #"{"op":"replace","path":"/a/0/a","value":\#(list)},{"op":"copy","from":"/a/0/a","path":"/a/1"}"#,
    ] {
      let patch = "[" + Array(repeating: operations, count: 500).joined(separator: ",") + "]"
      guard case .tooMuchWork(let operation, 100_000) = refusal(document, patch, limits: limits)
      else {
        Issue.record("\(operations.prefix(80))")
        continue
      }
      #expect(operation > 2 && operation < 900)
    }
  }

  @Test func `many operations on single elements of a long list are few steps`() throws {
    let list = "[" + (0..<10_000).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
    let operations = (0..<1000).map {
      #"{"op":"replace","path":"/\#($0 * 9)/a","value":"x"},{"op":"move","from":"/\#($0)","path":"/0"}"#
    }
    let patch = try JSONPatch(
      try parse("[" + operations.joined(separator: ",") + "]"), operationsMax: 2000)
    let limits = JSONPatch.Limits(stepsMax: 1_000_000)
    let result = try patch.apply(to: try parse(list), limits: limits)
    #expect(result.bytes.count == result.byteCount)
  }

  @Test func `removing makes room again`() throws {
    let value = "\"" + String(repeating: "x", count: 400) + "\""
    let pair = #"{"op":"add","path":"/a","value":\#(value)},{"op":"remove","path":"/a"}"#
    let pairs = "[" + Array(repeating: pair, count: 400).joined(separator: ",") + "]"
    let limits = JSONPatch.Limits(byteCountMax: 600)
    #expect(try patched(#"{"b":1}"#, pairs, limits: limits) == #"{"b":1}"#)
  }
}

extension PatchedJSON {
  fileprivate var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}
