import SnapshotJSON
import TestSupport
import Testing

/// Broken texts: the reader agrees with the plain validator on each, and never traps.
struct TextMutationTests {
  @Test func `a text with bytes changed is judged as the plain validator judges it`() throws {
    let seed: UInt64 = 7_919
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let reader = JSONReader(depthMax: 6)
    var refusals = 0
    for _ in 0..<6000 {
      let tree = JSONTree.random(depth: 5, using: &generator)
      var bytes = Array(tree.spelled(using: &generator).utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&bytes, &generator) }
      let expected = PlainValidator.verdict(bytes, depthMax: 6)
      let answer = verdict(bytes, reader: reader)
      #expect(answer == expected, "\(bytes)")
      if answer == .json { try exercise(bytes, reader) } else { refusals += 1 }
    }
    #expect(refusals > 3000)
  }

  @Test func `bytes from nowhere are judged as the plain validator judges them`() {
    var generator = SeededGenerator(seed: 104_729)
    let reader = JSONReader()
    let alphabet = Array("{}[]:,\"\\ \n01-.eEtrufalsn\u{0}\u{1F}é😀du8D".utf8)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<90, using: &generator)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      #expect(verdict(bytes, reader: reader) == PlainValidator.verdict(bytes), "\(bytes)")
    }
  }

  @Test func `a snapshot with bytes changed is read or refused, never trapped on`() throws {
    var generator = SeededGenerator(seed: 15_485_863)
    let reader = JSONReader()
    let original = Array(SnapshotTests.inbox.utf8)
    let title = JSONPointer(tokens: ["title"])
    let deep = JSONPointer(tokens: ["sections", "1", "items"])
    let optionSets = [
      SnapshotOptions(), SnapshotOptions(identity: .occurrence),
      SnapshotOptions(idPath: title, equalityIgnored: [.id], identity: .occurrence),
      SnapshotOptions(itemsPath: deep, sectionsPath: title, equalityIgnored: [title]),
      SnapshotOptions(idPath: title, itemsPath: .items, sectionsPath: JSONPointer(tokens: [])),
    ]
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes, &generator) }
      guard let document = try? reader.read(bytes) else { continue }
      do throws(SnapshotError) {
        let options = optionSets.randomElement(using: &generator) ?? SnapshotOptions()
        let read = try Snapshot.read(document.root, options: options)
        for item in read.items { #expect(!read.text(item.id).isEmpty) }
      } catch {
        #expect(!error.entries.isEmpty)
        for entry in error.entries { #expect(JSONPointer(entry.pointer) != nil) }
      }
    }
  }

  private func exercise(_ bytes: [UInt8], _ reader: JSONReader) throws {
    let value = try reader.read(bytes).root
    #expect(value.contentHash() == (try reader.read(value.minified()).root.contentHash()))
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    guard let at = bytes.indices.randomElement(using: &generator) else { return }
    let structural = Array("{}[]:,\"\\ 0".utf8)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[at] = UInt8.random(in: .min ... .max, using: &generator)
    case 2: bytes.remove(at: at)
    case 3: bytes.insert(structural.randomElement(using: &generator) ?? 0, at: at)
    case 4: bytes.swapAt(at, bytes.indices.randomElement(using: &generator) ?? at)
    default: bytes.removeSubrange(at..<min(at + 5, bytes.count))
    }
  }
}
