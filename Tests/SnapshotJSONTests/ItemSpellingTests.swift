import SnapshotJSON
import TestSupport
import Testing

/// What is found to be a known object written otherwise is valid and has its content.
@Suite struct ItemSpellingTests {
  @Test func `what is found has the content of the known object, whatever the bytes`() throws {
    let seed = UInt64.random(in: 1...999_999)
    var generator = SeededGenerator(seed: seed)
    var found = 0
    var spelling = ItemSpelling()
    for round in 0..<30_000 {
      let tree = JSONTree.random(depth: 2, using: &generator)
      guard case .object = tree else { continue }
      let known = try parse(tree.spelled(using: &generator)).minified()
      var text = try parse(tree.spelled(using: &generator)).minified()
      if Bool.random(using: &generator) { text = shuffled(known, &generator) }
      if Bool.random(using: &generator) { text.mutate(using: &generator) }
      text += [[], [0x2C], [0x7D], [0x20, 0x30]].randomElement(using: &generator) ?? []
      var counts: [Int] = []
      if let count = respelledCount(of: known.span, in: text.span) { counts.append(count) }
      let count = spelling.take(text.span)
      if spelling.isReordered(text.span, known.span) { counts.append(count) }
      for count in counts {
        found += 1
        let value = try JSONReader().read(Array(text[..<count])).root
        let expected = try JSONReader().read(known).root
        #expect(value.contentHash() == expected.contentHash(), "seed \(seed), round \(round)")
        #expect(value.minified() == Array(text[..<count]), "seed \(seed), round \(round)")
      }
    }
    #expect(found > 300, "seed \(seed)")
  }

  @Test(arguments: [
    (#"{"a":1,"b":[2,{"c":3}],"d":"x,"}"#, #"{"d":"x,","a":1,"b":[2,{"c":3}]}"#, true),
    (
      #"{"common-prefix-1":1,"common-prefix-2":2}"#, #"{"common-prefix-2":2,"common-prefix-1":1}"#,
      true
    ),
    // Members of one name keep their order, also where it is spelled in two ways.
    (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#, false),
    (#"{"a":1,"\u0061":2}"#, #"{"\u0061":2,"a":1}"#, false),
    (#"{"common-prefix":1,"common-prefix":2}"#, #"{"common-prefix":2,"common-prefix":1}"#, false),
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":2}"#, false), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1"#, false),
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1]"#, false), (#"{"a":1,"b":2}"#, #"["b":2,"a":1}"#, false),
  ])
  func `members may have another order`(known: String, text: String, isFound: Bool) {
    var spelling = ItemSpelling()
    let (known, text) = (Array(known.utf8), Array(text.utf8))
    _ = spelling.take(text.span)
    let isReordered = spelling.isReordered(text.span, known.span)
    #expect(isReordered == isFound)
  }

  @Test(arguments: [
    (#"{"a":"é/\n"}"#, #"{"a":"\u00e9\/\u000a"}"#, true),
    (#"{"a":"\u00E9"}"#, #"{"a":"\u00e9"}"#, true), (#"{"a":"\ud83D\uDE00"}"#, #"{"a":"😀"}"#, true),
    (#"{"é":1}"#, #"{"\u00e9":1}"#, true), (#"{"a":"\\n"}"#, #"{"a":"\\\n"}"#, false),
    (#"{"a":1}"#, #"{"a":\u0031}"#, false), (#"{"a":1}"#, #"\u007b"a":1}"#, false),
    (#"{"a":"\""}"#, #"{"a":"""}"#, false), (#"{"a":"é"}"#, #"{"a":"\u00e8"}"#, false),
    (#"{"a":"é"}"#, #"{"a":"\u00e"}"#, false), (#"{"a":"é"}"#, #"{"a":"é"#, false),
    (#"{"a":"\u2028"}"#, "{\"a\":\"\u{2028}\"}", true),
  ])
  func `characters may have other escapes`(known: String, text: String, isFound: Bool) {
    let (known, text) = (Array(known.utf8), Array(text.utf8))
    let count = respelledCount(of: known.span, in: text.span)
    #expect(count == (isFound ? text.count : nil))
  }

  /// The pieces between any commas in another order.
  private func shuffled(_ text: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    let comma = UInt8(ascii: ",")
    let pieces = text.dropFirst().dropLast().split(
      separator: comma, omittingEmptySubsequences: false)
    return [0x7B] + Array(pieces.shuffled(using: &generator).joined(separator: [comma])) + [0x7D]
  }
}

extension [UInt8] {
  /// Changes a byte or two, mostly to one that means something.
  mutating func mutate(using generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      guard let place = indices.randomElement(using: &generator) else { return }
      let byte = Array("\"\\,:{}[]u0a/ ".utf8).randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: self[place] = byte
      case 1: insert(byte, at: place)
      default: remove(at: place)
      }
    }
  }
}
