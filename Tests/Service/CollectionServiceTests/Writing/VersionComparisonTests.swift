import DeltaEngine
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// What two versions have in common, against a slow search for it.
@Suite struct VersionComparisonTests {
  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `it finds just the items that are in both versions with one content`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let old = version(&generator)
    for _ in 0..<10 {
      let new = version(&generator)
      let comparison = try VersionComparison(Delta(from: old, to: new), from: old, to: new)
      let (source, target) = (old.flatMap(\.items), new.flatMap(\.items))
      var expected: [[Int]] = []
      for (index, item) in target.enumerated() {
        if let place = source.firstIndex(of: item) { expected.append([place, index]) }
      }
      let found = comparison.runs.flatMap { run in
        (0..<run.count).map { [run.source + $0, run.target + $0] }
      }
      #expect(found == expected)
      #expect(comparison.replaced == source.filter { !target.contains($0) })
      #expect(
        comparison.sections
          == new.map { section in
            Int32(old.firstIndex { $0.uniqueID == section.uniqueID } ?? -1)
          })
      // Runs are as long as they can be.
      for (run, next) in zip(comparison.runs, comparison.runs.dropFirst()) {
        let isOne = run.source + run.count == next.source && run.target + run.count == next.target
        #expect(!isOne)
      }
      #expect(StructurePatch(to: old, comparison).apply(to: new) == old)
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `the delta of other versions is refused, or says the same`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (old, new, other) = (version(&generator), version(&generator), version(&generator))
    let delta = try Delta(from: old, to: new)
    guard delta.sourceItemCounts == other.map(\.items.count) else { return }
    let comparison = try? VersionComparison(delta, from: other, to: new)
    guard let comparison else { return }
    #expect(StructurePatch(to: other, comparison).apply(to: new) == other)
  }

  @Test func `a delta that keeps an item as another one is refused`() throws {
    let (old, new) = ([list([1, 2, 3])], [list([2, 3, 4])])
    let delta = try Delta(from: old, to: new)
    #expect(throws: DeltaMismatch.self) {
      try VersionComparison(delta, from: [list([1, 9, 3])], to: new)
    }
    #expect(throws: DeltaMismatch.self) {
      try VersionComparison(.empty, from: old, to: new)
    }
    #expect(throws: DeltaMismatch.self) {
      try VersionComparison(
        sections: [0],
        runs: [.init(source: 0, target: 0, count: 2), .init(source: 1, target: 2, count: 1)],
        source: old[0].items)
    }
  }

  @Test func `a patch of lists with large numbers leads back`() throws {
    let (old, new) = ([list([900_000, 5, 6, 800_000])], [list([6, 900_000, 7, 5])])
    let delta = try Delta(from: old, to: new)
    let patch = StructurePatch(to: old, try VersionComparison(delta, from: old, to: new))
    #expect(patch.apply(to: new) == old)
    // The numbers of what is in both versions are not kept.
    var kept: [UInt32] = []
    patch.forEachID { kept.append($0) }
    #expect(kept == [0, 800_000])
  }

  private func list(_ ids: [UInt32]) -> StructureSection {
    StructureSection(
      uniqueID: 0, header: ContentHash(high: 0, low: 0),
      items: ids.map { StructureItem(uniqueID: $0, content: ContentHash(high: 0, low: UInt64($0))) }
    )
  }

  /// Up to four sections of up to twelve items, of three contents each.
  private func version(_ generator: inout SeededGenerator) -> [StructureSection] {
    let items = (0..<UInt32(12)).shuffled(using: &generator)
    var rest = items.prefix(Int.random(in: 0...12, using: &generator))
    let sections = (100..<UInt32(104)).shuffled(using: &generator)
    return sections.prefix(Int.random(in: 1...4, using: &generator)).map { id in
      let count = Int.random(in: 0...rest.count, using: &generator)
      defer { rest = rest.dropFirst(count) }
      let mine = rest.prefix(count).map { id in
        StructureItem(uniqueID: id, content: content(of: &generator))
      }
      return StructureSection(uniqueID: id, header: content(of: &generator), items: mine)
    }
  }

  private func content(of generator: inout SeededGenerator) -> ContentHash {
    let isUsual = Int.random(in: 0..<4, using: &generator) > 0
    return ContentHash(high: 0, low: isUsual ? 0 : UInt64.random(in: 1...2, using: &generator))
  }
}
