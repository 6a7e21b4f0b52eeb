import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// Items with child items, and the rows that a list shows of them.
@MainActor @Suite struct OutlineTests {
  private typealias Outline = ItemOutline<Item>

  /// A over B and C; C over D; E.
  private func sample() throws -> Outline {
    var outline = Outline()
    try outline.append(items("AE"))
    try outline.append(items("BC"), to: "A")
    try outline.append(items("D"), to: "C")
    return outline
  }

  private func rows(_ outline: Outline) -> String {
    outline.visibleRows.map { row in
      let sign = row.hasChildren ? (row.isExpanded ? "-" : "+") : ""
      return "\(sign)\(row.item)\(row.level)"
    }.joined(separator: " ")
  }

  @Test func `a list shows what is under expanded parents`() throws {
    var outline = try sample()
    #expect(rows(outline) == "+A0 E0")
    try outline.expand(["A"])
    #expect(rows(outline) == "-A0 B1 +C1 E0")
    try outline.expand(["C", "E"])
    #expect(rows(outline) == "-A0 B1 -C1 D2 E0")
    try outline.collapse(["A"])
    #expect(rows(outline) == "+A0 E0")
    try outline.expand(["A"])
    #expect(rows(outline) == "-A0 B1 -C1 D2 E0")
  }

  @Test func `an outline knows who is where`() throws {
    var outline = try sample()
    #expect(text(outline.allItems) == "ABCDE")
    #expect(text(outline.rootItems) == "AE")
    #expect(["A", "D", "Z"].map(outline.level(of:)) == [0, 2, nil])
    #expect(outline.parent(of: "D")?.uniqueID == "C")
    #expect(outline.parent(of: "A") == nil)
    #expect(text(outline.children(of: "A")) == "BC")
    #expect(!outline.isVisible("D") && outline.isVisible("E") && !outline.isVisible("Z"))
    try outline.expand(["A", "C"])
    #expect(outline.isVisible("D") && outline.isExpanded("A") && !outline.isExpanded("E"))
    #expect(outline.contains("D") && outline["D"]?.uniqueID == "D" && outline["Z"] == nil)
  }

  @Test func `edits keep subtrees together and expansions alive`() throws {
    var outline = try sample()
    try outline.expand(["A", "C"])
    try outline.move("C", to: .first)
    #expect(rows(outline) == "-C0 D1 -A0 B1 E0")
    try outline.move("E", to: .before("B"), under: "A")
    try outline.insert(items("F"), before: "D")
    try outline.insert(items("G"), after: "E")
    #expect(rows(outline) == "-C0 F1 D1 -A0 E1 G1 B1")
    try outline.update(items("C1")[0])
    try outline.reverseChildren(of: "C")
    try outline.reverseChildren()
    #expect(rows(outline) == "-A0 E1 G1 B1 -C10 D1 F1")
    try outline.delete(["C", "D", "G"])
    #expect(rows(outline) == "-A0 E1 B1")
    try outline.append(items("C"))
    #expect(!outline.isExpanded("C"))
    outline.deleteAll()
    #expect(outline.visibleRows.isEmpty)
  }

  @Test func `whole trees are added at once`() throws {
    var outline = Outline()
    let below = ["A": "BC", "C": "D", "D": "E"]
    try outline.append(items("A")) { items(below[$0.uniqueID] ?? "") }
    #expect(text(outline.allItems) == "ABCDE")
    #expect(outline.level(of: "E") == 3)
    #expect(throws: EditError.duplicateItem("C")) {
      try outline.append(items("X")) { $0.uniqueID == "X" ? items("C") : [] }
    }
    #expect(!outline.contains("X"))
  }

  @Test func `what cannot be is refused and nothing is changed`() throws {
    var outline = try sample()
    #expect(throws: EditError.intoItself("A")) { try outline.move("A", to: .last, under: "D") }
    #expect(throws: EditError.intoItself("A")) { try outline.move("A", to: .last, under: "A") }
    #expect(throws: EditError.unknownItem("Z")) { try outline.append(items("F"), to: "Z") }
    #expect(throws: EditError.unknownItem("Z")) { try outline.expand(["A", "Z"]) }
    #expect(throws: EditError.unknownItem("Z")) { try outline.collapse(["Z"]) }
    #expect(throws: EditError.unknownItem("Z")) { try outline.delete(["A", "Z"]) }
    #expect(throws: EditError.unknownItem("E")) {
      try outline.move("D", to: .before("E"), under: "A")
    }
    #expect(throws: EditError.indexOutOfRange(3, max: 2)) { try outline.move("D", to: .at(3)) }
    #expect(throws: EditError.duplicateItem("B")) { try outline.append(items("FB")) }
    #expect(text(outline.allItems) == "ABCDE")
    #expect(rows(outline) == "+A0 E0")
  }

  @Test func `expanding is a legal batch, and a disclosure that changes is a reload`() throws {
    let queues = ManualQueues()
    var outline = try sample()
    let data = CollectionData(outline.visibleRows, queues: queues.queues)
    let view = SimulatorView(showing: [data])
    data.view = view
    let journal = Journal<String>()
    func show() {
      data.update(outline.visibleRows) { outcome in
        guard case .applied(let update) = outcome, let delta = update.delta else { return }
        journal.note(delta.steps.map(notation).joined(separator: " | "))
      }
      queues.runAll()
    }
    try outline.expand(["A"])
    show()
    try outline.move("B", to: .last)
    show()
    try outline.delete(["C"])
    show()
    #expect(
      journal.entries == ["I0.1 I0.2 R0.0", "M0.1>0.3 | R0.3", "D0.1 R0.0"])
    #expect(view.faults == [])
  }
}
