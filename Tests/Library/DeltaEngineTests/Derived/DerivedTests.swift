import DeltaEngine
import ListTestSupport
import Testing

/// A delta put together by hand that removes a section that is not there.
private func madeUp() -> Delta {
  var changes = DeltaChanges()
  changes.deletedSections = [SectionIndex(1_000_000)]
  return Delta(changes: changes, steps: [DeltaStep()], sourceItemCounts: [1], targetItemCounts: [])
}

/// What is made from a delta: the way back, maps, ranges and sequences.
@Suite struct DerivedTests {
  @Test(arguments: [11, 12, 13])
  func `an inverse leads back, as minimal`(seed: UInt64) throws {
    try forRandomPairs(seed) { source, target in
      let delta = try Delta(from: source, to: target)
      try Simulator.check(delta.inverse, from: target, to: source)
      #expect(delta.inverse.changes.movedItems.count == delta.changes.movedItems.count)
      #expect(delta.inverse.inverse.changes == delta.changes)
    }
  }

  @Test(arguments: [16, 17])
  func `the index map finds every item in both versions`(seed: UInt64) throws {
    try forRandomPairs(seed) { source, target in
      if source == target { return }
      let map = try Delta(from: source, to: target).indexMap
      for (s, section) in source.enumerated() {
        for (i, item) in section.items.enumerated() {
          let found = map.target(of: ItemPath(section: s, item: i))
          #expect(found.map { target[$0.section].items[$0.item].id } == self.find(item, in: target))
          if let found { #expect(map.source(of: found) == ItemPath(section: s, item: i)) }
        }
      }
      for (s, section) in source.enumerated() {
        let found = map.target(of: SectionIndex(s))
        #expect(found?.index == target.firstIndex { $0.id == section.id })
        if let found { #expect(map.source(of: found) == SectionIndex(s)) }
      }
      for (s, section) in target.enumerated() {
        #expect(map.source(of: SectionIndex(s))?.index == source.firstIndex { $0.id == section.id })
      }
      #expect(map.target(of: ItemPath(section: 99, item: 0)) == nil)
      #expect(map.source(of: ItemPath(section: 0, item: 99)) == nil)
    }
  }

  private func find(_ item: Item, in list: [Section]) -> String? {
    list.contains { $0.items.contains { $0.id == item.id } } ? item.id : nil
  }

  @Test(arguments: [18, 19])
  func `a delta applied to rows gives the target's rows`(seed: UInt64) throws {
    try forRandomPairs(seed) { source, target in
      let delta = try Delta(from: source, to: target)
      let result = try delta.apply(to: source) { target[$0.section].items[$0.item] }
      #expect(result == target.map(\.items))
      if !delta.isEmpty {
        #expect(throws: DeltaMismatch.self) {
          try delta.applied(to: source.map { _ in [0] } + [[1]]) { _ in 0 }
        }
      }
    }
  }

  @Test func `a flat delta is applied to a flat list`() throws {
    let delta = try Delta(fromItems: items("ABC"), toItems: items("CA1D"))
    #expect(
      try delta.applied(toItems: ["a", "b", "c"]) { "new \($0)" } == ["c", "new 1", "new 2"])
    #expect(try Delta.empty.applied(toItems: ["a"]) { _ in "" } == ["a"])
    #expect(throws: DeltaMismatch.self) { try delta.applied(toItems: ["a"]) { _ in "" } }
    let sectioned = try Delta(from: list("x:A"), to: list("x:A y:B"))
    #expect(throws: DeltaMismatch.self) { try sectioned.applied(toItems: ["a"]) { _ in "" } }
  }

  @Test(arguments: [20, 21])
  func `operations one after the other give the target`(seed: UInt64) throws {
    var lists = RandomLists(seed: seed)
    for round in 0..<1_000 {
      let (first, second) = lists.pair()
      let source = first.flatMap(\.items)
      let target = second.flatMap(\.items)
      let delta = try Delta(fromItems: source, toItems: target)
      var rows = source
      for operation in try delta.sequentialOperations() { perform(operation, on: &rows, target) }
      #expect(rows == target, "seed \(seed), round \(round)")
    }
  }

  private func perform(_ operation: SequentialOperation, on rows: inout [Item], _ target: [Item]) {
    switch operation {
    case .remove(let at, let count): rows.removeSubrange(at..<at + count)
    case .insert(let at, let targets): rows.insert(contentsOf: target[targets], at: at)
    case .move(let from, let to): rows.insert(rows.remove(at: from), at: to)
    case .change(let at, let targets):
      rows.replaceSubrange(at..<at + targets.count, with: target[targets])
    }
  }

  /// The cases that the range form was first tested with: source, target, updated, deleted and
  /// inserted ranges, and whether all was replaced.
  @Test(arguments: [
    ("ABCDHI", "BCD1FGHI1K", [3..<4, 5..<6], [0..<1], [3..<5, 7..<8], false),
    ("ABC", "AB1C1", [1..<3], [], [], false),
    ("ABC", "DEFG", [], [0..<3], [0..<4], true),
    ("", "DEFG", [], [], [0..<4], true),
    ("ABC", "", [], [0..<3], [], true),
    ("ABCDE", "EABCD", [], [4..<5], [0..<1], false),
    ("A", "A1", [0..<1], [], [], false),
  ])
  func `a changeset has ranges and no moves`(
    source: String, target: String, updated: [Range<Int>], deleted: [Range<Int>],
    inserted: [Range<Int>], wasReplaced: Bool
  ) throws {
    let delta = try Delta(fromItems: items(source), toItems: items(target))
    let changeset = try #require(delta.rangeChangeset())
    #expect(changeset.updated == updated)
    #expect(changeset.deleted == deleted)
    #expect(changeset.inserted == inserted)
    #expect(changeset.wasReplaced == wasReplaced)
  }

  @Test func `a changeset maps indices and knows its range`() throws {
    let delta = try Delta(fromItems: items("ABCDHI"), toItems: items("BCD1FGHI1K"))
    let changeset = try #require(delta.rangeChangeset())
    #expect((0..<6).map { changeset.afterIndex(forBeforeIndex: $0) } == [nil, 0, 1, 2, 5, 6])
    #expect(changeset.afterIndex(forBeforeIndex: -1) == nil)
    #expect(changeset.afterIndex(forBeforeIndex: 6) == nil)
    #expect(changeset.changedIndexesCount == 6)
  }

  @Test func `operations one after the other are for flat lists only`() throws {
    let delta = try Delta(from: list("x:A y:B"), to: list("x:B y:A"))
    let error = #expect(throws: DeltaMismatch.self) { try delta.sequentialOperations() }
    #expect(error?.reason.hasPrefix("from 2 sections to 2:") == true)
  }

  @Test func `what is made from a delta that is none traps`() async {
    await #expect(processExitsWith: .failure) { _ = madeUp().inverse }
    await #expect(processExitsWith: .failure) { _ = madeUp().indexMap }
    await #expect(processExitsWith: .failure) {
      _ = madeUp().reloading([ItemPath(section: 0, item: 0)])
    }
  }

  @Test func `a place is never negative`() async {
    await #expect(processExitsWith: .failure) { _ = SectionIndex<SourceSpace>(-1) }
    await #expect(processExitsWith: .failure) { _ = ItemPath<SourceSpace>(section: 0, item: -1) }
  }

  @Test func `equal items can be reloaded by force`() throws {
    let delta = try Delta(from: list("x:ABC"), to: list("x:CAB"))
    let forced = delta.reloading([ItemPath(section: 0, item: 1)])
    #expect(forced.steps.map(\.reload.items.count) == [0, 1])
    try Simulator.check(forced, from: list("x:ABC"), to: list("x:CA1B"))
    let alone = Delta(reloading: [ItemPath(section: 0, item: 2)], itemCounts: [3])
    try Simulator.check(alone, from: list("x:ABC"), to: list("x:ABC1"))
    #expect(Delta(reloading: [ItemPath(section: 4, item: 2)], itemCounts: [3]).isEmpty)
  }

  private func forRandomPairs(
    _ seed: UInt64, _ body: ([Section], [Section]) throws -> Void
  ) throws {
    var lists = RandomLists(seed: seed)
    for _ in 0..<500 {
      let (source, target) = lists.pair()
      try body(source, target)
    }
  }
}
