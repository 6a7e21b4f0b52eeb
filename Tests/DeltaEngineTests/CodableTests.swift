import DeltaEngine
import Foundation
import Testing

/// Deltas as JSON, out and in.
@Suite struct CodableTests {
  @Test(arguments: [31, 32])
  func `a delta comes back as it went`(seed: UInt64) throws {
    var lists = RandomLists(seed: seed)
    for _ in 0..<100 {
      let (source, target) = lists.pair()
      let delta = try Delta(from: source, to: target)
      let data = try JSONEncoder().encode(delta)
      #expect(try JSONDecoder().decode(Delta.self, from: data) == delta)
    }
  }

  @Test func `places are numbers`() throws {
    let delta = try Delta(from: list("x:AB"), to: list("x:B y:A"))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let text = String(decoding: try encoder.encode(delta.changes), as: UTF8.self)
    #expect(text.contains(#""addedSections":[1]"#))
    #expect(text.contains(#""movedItems":[{"source":[0,0],"target":[1,0]}]"#))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ItemPath<Source>].self, from: Data("[[0,-1]]".utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SectionIndex<Source>].self, from: Data("[4000000000]".utf8))
    }
  }

  @Test func `a changeset comes back as it went`() throws {
    let changeset = RangeChangeset(
      updated: [1..<2], deleted: [2..<4], inserted: [0..<1], countBefore: 5, countAfter: 4)
    let data = try JSONEncoder().encode(changeset)
    #expect(try JSONDecoder().decode(RangeChangeset.self, from: data) == changeset)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a delta with a corrupted number is refused, or used without harm`(seed: UInt64) throws {
    var lists = RandomLists(seed: seed)
    var generator = SeededGenerator(seed: ~seed)
    for _ in 0..<40 {
      let (source, target) = lists.pair()
      let delta = try Delta(from: source, to: target)
      var bytes = try JSONEncoder().encode(delta)
      let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
      guard let place = digits.randomElement(using: &generator) else { continue }
      bytes[place] = UInt8.random(in: 0x30...0x39, using: &generator)
      if let corrupted = try? JSONDecoder().decode(Delta.self, from: bytes) {
        use(corrupted, rows: source.map { $0.items.map(\.id) }, next: delta)
      }
    }
  }

  /// Makes all that can be made from a delta.
  private func use(_ delta: Delta, rows: [[String]], next: Delta) {
    _ = delta.inverse
    _ = delta.indexMap
    _ = try? delta.followed(by: next.inverse)
    _ = try? delta.applied(to: rows) { _ in "" }
    _ = delta.rangeChangeset()
    if delta.sourceItemCounts.count == 1, delta.targetItemCounts.count == 1 {
      _ = delta.sequentialOperations()
    }
    _ = delta.reloading([ItemPath(section: 0, item: 0)])
  }
}
