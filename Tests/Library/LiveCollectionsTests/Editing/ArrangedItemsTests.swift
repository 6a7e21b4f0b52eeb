import DeltaEngine
import LiveCollections
import TestSupport
import Testing

/// A card of the tests: its section's key and its rank, as in `a5`.
private struct Card: UniquelyIdentifiable, Hashable, Sendable, CustomStringConvertible {
  var uniqueID: String
  var section: String
  var rank: Int

  var description: String { "\(uniqueID)\(section)\(rank)" }
}

private struct Suit: UniquelyIdentifiableSection, Hashable, Sendable {
  var uniqueID: String
  var items: [Card]
}

/// A suit whose header shows how many cards there are.
private struct CountedSuit: UniquelyIdentifiableSection, Sendable {
  var uniqueID: String
  var items: [Card]
  var header: Int { items.count }
}

/// A card whose id cannot be compared.
private struct Unordered: UniquelyIdentifiable, Sendable {
  struct ID: Hashable, Sendable { var text: String }

  var card: Card
  var uniqueID: ID { ID(text: card.uniqueID) }
  var section: String { card.section }
}

private struct Hand: UniquelyIdentifiableSection, Sendable {
  var uniqueID: String
  var items: [Unordered]
}

/// Lists that are kept in an order and fall into sections by a rule.
@Suite struct ArrangedItemsTests {
  private typealias Cards = ArrangedItems<Suit>

  private let rule = SectionGrouping<Suit>(by: \.section) { Suit(uniqueID: $0, items: $1) }
  private let order = ItemOrder<Card>(\.section).then(\.rank)

  /// Reads `Ax5 By2`: id, section and rank.
  private func cards(_ text: String) -> [Card] {
    text.split(separator: " ").map { part in
      let letters = part.map { String($0) }
      return Card(
        uniqueID: letters[0], section: letters[1], rank: Int(letters.dropFirst(2).joined()) ?? 0)
    }
  }

  private func ruled(_ text: String, sorted: Bool = true) throws -> Cards {
    var list = Cards(sections: rule, order: sorted ? order : nil)
    try list.setItems(cards(text))
    return list
  }

  private func show(_ list: Cards) -> String {
    list.sections.map { "\($0.uniqueID):\($0.items.map(\.uniqueID).joined())" }
      .joined(separator: " ")
  }

  private func steps(_ delta: Delta) -> String {
    delta.steps.map(notation).joined(separator: " | ")
  }

  @Test func `items are brought into order and fall into sections`() throws {
    let list = try ruled("Ay2 Bx9 Cx1 Dy1")
    #expect(show(list) == "x:CB y:DA")
    #expect(list.place(of: "D").map { [$0.section, $0.item] } == [1, 0])
    #expect(list.place(of: "Z") == nil)
    #expect(list.item(section: 0, item: 1)?.uniqueID == "B")
    #expect(list.item(section: 0, item: 2) == nil)
  }

  @Test func `the reference's lost update is told`() throws {
    var list = try ruled("Aa1 Ba5 Ca9")
    let delta = try list.update(upsert: cards("Ba6"), delete: ["A"])
    #expect(steps(delta) == "D0.0 R0.1")
  }

  @Test func `a section that goes away is not mistaken for the next`() throws {
    var list = try ruled("Aa1 Bb1 Cb2")
    #expect(steps(try list.update(delete: ["A"])) == "DS0")
  }

  @Test func `a header that follows from its items is drawn anew with them`() throws {
    var list = ArrangedItems(
      sections: SectionGrouping<CountedSuit>(by: \.section) {
        CountedSuit(uniqueID: $0, items: $1)
      },
      order: order)
    try list.setItems(cards("Aa1 Bb1"))
    let delta = try list.update(upsert: cards("Cb2"))
    #expect(delta.steps.map(notation) == ["I1.1", "RS1"])
    #expect(try list.update(upsert: cards("Cb3")).steps.map(notation) == ["R1.1"])
  }

  @Test func `an item whose key changes moves to its section`() throws {
    var list = try ruled("Aa1 Ba2 Cb1")
    let delta = try list.update(upsert: cards("Ab0"))
    #expect(show(list) == "a:B b:AC")
    #expect(steps(delta) == "M0.0>1.0 | R1.0")
  }

  @Test func `what is put in and deleted is deleted, and unknown deletions are ignored`() throws {
    var list = try ruled("Aa1")
    let delta = try list.update(upsert: cards("Aa2 Ba3"), delete: ["B", "Z"])
    #expect(show(list) == "a:A")
    #expect(steps(delta) == "R0.0")
  }

  @Test func `another order is nothing but moves, as few as can be`() throws {
    var list = try ruled("Aa1 Ba2 Ca3 Db1")
    let delta = try list.resort(by: ItemOrder(\.section).then(\.rank, descending: true))
    #expect(show(list) == "a:CBA b:D")
    #expect(delta.changes.movedItems.count == 2 && delta.changeCount == 2)
    let sections = try list.resort(by: ItemOrder(\.section, descending: true).then(\.rank))
    #expect(sections.changes.movedSections.count == 1)
    #expect(try list.resort().isEmpty)
  }

  @Test func `a rotation moves one item`() throws {
    var list = try ruled("Aa1 Ba2 Ca3 Da4 Ea5")
    #expect(steps(try list.update(upsert: cards("Aa9"))) == "M0.0>0.4 | R0.4")
  }

  @Test func `equal keys follow their ids, however the items came in`() throws {
    for text in ["Ba1 Aa1 Ca1 Eb2", "Ca1 Ba1 Eb2 Aa1"] {
      var list = Cards(sections: rule, order: ItemOrder(\.section))
      try list.setItems(cards(text))
      #expect(show(list) == "a:ABC b:E")
      #expect(try list.update(upsert: cards("Da1")).changes.movedItems.isEmpty)
      try list.resort(by: order.reversed)
      #expect(show(list) == "b:E a:ABCD")
      try list.swap("A", "C")
      try list.resort()
      #expect(show(list) == "b:E a:ABCD")
    }
  }

  @Test func `where ids cannot be compared, equal keys stay as they stand`() throws {
    var list = ArrangedItems(
      sections: SectionGrouping<Hand>(by: \.section) { Hand(uniqueID: $0, items: $1) },
      order: ItemOrder(\.section))
    try list.setItems(cards("Ba1 Aa1 Ca1").map(Unordered.init))
    #expect(list.items.map(\.card.uniqueID) == ["B", "A", "C"])
    try list.resort(by: ItemOrder(\.section, descending: true))
    #expect(list.items.map(\.card.uniqueID) == ["B", "A", "C"])
    #expect(ItemOrder<Card>(\.section).sorted(cards("Bb1 Aa1 Ca1")) == cards("Aa1 Ca1 Bb1"))
    #expect(
      ItemOrder<Card>(\.section).then(\.uniqueID).sorted(cards("Ca1 Aa1")) == cards("Aa1 Ca1"))
  }

  @Test func `a torn section is refused and nothing is changed`() throws {
    var list = try ruled("Aa1 Bb1", sorted: false)
    #expect(throws: ArrangingError.notContiguous(section: "a", first: 0, again: 2)) {
      try list.setItems(cards("Aa1 Bb1 Ca1"))
    }
    #expect(throws: ArrangingError.notContiguous(section: "a", first: 0, again: 2)) {
      try list.update(upsert: cards("Ca1"))
    }
    #expect(throws: ArrangingError.duplicateItem("A")) { try list.setItems(cards("Aa1 Aa2")) }
    #expect(show(list) == "a:A b:B")
    var sorted = try ruled("Aa1 Ba2 Cb1")
    #expect(throws: ArrangingError.notContiguous(section: "a", first: 0, again: 2)) {
      try sorted.move("C", toPlaceOf: "B")
    }
    #expect(throws: ArrangingError.notContiguous(section: "a", first: 0, again: 2)) {
      try sorted.swap("C", "B")
    }
    #expect(throws: ArrangingError.notContiguous(section: "a", first: 0, again: 2)) {
      try sorted.resort(by: ItemOrder { ["A": 1, "C": 2, "B": 3][$0.uniqueID] ?? 0 })
    }
    #expect(try sorted.resort().isEmpty)
    #expect(show(sorted) == "a:AB b:C")
  }

  @Test func `items are moved, exchanged and removed without being brought into order`() throws {
    var list = try ruled("Aa1 Ba2 Ca3 Db1")
    #expect(steps(try list.move("A", toPlaceOf: "C")) == "M0.0>0.2")
    #expect(show(list) == "a:BCA b:D")
    #expect(try list.swap("B", "A").changes.movedItems.count == 2)
    #expect(steps(try list.delete(section: 0, item: 1)) == "D0.1")
    #expect(show(list) == "a:AB b:D")
    #expect(throws: ArrangingError.noSuchPlace(section: 0, item: 2)) {
      try list.delete(section: 0, item: 2)
    }
    #expect(throws: ArrangingError.unknownItem("Z")) { try list.move("Z", toPlaceOf: "A") }
    #expect(try list.update(delete: ["Z"]).isEmpty)
    try list.update(upsert: cards("Ea0"))
    #expect(show(list) == "a:EAB b:D")
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `random changes are told by legal and exact deltas`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var list = Cards(sections: rule, order: order)
    func card() -> Card {
      Card(
        uniqueID: "\(Int.random(in: 0..<9, using: &generator))",
        section: "\(Int.random(in: 0..<4, using: &generator))",
        rank: Int.random(in: 0..<20, using: &generator))
    }
    for _ in 0..<20 {
      let before = list.sections
      let upsert = (0..<Int.random(in: 0...4, using: &generator)).map { _ in card() }
      let gone = (0..<Int.random(in: 0...3, using: &generator)).map { _ in card().uniqueID }
      let delta = try list.update(upsert: upsert, delete: gone)
      try Simulator.check(delta, from: before, to: list.sections)
      #expect(list.items == order.sorted(list.items), "seed \(seed)")
    }
  }
}
