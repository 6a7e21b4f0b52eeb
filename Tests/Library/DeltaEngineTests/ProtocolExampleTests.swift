import DeltaEngine
import ListTestSupport
import Testing

/// The example of the protocol's section on the staged delta, and one list for each kind of step.
@Suite struct ProtocolExampleTests {
  @Test func `the protocol's example comes out as it is written there`() throws {
    let source = list("t:ABC e:DE")  // today: m1 m2 m3, earlier: m4 m5
    let target = list("p:DI t:FAC1 e:E")  // pinned: m4 m9, today: m6 m1 m3', earlier: m5
    let delta = try Delta(from: source, to: target)

    var sections = DeltaStep()
    sections.insert.sections = [SectionInsert(at: .init(0), target: .init(0), items: [1])]
    sections.itemCounts = [1, 3, 2]
    var items = DeltaStep()
    items.delete.items = [ItemPath(section: 1, item: 1)]
    items.insert.items = [
      ItemInsert(at: ItemPath(section: 1, item: 0), target: ItemPath(section: 1, item: 0))
    ]
    items.move.items = [
      ItemMove(from: ItemPath(section: 2, item: 0), to: ItemPath(section: 0, item: 0))
    ]
    items.itemCounts = [2, 3, 1]
    var reloads = DeltaStep()
    reloads.reload.items = [
      ItemReload(at: ItemPath(section: 1, item: 2), target: ItemPath(section: 1, item: 2))
    ]
    reloads.itemCounts = [2, 3, 1]
    #expect(delta.steps == [sections, items, reloads])
    #expect(delta.changes.deletedItems == [ItemPath(section: 0, item: 1)])
  }

  /// Source, target, and per step what stands in it: `S` section operations, `I` item operations,
  /// `R` reloads.
  @Test(arguments: [
    ("x:A", "x:A", []),
    ("x:AB", "x:B", ["I"]),
    ("x:AB", "x:A1B", ["R"]),
    ("x:ABC", "x:AC1D", ["IR"]),
    ("x:ABC", "x:CA1B", ["I", "R"]),
    ("x:A", "x1:A", ["R"]),
    ("x:AB", "x1:A", ["I", "R"]),
    ("x:AB", "x1:A1C", ["I", "R"]),
    ("x:A y:B", "y:B x:A", ["S"]),
    ("x:A y:B", "y:B1 x:A", ["S", "R"]),
    ("x:A y:B", "y:BC x:A", ["S", "I"]),
    ("x:A y:B", "y:B1C x:A", ["S", "IR"]),
    ("x:A", "x:A y:B", ["S"]),
    ("x:A y:B", "x:A", ["S"]),
    ("x:AC", "x:A y:B", ["SI"]),
    ("x:AC", "x:A1 y:B", ["SI", "R"]),
    ("x:AC", "x:A y:C", ["S", "I"]),
    ("x:A y:C", "x:AC", ["I", "S"]),
    ("x:A y:C z:D", "x:AC", ["SI", "S"]),
    ("x:A y:C", "x:A z:C", ["S", "I", "S"]),
    ("x:A y:CD", "x:A1 z:CE", ["S", "I", "S", "R"]),
    ("", "x:AB y:", ["S"]),
    ("x:AB y:", "", ["S"]),
  ])
  func `a delta has just the steps that the laws force`(
    source: String, target: String, shape: [String]
  ) throws {
    let delta = try Delta(from: list(source), to: list(target))
    try Simulator.check(delta, from: list(source), to: list(target))
    let letters = delta.steps.map { step in
      (step.hasSectionOperations ? "S" : "") + (step.hasItemOperations ? "I" : "")
        + (step.reload.items.isEmpty && step.reload.sections.isEmpty ? "" : "R")
    }
    #expect(letters == shape)
  }
}
