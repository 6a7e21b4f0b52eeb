import SnapshotJSON
import TestSupport
import Testing

/// White space is taken off a text without reading it; what is JSON then was before.
@Suite struct MinifiedTextTests {
  @Test func `a spaced text comes to what its reader makes of it`() throws {
    let seed = UInt64.random(in: 1...999_999)
    var generator = SeededGenerator(seed: seed)
    for round in 0..<2000 {
      let spelled = JSONTree.random(depth: 4, using: &generator).spelled(using: &generator)
      let text = Array((String(repeating: " ", count: round % 130) + spelled + "\n").utf8)
      let minified = try JSONReader().read(text).root.minified()
      #expect(minifiedText(text) == minified, "seed \(seed), round \(round)")
      #expect(minifiedText(minified) == nil, "seed \(seed), round \(round)")
    }
  }

  @Test func `any bytes come to what one byte at a time does`() {
    let seed = UInt64.random(in: 1...999_999)
    var generator = SeededGenerator(seed: seed)
    let alphabets = ["\"\\ a1,", "\" \\", "{}[],: \n\t\r\"12ae\\\u{b}", "     1,\"", "\\\\\\\" a"]
    for round in 0..<20_000 {
      let alphabet = Array((alphabets.randomElement(using: &generator) ?? "").utf8)
      let count = Int.random(in: 0...300, using: &generator)
      let text = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      #expect(minifiedText(text) == minifiedSlowly(text), "seed \(seed), round \(round)")
    }
  }

  @Test func `any byte between two spaces comes to what one byte at a time does`() {
    for byte in UInt8.min...UInt8.max {
      for before in [0, 1, 40, 63] {
        for near in ["1 ? 2", "[ ? ]", " ? ", ", ? 2", "[1 ?,2 ]"] {
          let padding = [UInt8](repeating: UInt8(ascii: ","), count: before)
          let text = padding + near.utf8.map { $0 == UInt8(ascii: "?") ? byte : $0 }
          #expect(minifiedText(text) == minifiedSlowly(text), "\(byte) in \(near) at \(before)")
        }
      }
    }
  }

  @Test(arguments: ["1 2", "tr ue", "- 1", "1 .5", "\"a\" \"b\"", "\"a\" 1", "1 \"a\"", "\"a"])
  func `tokens that only white space keeps apart are not joined`(text: String) {
    for before in 0..<130 {
      for between in [1, 2, 63, 64, 65, 127, 128, 200] {
        let space = String(repeating: " ", count: between)
        let wide = text.split(separator: " ").joined(separator: space)
        let list = "[" + String(repeating: "0", count: before) + "," + wide + " , 1]"
        #expect(minifiedText(Array(list.utf8)) == nil, "\(before) and \(between)")
      }
    }
  }

  /// What `minifiedText` does, one byte after the other.
  private func minifiedSlowly(_ text: [UInt8]) -> [UInt8]? {
    var minified: [UInt8] = []
    var isString = false
    var isEscaped = false
    var (last, hasSpace) = (UInt8(ascii: ","), false)
    for byte in text {
      let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
      let isSpace = !isString && " \n\r\t".utf8.contains(byte)
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      if !isSpace {
        let isMark = !isString && "{}[],:".utf8.contains(byte)
        if hasSpace, !isMark, !"{}[],:".utf8.contains(last) { return nil }
        minified.append(byte)
        last = byte
      }
      hasSpace = isSpace
      if isQuote { isString.toggle() }
    }
    return isString || minified.isEmpty || minified.count == text.count ? nil : minified
  }
}
