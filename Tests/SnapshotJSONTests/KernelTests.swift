import CSimdJSON
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
    var (minified, objects, reordered, prefixes) = (0, 0, 0, 0)
    for round in 0..<20_000 {
      let text = randomText(&generator)
      let other = Bool.random(using: &generator) ? text : randomText(&generator)
      let expected = Results(of: portable, text, other, &generator)
      minified += expected.minified.isEmpty ? 0 : 1
      objects += expected.members.isEmpty ? 0 : 1
      reordered += expected.isReordered ? 1 : 0
      prefixes += expected.prefix > 64 ? 1 : 0
      for kernels in all.dropFirst() {
        var results = expected
        results.compute(kernels, text, other)
        #expect(results == expected, "seed \(seed), round \(round)")
      }
    }
    for found in [minified, objects, reordered, prefixes] { #expect(found > 100, "seed \(seed)") }
  }

  @Test func `a prefix ends at the first difference or backslash`() {
    for kernels in all {
      for count in 0..<200 {
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 | 1) & 0x3F }
        #expect(text.withUnsafeBufferPointer { prefix(kernels, $0, $0) } == count)
        for at in 0..<count {
          for byte in [UInt8(ascii: "\\"), 0x7F] {
            var other = text
            other[at] = byte
            let found = text.withUnsafeBufferPointer { text in
              other.withUnsafeBufferPointer { prefix(kernels, text, $0) }
            }
            #expect(found == at)
          }
          var both = text
          both[at] = UInt8(ascii: "\\")
          #expect(both.withUnsafeBufferPointer { prefix(kernels, $0, $0) } == at)
        }
      }
    }
  }

  private func prefix(
    _ kernels: csj_kernels, _ text: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let start = text.baseAddress, let others = other.baseAddress else { return 0 }
    return kernels.plain_prefix(start, others, text.count)
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
  var minified: [UInt8] = []
  /// The start, colon and end of each member.
  var members: [[UInt32]] = []
  var hasBackslash = false
  var isReordered = false
  var prefix = 0
  /// The text with its members in another order, if it is an object.
  private var reordered: [UInt8] = []

  init(
    of kernels: csj_kernels, _ text: [UInt8], _ other: [UInt8],
    _ generator: inout SeededGenerator
  ) {
    compute(kernels, text, other)
    guard let end = members.last?[2] else { return }
    let texts = members.map { Array(text[Int($0[0])..<Int($0[2])]) }
    let joined = texts.shuffled(using: &generator).joined(separator: [UInt8(ascii: ",")])
    reordered = [UInt8(ascii: "{")] + joined + text[Int(end)...Int(end)]
    compute(kernels, text, other)
  }

  mutating func compute(_ kernels: csj_kernels, _ text: [UInt8], _ other: [UInt8]) {
    minified = [UInt8](unsafeUninitializedCapacity: text.count + Int(CSJ_MINIFY_SLACK)) {
      $1 = $0.baseAddress.map { kernels.minify(text, text.count, $0) } ?? 0
    }
    var places = [csj_member](repeating: csj_member(), count: 32)
    let count = kernels.find_members(text, text.count, &places, places.count, &hasBackslash)
    members = places.prefix(count).map { [$0.start, $0.colon, $0.end] }
    let length = members.last.map { Int($0[2]) + 1 } ?? 0
    if count > 0, reordered.count == length {
      isReordered = kernels.is_reordered(text, length, places, count, reordered)
    }
    prefix = kernels.plain_prefix(text, other, min(text.count, other.count))
  }
}
