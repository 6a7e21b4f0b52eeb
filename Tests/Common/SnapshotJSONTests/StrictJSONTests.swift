import SnapshotJSON
import Testing

struct StrictJSONTests {
  private func strict(_ text: String) throws -> StrictJSON {
    try JSONReader().readStrictly(Array(text.utf8))
  }

  @Test(arguments: [
    (#"{"a":1,"a":2}"#, "/a"), (#"{"b":1,"a":1,"\u0061":2}"#, "/a"),
    (#"{"x/y":1,"x/y":1}"#, "/x~1y"),
    (#"{"":1,"":1}"#, "/"),
  ])
  func `a name that stands twice is refused`(_ text: String, _ pointer: String) throws {
    let value = try strict(text)
    #expect {
      try value.object()
    } throws: { error in
      (error as? MemberFault)?.pointer == pointer && (error as? MemberFault)?.isRepeated == true
    }
  }

  @Test func `names are told apart by their bytes`() throws {
    let object = try #require(try strict("{\"\u{E9}\":1,\"e\u{301}\":2}").object())
    #expect(object["\u{E9}"]?.int == 1)
    #expect(object["e\u{301}"]?.int == 2)
  }

  @Test func `an unknown member is refused with the nearest name`() throws {
    let value = try strict(#"{"edit":[]}"#)
    #expect {
      try value.object(of: ["edits"])
    } throws: { error in
      (error as? MemberFault)?.detail == "there is no member edit; did you mean edits?"
    }
  }

  @Test func `what is no object has no members`() throws {
    #expect(try strict("[1]").object() == nil)
    #expect(try Array(strict("[1,2]").elements).map(\.int) == [1, 2])
  }

  @Test(
    arguments: [
      (#"{"a":{"b":[1,{"c":1,"c":2}]}}"#, "/a/b/1/c"), (#"[{},{"a":1,"b":1,"a":1}]"#, "/1/a"),
      (#"{"a":{"a":{"a":[1,1]}}}"#, nil), ("7", nil),
    ] as [(String, String?)])
  func `the first member that stands twice is found at any depth`(
    _ text: String, _ pointer: String?
  ) throws {
    #expect(try strict(text).firstRepeatedMember?.pointer == pointer)
  }
}
