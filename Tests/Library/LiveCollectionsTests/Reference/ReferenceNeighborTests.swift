import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// A card of the scripted run: id, section and rank, as in `Ax5`.
private struct Card: UniquelyIdentifiable, Hashable, Sendable {
  var uniqueID: Character
  var section: String
  var rank: Int

  static func cards(_ text: String) -> [Card] {
    text.split(separator: " ").map { part in
      let letters = part.map { $0 }
      return Card(
        uniqueID: letters[0], section: String(letters[1]),
        rank: letters[2].wholeNumberValue ?? 0)
    }
  }
}

private struct Suit: UniquelyIdentifiableSection, Hashable, Sendable {
  var uniqueID: String
  var items: [Card]
}

/// What the three neighboring systems were tested on, or get wrong: what ours does instead.
@MainActor @Suite struct ReferenceNeighborTests {
  @Test(arguments: [
    ([1, 2, 3, 9, 8, 2, 3, 4, 5, 6], Array(1...10), 4, 4), ([1, 3], [1, 2, 3], 0, 1),
    ([1, 2, 3], [1, 2], 1, 0), ([1, 2, 3], [4, 5, 6, 7], 3, 4),
    ([1, 5, 6, 7], [1, 3, 5, 7], 1, 1),
  ])
  func `Changesets: as few go and come as can`(
    source: [Int], target: [Int], deleted: Int, inserted: Int
  ) {
    let changeset = source.changeset(to: target)
    #expect(changeset.deleted.joined().count == deleted)
    #expect(changeset.inserted.joined().count == inserted)
    #expect(changeset.updated.isEmpty)
  }

  @Test func `the table calculator: its scripted run is told by legal and exact deltas`() throws {
    let rule = SectionGrouping<Suit>(by: \.section) { Suit(uniqueID: $0, items: $1) }
    let order = ItemOrder<Card>(\.section).then(\.rank)
    var list = ArrangedItems(sections: rule, order: order)
    try list.setItems(Card.cards("Aa1 Ba2 Ca3 Db1 Eb2"))
    func step(
      _ expected: String, _ body: (inout ArrangedItems<Suit>) throws -> Delta
    ) throws -> Delta {
      let before = list.sections
      let delta = try body(&list)
      try Simulator.check(delta, from: before, to: list.sections)
      let shown = list.sections.map { "\($0.uniqueID):\(String($0.items.map(\.uniqueID)))" }
      #expect(shown.joined(separator: " ") == expected)
      return delta
    }
    _ = try step("a:ABC b:FDE") { try $0.update(upsert: Card.cards("Fb0 Ba2")) }
    _ = try step("a:BC b:FE") { try $0.update(delete: ["A", "D"]) }
    let added = try step("a:BC b:FE c:GH d:I") {
      try $0.update(upsert: Card.cards("Gc1 Hc2 Id1"))
    }
    #expect(added.changes.insertedSections.count == 2 && added.changes.movedItems.isEmpty)
    _ = try step("a:JB b:E c:GH") {
      try $0.update(upsert: Card.cards("Ja1 Ba5 Ca9"), delete: ["C", "F", "I"])
    }
    let all = try step("a:JB b:E c:GH") {
      try $0.update(upsert: Card.cards("Ja2 Ba6 Eb3 Gc2 Hc3"))
    }
    #expect(all.changes.reloadedItems.count == 5 && all.changes.movedItems.isEmpty)
    _ = try step("c:HG b:E a:BJ") { try $0.resort(by: order.reversed) }
    _ = try step("a:JB b:E c:GH") { try $0.resort(by: order) }
    let keyed = try step("a:H c:EGJ d:B") {
      try $0.update(upsert: Card.cards("Jc9 Bd1 Ec1 Gc2 Ha1"))
    }
    #expect(keyed.changes.deletedItems.isEmpty && keyed.changes.insertedItems.isEmpty)
  }

  @Test func `the collection view: an item goes behind one that it stood before`() throws {
    var list = try EditableSections(list("x:XY z:C"))
    try list.moveItem("X", to: .after("Y"))
    #expect(text(list.sections) == "x:YX z:C")
    #expect(throws: EditError.duplicateItem("X")) {
      try list.insertItems(items("X"), at: .after("Y"))
    }
    #expect(throws: EditError.duplicateItem("Y")) { try list.appendItems(items("DYX")) }
    #expect(throws: EditError.duplicateSection("z")) {
      try list.insertSections(ListTestSupport.list("n: z:"), at: .first)
    }
    #expect(throws: EditError.unknownItem("X")) { try list.moveItem("X", to: .after("X")) }
    #expect(text(list.sections) == "x:YX z:C")
    for id in ["Y", "X"] { try list.moveItem(id, to: .last(in: "z")) }
    #expect(text(list.sections) == "x: z:CYX")
  }

  @Test func `the collection view: an outline that is emptied tells its callers too`() throws {
    let queues = ManualQueues()
    var outline = ItemOutline<Item>()
    try outline.append(items("A"))
    try outline.append(items("B"), to: "A")
    try outline.expand(["A"])
    let data = CollectionData(outline.visibleRows, queues: queues.queues)
    let journal = Journal<String>()
    #expect(throws: EditError.unknownItem("Z")) { try outline.append(items("C"), to: "Z") }
    try outline.append(items("C"))
    data.update(outline.visibleRows) { journal.note("\($0)") }
    outline.deleteAll()
    data.update(outline.visibleRows) { journal.note("\($0)") }
    queues.runAll()
    #expect(journal.entries == ["merged into 2", "applied by contentOnly"])
    #expect(data.isEmpty)
  }

  @Test func `the collection view: edits that come together are one update, all are heard`() {
    let queues = ManualQueues()
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = SimulatorView(showing: data)
    data.view = view
    queues.runAll()
    let journal = Journal<String>()
    data.insertItems(items("D"), at: .last(in: "x")) { journal.note("\($0)") }
    data.moveSection("y", to: .first) { journal.note("\($0)") }
    data.reloadItems(["A"]) { journal.note("\($0)") }
    data.deleteItems(["Z"]) { journal.note("\($0)") }
    data.deleteItems(["B"]) { journal.note("\($0)") }
    queues.runAll()
    #expect(
      journal.entries == [
        "merged into 5", "merged into 5", "merged into 5",
        "rejected: there is no item \"Z\"", "applied by batches",
      ])
    #expect(text(data.sections) == "y:C x:AD")
    #expect(view.faults.isEmpty && view.batchCount == 2)
  }
}
