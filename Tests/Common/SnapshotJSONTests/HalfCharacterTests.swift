import SnapshotJSON
import Testing

/// The error for half of a surrogate pair says where it is, of which item, and what mends it.
struct HalfCharacterTests {
  @Test(
    arguments: [
      (#"[{"id":"x","t":"Good morning \ud83d"}]"#, 35, "/0/t", "x"),
      (#"[{"t":"\udE00","id":7}]"#, 10, "/0/t", "7"),
      (
        #"{"sections":[{"id":"s","items":[{"id":"m"},{"a":{"b":["\\\ud83dx"]},"id":"n"}]}]}"#, 63,
        "/sections/0/items/1/a/b/0", "n"
      ),
      (#"{"items":[{"id":"m","tags":[{"id":"t","x":"\ud83d"}]}]}"#, 49, "/items/0/tags/0/x", "m"),
      (
        #"{"edits":[{"op":"merge","id":"m1","value":{"t":"\ud83d"}}]}"#, 54, "/edits/0/value/t",
        "m1"
      ),
      (#"{"items":[{"id":"m","\ud83d":1}]}"#, 27, "/items/0/\u{FFFD}", "m"),
      (#"{"meta":"\ud83d\n","items":[{"id":"m"}]}"#, 16, "/meta", nil),
    ] as [(String, Int, String, String?)])
  func `half of a character is told with its place`(
    _ text: String, _ offset: Int, _ pointer: String, _ id: String?
  ) {
    for isPortable in [false, true] {
      let reader = JSONReader(isPortable: isPortable)
      #expect(throws: JSONError.halfCharacter(offset: offset, pointer: pointer, id: id)) {
        try reader.read(Array(text.utf8))
      }
    }
  }

  @Test func `where the text is not JSON otherwise either, only the offset is known`() {
    #expect(throws: JSONError.halfCharacter(offset: 8, pointer: nil, id: nil)) {
      try JSONReader().read(Array(#"["\ud83d",x]"#.utf8))
    }
  }

  @Test(arguments: [#"["\x","\ud83d"]"#, #"["\\ud83d",x]"#, #"["\ud83d\ude00",x]"#])
  func `another fault before it is the error`(_ text: String) {
    #expect {
      try JSONReader().read(Array(text.utf8))
    } throws: { error in
      if case .syntax? = error as? JSONError { true } else { false }
    }
  }

  @Test func `the description names the item and the mend`() {
    let error = JSONError.halfCharacter(offset: 35, pointer: "/0/t", id: "x")
    #expect(
      error.description.hasPrefix("not JSON at byte 35, in /0/t of the item \"x\": half of a"))
    #expect(error.description.contains("toWellFormed()"))
  }
}
