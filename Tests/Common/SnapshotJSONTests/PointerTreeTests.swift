import SnapshotJSON
import Testing

struct PointerTreeTests {
  /// The value that a pointer has in a text, by the tree; nil for none.
  private func value(_ pointer: JSONPointer, _ text: String) -> String? {
    let tree = PointerTree([pointer])
    var places = tree.noPlaces
    let bytes = Array(text.utf8)
    tree.find(in: bytes.span, &places)
    let range = places[tree.leaves[0]].value
    return range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self)
  }

  @Test(
    arguments: [
      (#"a\nb"#, #"{"a\nb":1}"#, nil), (#"a\nb"#, #"{"a\\nb":1}"#, "1"),
      ("a\nb", #"{"a\nb":1}"#, "1"),
      (#"\\"#, #"{"\\":1}"#, nil), (#"\"#, #"{"\\":1}"#, "1"), (#"\u0041"#, #"{"\u0041":1}"#, nil),
      ("A", #"{"\u0041":1}"#, "1"), (#"\""#, #"{"\"":1}"#, nil), ("\"", #"{"\"":1}"#, "1"),
      (#"a\"#, #"{"a\\":1,"a":2}"#, "1"),
    ] as [(String, String, String?)])
  func `a name is compared by what its escapes stand for`(
    _ name: String, _ text: String, _ expected: String?
  ) throws {
    let pointer = JSONPointer(tokens: [name])
    #expect(value(pointer, text) == expected)
    // The tape, which finds names in another way, agrees.
    let root = try #require(JSONReader().root(of: Array(text.utf8)))
    #expect(root.value(at: pointer)?.rawText == expected)
  }
}
