import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// The examples on which the older libraries were tested, and those that they get wrong: deltas.
@MainActor @Suite struct ReferenceDeltaTests {
  let queues = ManualQueues()

  /// The batches that lead a strict view from one content to another.
  private func batches(
    _ source: String, _ target: String, dropsEmptySections: Bool = false
  ) -> [String] {
    let data = CollectionSectionData(list(source), queues: queues.queues)
    data.dropsEmptySections = dropsEmptySections
    let judge = SimulatorView(showing: data)
    data.view = judge
    let journal = Journal<String>()
    data.update(list(target)) { outcome in
      guard case .applied(let update) = outcome, let delta = update.delta else { return }
      for step in delta.steps { journal.note(notation(step)) }
    }
    queues.runAll()
    #expect(judge.faults == [])
    return journal.entries
  }

  private func flat(_ source: String, _ target: String) -> [String] {
    let data = CollectionData(items(source), queues: queues.queues)
    let judge = SimulatorView(showing: [data])
    data.view = judge
    let journal = Journal<String>()
    data.update(items(target)) { outcome in
      guard case .applied(let update) = outcome, let delta = update.delta else { return }
      for step in delta.steps { journal.note(notation(step)) }
    }
    queues.runAll()
    #expect(judge.faults == [])
    #expect(text(data.items) == target)
    return journal.entries
  }

  @Test(arguments: [
    ("ABCDE", "BCDE", "D0.0"), ("ABCDE", "ACDE", "D0.1"), ("ABCDE", "ABCE", "D0.3"),
    ("ABCDE", "BD", "D0.0 D0.2 D0.4"), ("ABCDE", "", "D0.0 D0.1 D0.2 D0.3 D0.4"),
    ("BCDE", "ABCDE", "I0.0"), ("BCDE", "BCFDE", "I0.2"), ("BCDE", "BCDEG", "I0.4"),
    ("BCDE", "ABFCDEGH", "I0.0 I0.2 I0.6 I0.7"),
    ("ABC", "AXBYZC", "I0.1 I0.3 I0.4"),
  ])
  func `a pure deletion or insertion moves nothing`(
    source: String, target: String, batch: String
  ) {
    #expect(flat(source, target) == [batch])
  }

  @Test(arguments: [
    ("ABCDE", "BCADE", 1), ("ABCDE", "BDCAE", 2), ("ABCDE", "AECDB", 2), ("DCAEB", "DACBE", 2),
    ("ABCDE", "BCDEA", 1), ("ABCDE", "EABCD", 1), ("ABCDEFGHIJ", "BCDEFGHIJA", 1),
    ("ABCDE", "BXCDEA", 1), ("ABCDE", "BCAXDE", 1), ("ABCDEF", "BDFACE", 3), ("ABC", "CBA", 2),
  ])
  func `moves are as few as can be`(source: String, target: String, moves: Int) {
    let batches = flat(source, target)
    #expect(batches.count == 1)
    #expect(batches.joined().count { $0 == "M" } == moves)
  }

  @Test func `one deletion in a long list moves nothing, whatever its place`() throws {
    let ids = [383, 30, 296, 74, 68, 396, 158]
    for gone in ids {
      let data = CollectionData(ids)
      let delta = try data.updateNow(ids.filter { $0 != gone })
      #expect(delta.changes.movedItems.isEmpty && delta.changeCount == 1)
      #expect(try data.updateNow(ids).changes.movedItems.isEmpty)
    }
    let several = CollectionData(ids)
    #expect(try several.updateNow([30, 74, 68, 158]).changes.movedItems.isEmpty)
    let data = CollectionData([1, 2, 3])
    #expect(try data.updateNow([1, 77, 2, 88, 99, 3]).changeCount == 3)
  }

  @Test func `items that cross sections that come or go are moves`() {
    #expect(batches("x:ABC", "x:AC n:B") == ["IS1", "M0.1>1.0"])
    #expect(batches("x:A y:BC", "y:BCA") == ["M0.0>1.2", "DS0"])
  }

  @Test func `moved sections and their items take two batches`() {
    #expect(
      batches("x:AB y:CD z:E", "z:E y:CDA x:B").map { $0.prefix(2) } == ["MS", "M2"])
  }

  @Test func `an emptied section stays, unless empty sections are left out`() {
    #expect(batches("x:AB y:C", "x:AB y:") == ["D1.0"])
    #expect(batches("x:AB y:C", "x:AB y:", dropsEmptySections: true) == ["DS1"])
    #expect(batches("x: y:C", "x:A y:C") == ["I0.0"])
  }

  @Test func `with sections too, a deletion or insertion of a row moves nothing`() {
    #expect(batches("x:ABCDE", "x:BCDE") == ["D0.0"])
    #expect(batches("x:ABCD", "x:NABCD") == ["I0.0"])
  }

  @Test func `B4: an item that changes in its place is reloaded once`() {
    #expect(batches("x:AB", "x:AB1") == ["R0.1"])
    #expect(batches("x:AB y:C", "x:AB1 y:CD") == ["I1.1 R0.1"])
  }

  @Test func `an item that moves and changes is moved, then reloaded at its place`() {
    #expect(batches("x:AB y:CD", "x:B y:CA1D") == ["M0.0>1.1", "R1.1"])
  }

  @Test func `B14: a header that changes is reloaded`() {
    #expect(batches("x:AB", "x1:AB") == ["RS0"])
    #expect(batches("x:AB y:C", "x1:A1B y:C1") == ["RS0 R1.0"])
  }

  @Test func `an item that only shifts and changes is not lost`() {
    #expect(flat("A1B5C9", "B6C9") == ["D0.0 R0.1"])
  }

  @Test func `a chain of moves ends in the right order`() {
    #expect(flat("EBAC", "ABCE").count == 1)
    #expect(batches("a:JK b:LMN", "b:KLN a:JM").count == 2)
  }

  @Test func `sections that empty, fill and swap take two batches`() {
    #expect(batches("a:A b:B", "b:C a:").map { $0.prefix(2) } == ["MS", "D0"])
    #expect(batches("d:JKL i:YZX", "i:KZX d:JL").map { $0.prefix(2) } == ["MS", "D0"])
  }
}
