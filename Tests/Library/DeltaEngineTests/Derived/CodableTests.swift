import DeltaEngine
import Foundation
import ListTestSupport
import TestSupport
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
    #expect(text.contains(#""insertedSections":[1]"#))
    #expect(text.contains(#""movedItems":[{"source":[0,0],"target":[1,0]}]"#))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ItemPath<SourceSpace>].self, from: Data("[[0,-1]]".utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SectionIndex<SourceSpace>].self, from: Data("[4000000000]".utf8))
    }
  }

  @Test func `a changeset comes back as it went`() throws {
    let changeset = RangeChangeset(
      updated: [1..<2], deleted: [2..<4], inserted: [0..<1], countBefore: 5, countAfter: 4)
    let data = try JSONEncoder().encode(changeset)
    #expect(try JSONDecoder().decode(RangeChangeset.self, from: data) == changeset)
  }

  /// Ranges as `[lower, upper]`, counts before and after.
  @Test(arguments: [
    (updated: "[]", deleted: "[[0,1]]", inserted: "[]", before: 3, after: 3),
    ("[]", "[[0,9223372036854775807]]", "[]", 3, 2),
    ("[]", "[[-9223372036854775808,9223372036854775807]]", "[]", 3, 2),
    ("[[1,2]]", "[[0,2]]", "[]", 3, 1),
    ("[]", "[[1,2],[0,1]]", "[]", 3, 1),
    ("[]", "[[0,1],[1,2]]", "[]", 3, 1),
    ("[[1,1]]", "[]", "[]", 3, 3),
    ("[]", "[]", "[[2,3]]", 1, 2),
    ("[]", "[]", "[]", -1, -1),
    ("[]", "[[2,1]]", "[]", 3, 4),
  ])
  func `a changeset whose ranges do not fit is refused`(
    updated: String, deleted: String, inserted: String, before: Int, after: Int
  ) {
    let text = """
      {"updated":\(updated),"deleted":\(deleted),"inserted":\(inserted),
      "countBefore":\(before),"countAfter":\(after)}
      """
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RangeChangeset.self, from: Data(text.utf8))
    }
  }

  @Test(arguments: 0..<10)
  func `a delta whose steps name what is not there is refused`(number: Int) throws {
    let source = list("x:ABC y:DE z:F")
    let delta = try Delta(from: source, to: list("y:D1EN n:MA z:FB1"))
    let corruptions: [(inout DeltaStep) -> Void] = [
      { $0.delete.sections.append(SectionIndex(9)) },
      { $0.move.sections.append(SectionMove(from: SectionIndex(0), to: SectionIndex(60))) },
      { $0.insert.sections.append(contentsOf: $0.insert.sections) },
      { $0.insert.items.append(ItemInsert(at: path(0, 90), target: path(0, 0))) },
      { $0.insert.items.append(ItemInsert(at: path(0, 0), target: path(70, 0))) },
      { $0.move.items.append(ItemMove(from: path(80, 0), to: path(0, 0))) },
      { $0.delete.items.append(path(0, 50)) },
      { $0.reload.items = [ItemReload(at: path(0, 0), target: path(0, 1_000))] },
      { $0.itemCounts = [] },
      { $0.itemCounts[0] += 1 },
    ]
    for index in delta.steps.indices {
      var corrupted = delta
      corruptions[number](&corrupted.steps[index])
      // What is repeated where there was nothing is the same step.
      if corrupted == delta { continue }
      let data = try JSONEncoder().encode(corrupted)
      #expect(throws: DecodingError.self, "step \(index)") {
        try JSONDecoder().decode(Delta.self, from: data)
      }
    }
    var cut = delta
    cut.steps.removeLast()
    let data = try JSONEncoder().encode(cut)
    if delta.steps.last?.itemCounts != cut.steps.last?.itemCounts {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Delta.self, from: data) }
    }
  }

  @Test func `a changed item that was another one, is new or is gone is refused`() throws {
    let delta = try Delta(from: list("x:ABC y:DE z:F"), to: list("y:D1EN n:MA z:FB1"))
    #expect(delta.changes.reloadedItems.count == 2)
    for section in 0..<3 {
      for item in 0..<delta.sourceItemCounts[section] {
        var corrupted = delta
        corrupted.changes.reloadedItems[0].source = path(section, item)
        if corrupted == delta { continue }
        let data = try JSONEncoder().encode(corrupted)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Delta.self, from: data) }
      }
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `what was encoded is decoded, and is the same`(seed: UInt64) throws {
    var lists = RandomLists(seed: seed)
    for _ in 0..<100 {
      let (source, target) = lists.pair()
      let delta = try Delta(from: source, to: target)
      #expect(try JSONDecoder().decode(Delta.self, from: JSONEncoder().encode(delta)) == delta)
    }
  }

  private func path<Space>(_ section: Int, _ item: Int) -> ItemPath<Space> {
    ItemPath(section: section, item: item)
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
        use(corrupted, rows: source.map { $0.items.map(\.id) })
      }
    }
  }

  /// Makes all that can be made from a delta.
  private func use(_ delta: Delta, rows: [[String]]) {
    _ = delta.inverse
    _ = delta.indexMap
    _ = try? delta.applied(to: rows) { _ in "" }
    _ = delta.rangeChangeset()
    _ = try? delta.sequentialOperations()
    _ = delta.reloading([ItemPath(section: 0, item: 0)])
  }
}
