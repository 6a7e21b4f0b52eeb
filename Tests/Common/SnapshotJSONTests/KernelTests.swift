import CSimdJSON
import SnapshotJSON
import TestSupport
import Testing

/// What is compiled for several sets of instructions gives the same results with each that the
/// processor has.
@Suite struct KernelTests {
  private let all = sequence(state: 0) { index -> csj_kernels? in
    defer { index += 1 }
    return csj_kernels_at(index)?.pointee
  }.map { $0 }

  @Test func `any bytes give the same with each set of instructions`() throws {
    let seed = UInt64.random(in: 1...999_999)
    var generator = SeededGenerator(seed: seed)
    let portable = try #require(all.first)
    var (minified, objects) = (0, 0)
    for round in 0..<20_000 {
      let text = randomText(&generator)
      let expected = Results(of: portable, text)
      minified += expected.minified.isEmpty ? 0 : 1
      objects += expected.length > 0 ? 1 : 0
      for kernels in all.dropFirst() {
        #expect(Results(of: kernels, text) == expected, "seed \(seed), round \(round)")
      }
    }
    for found in [minified, objects] { #expect(found > 100, "seed \(seed)") }
  }

  @Test func `an object ends at its bracket, whatever is in strings or follows`() {
    let filler = String(repeating: "é", count: 40)
    for object in [
      "{}", #"{"a":[{"b":1},{}]}"#, #"{"a":"}","b":"\"}","c":"\\"}"#,
      "{\"\(filler)\":{\"a\":[\(filler.count)]}}",
    ] {
      for rest in ["", "}", ",{}", filler] {
        #expect(objectLength(Array((object + rest).utf8).span) == object.utf8.count)
      }
    }
    for text in ["", "[]", "{", #"{"a":"}"#, "{[}", "1{}", #"{"a":[}]"#] {
      #expect(objectLength(Array(text.utf8).span) == 0, "\(text)")
    }
  }

  /// A spaced text, an object, or bytes with a meaning in JSON.
  private func randomText(_ generator: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0:
      let tree = JSONTree.random(depth: 3, using: &generator)
      return Array(tree.spelled(using: &generator).utf8)
    case 1:
      let members = (0..<Int.random(in: 1...9, using: &generator)).map { index in
        "\"n\(index)\":" + String(repeating: "12", count: .random(in: 1...20, using: &generator))
      }
      return Array("{\(members.joined(separator: ","))}".utf8)
    default:
      let alphabet = Array("{}[]\",:\\ \n1ab".utf8)
      return (0..<Int.random(in: 1...300, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
    }
  }
}

/// What the functions give for a text.
private struct Results: Equatable {
  let minified: [UInt8]
  let length: Int

  init(of kernels: csj_kernels, _ text: [UInt8]) {
    minified = [UInt8](unsafeUninitializedCapacity: text.count + Int(CSJ_MINIFY_SLACK)) {
      $1 = $0.baseAddress.map { kernels.minify(text, text.count, $0) } ?? 0
    }
    length = kernels.value_length(text, text.count)
  }
}
