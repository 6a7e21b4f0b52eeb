import SnapshotJSON
import Testing

@Suite struct ValueDigestTests {
  private func digest(_ text: String) -> UInt64 {
    var digests = ValueDigests()
    return digests.digest(of: Array(text.utf8).span)
  }

  private static let equal: [[String]] = [
    ["1", "1.0", "1e0", "10e-1", "0.1e1"], ["0", "-0", "0.0", "0e99"], ["-12", "-1.2e1"],
    ["1.5", "15e-1"], ["1e400", "10e399"], ["123456789012345678", "123456789012345678.0"],
    [#""é""#, #""\u00e9""#], [#""a/b""#, #""a\/b""#], [#"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#],
    [#"{"a":1,"a":2}"#, #"{"a":2}"#, #"{"\u0061":[],"a":2}"#],
    [#"{"x":{"b":{},"a":[[]]}}"#, #"{"x":{"a":[[]],"b":{}}}"#], ["[]"], ["{}"], ["null"], ["true"],
    ["false"], [#""""#], [#""1""#], ["[1]"], ["[[1]]"], ["[1,1]"], ["[0,1]"], ["[1,0]"],
    [#"{"a":1}"#], [#"{"b":1}"#], [#"{"a":{}}"#], [#"{"a":{},"b":{}}"#], [#"["a",1]"#], ["[{}]"],
    [#"{"a":"b"}"#], [#"{"b":"a"}"#], [#"["a","b"]"#], [#"["b","a"]"#],
  ]

  @Test func `equal values have equal digests, and others have others`() {
    let groups = Self.equal.map { Set($0.map(digest)) }
    for (texts, group) in zip(Self.equal, groups) { #expect(group.count == 1, "\(texts)") }
    #expect(Set(groups).count == groups.count)
  }

  @Test func `any bytes have a digest`() {
    for text in [
      "", "{", "[", #"""#, #"{"a""#, #"{"a":"#, "[1", "[,", "[]]", #""\"#, "}", "[}", "{]",
    ] {
      _ = digest(text)
      for count in 0..<text.utf8.count { _ = digest(String(text.prefix(count))) }
    }
  }

  @Test func `integers are those that are written plainly`() {
    for (text, value) in [("0", 0), ("-7", -7), ("12345678901234567", 12_345_678_901_234_567)] {
      #expect(RawJSON.integer(Array(text.utf8).span) == value)
    }
    for text in ["", "-", "1.0", "1e1", "123456789012345678", #""1""#, "[1]"] {
      #expect(RawJSON.integer(Array(text.utf8).span) == nil, "\(text)")
    }
  }
}
