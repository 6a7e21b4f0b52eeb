import CSimdJSON
import SnapshotJSON
import TestSupport
import Testing

/// Objects without nested values are recognized in any order of their members, and nothing else is.
@Suite struct FlatItemTests {
  @Test func `what is found is valid and has the content of the known object`() throws {
    let seed = UInt64.random(in: 1...999_999)
    var generator = SeededGenerator(seed: seed)
    // The names that one object leaves are there for the next, which may have others.
    var spelling = ItemSpelling()
    var slow = ItemSpelling()
    var (found, missed) = (0, 0)
    for round in 0..<20_000 {
      let item = RandomItem(&generator)
      let known = item.text(item.members)
      guard (try? JSONReader().read(known)) != nil else { continue }
      var text = item.text(item.members.shuffled(using: &generator))
      let isMutated = Bool.random(using: &generator)
      if isMutated { text.mutate(using: &generator) }
      let ends = [[], padding(&generator), padding(&generator)]
      text += ends[Int.random(in: 0..<3, using: &generator)]
      let readable = known + ends[Int.random(in: 0..<3, using: &generator)]
      let isFound = spelling.isFlatReordered(text.span, readable.span, count: known.count)
      _ = slow.take(text.span)
      let isReordered = slow.isReordered(text.span, known.span)
      let hasRoom = min(text.count, readable.count) >= known.count + 64
      if item.isPlain, isReordered, hasRoom {
        #expect(isFound, "seed \(seed), round \(round)")
      }
      missed += isReordered && !isFound ? 1 : 0
      guard isFound else { continue }
      found += 1
      #expect(isReordered, "seed \(seed), round \(round)")
      let value = try JSONReader().read(Array(text[..<known.count])).root
      let expected = try JSONReader().read(known).root
      #expect(value.contentHash() == expected.contentHash(), "seed \(seed), round \(round)")
      #expect(value.minified() == Array(text[..<known.count]), "seed \(seed), round \(round)")
    }
    #expect(found > 200 && missed > 100, "seed \(seed): \(found) found, \(missed) missed")
  }

  @Test func `one byte less or another one is not found`() throws {
    let known = Array(
      #"{"id":"a,\"b","created_at":1.0,"created_by":-0,"t":"}{[]é\\","long":"\#(String(repeating: "x,", count: 90))"}"#
        .utf8)
    let item = try #require(try? JSONReader().read(known).root)
    let members = item.members.map { "\"\($0.key)\":\($0.value.rawText)" }
    let text = Array("{\(members.reversed().joined(separator: ","))}".utf8)
    let end = [UInt8](repeating: UInt8(ascii: ","), count: 100)
    func isFound(_ text: [UInt8]) -> Bool {
      var spelling = ItemSpelling()
      let (text, readable) = (text + end, known + end)
      return spelling.isFlatReordered(text.span, readable.span, count: known.count)
    }
    #expect(isFound(text))
    for place in text.indices {
      var other = text
      other.remove(at: place)
      #expect(!isFound(other), "without byte \(place)")
      #expect(!isFound(Array(text[..<place])), "cut at \(place)")
      for byte in [text[place] ^ 1, UInt8(ascii: "\""), 0, 0xFF] where byte != text[place] {
        other = text
        other[place] = byte
        #expect(!isFound(other), "byte \(place) as \(byte)")
      }
    }
  }

  @Test(arguments: [
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, true), (#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, true),
    (#"{"a":1.0,"b":2}"#, #"{"b":2,"a":1}"#, false), (#"{"a":1,"b":2}"#, #"{"b":2,"b":2}"#, false),
    (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#, false),
    (#"{"a":1,"\u0061":2}"#, #"{"\u0061":2,"a":1}"#, false),
    (
      #"{"a-long-prefix-a":1,"a-long-prefix-b":2}"#, #"{"a-long-prefix-b":2,"a-long-prefix-a":1}"#,
      true
    ),
    (
      #"{"a-longer-prefix-a":1,"a-longer-prefix-a":2}"#,
      #"{"a-longer-prefix-a":2,"a-longer-prefix-a":1}"#, false
    ),
    (#"{"a":1,"b":[2]}"#, #"{"b":[2],"a":1}"#, false),
    (#"{"":1,"b":{}}"#, #"{"b":{},"":1}"#, false),
    (#"{"":1,"b":2}"#, #"{"b":2,"":1}"#, true), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1]"#, false),
    (#"{"a":"\",","b":","}"#, #"{"b":",","a":"\","}"#, true), (#"{"a":1}"#, #"{"a":1}"#, false),
  ])
  func `members may have another order`(known: String, text: String, isFound: Bool) {
    let end = String(repeating: ",", count: 64)
    for kernels in sequence(state: 0, next: nextKernels) {
      var names = csj_names()
      for _ in 0..<2 {
        let (known, text) = (Array((known + end).utf8), Array((text + end).utf8))
        let found = kernels.is_flat_reordered(
          text, text.count, known, known.count, known.count - end.count, &names)
        #expect(found == isFound)
      }
    }
  }

  @Test func `each set of instructions finds the same`() {
    let seed = UInt64.random(in: 1...999_999)
    var generator = SeededGenerator(seed: seed)
    let all = Array(sequence(state: 0, next: nextKernels))
    var names = [csj_names](repeating: csj_names(), count: all.count)
    for round in 0..<20_000 {
      let item = RandomItem(&generator)
      let known = item.text(item.members)
      var text = item.text(item.members.shuffled(using: &generator))
      if Bool.random(using: &generator) { text.mutate(using: &generator) }
      let end = padding(&generator)
      let found = all.indices.map { index in
        all[index].is_flat_reordered(
          text + end, text.count + end.count, known + end, known.count + end.count, known.count,
          &names[index])
      }
      #expect(Set(found).count == 1, "seed \(seed), round \(round)")
    }
  }

  private func nextKernels(_ index: inout Int) -> csj_kernels? {
    defer { index += 1 }
    return csj_kernels_at(index)?.pointee
  }

  /// What follows an object: enough to read a block behind it, or not.
  private func padding(_ generator: inout SeededGenerator) -> [UInt8] {
    let bytes = Array(",]}\" {x".utf8)
    return (0..<Int.random(in: 40...90, using: &generator)).map { _ in
      bytes.randomElement(using: &generator) ?? 0
    }
  }
}

/// An object with scalar members, whose names may be the same or begin with the same.
private struct RandomItem {
  var members: [String]
  /// Whether the first bytes of the names tell them apart, no value is nested and there are two members.
  var isPlain = true

  init(_ generator: inout SeededGenerator) {
    let names = ["id", "title", "created_at", "created_by", "é", "", "n", "a", "n1"]
    let odd = [#"\u0061"#, "a", "a-prefix-of-more-1", "a-prefix-of-more-2", #"a\""#]
    let values = [
      "1", "1.0", "-0", "true", "null", #""""#, #""x""#, #"",\"}{][""#, #""\\""#, #""\\\",""#,
      "\"\(String(repeating: "long, ", count: 30))\"",
    ]
    let count = Int.random(in: 1...9, using: &generator)
    var chosen = Array(names.shuffled(using: &generator).prefix(count))
    isPlain = count > 1
    if Int.random(in: 0..<4, using: &generator) == 0 {
      isPlain = false
      chosen += odd.shuffled(using: &generator).prefix(2)
    }
    members = chosen.map { "\"\($0)\":\(values.randomElement(using: &generator) ?? "0")" }
    if Int.random(in: 0..<20, using: &generator) == 0 {
      isPlain = false
      members.append(#""nested":[{"a":1},2]"#)
    }
    if Int.random(in: 0..<20, using: &generator) == 0 {
      isPlain = false
      members += (0..<30).map { "\"n\($0)x\":\($0)" }
    }
  }

  func text(_ members: [String]) -> [UInt8] { Array("{\(members.joined(separator: ","))}".utf8) }
}
