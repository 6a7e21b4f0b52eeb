import DeltaEngine
import Foundation
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// Sections with an outline in each, against a model that is a list of lists.
@MainActor @Suite struct SectionedOutlineTests {
  private typealias Outline = SectionedOutline<Item, Item>

  private func rows(_ outline: Outline) -> String {
    outline.visibleSections.map { section in
      "\(section.uniqueID):"
        + section.items.map { "\($0.item)\($0.level)\($0.isExpanded ? "-" : "")" }.joined()
    }.joined(separator: " ")
  }

  /// x: A over B and C, C over D; y: E.
  private func sample() throws -> Outline {
    var outline = Outline()
    try outline.insertSections(items("xy"))
    try outline.edit("x") { list throws(EditError) in
      try list.append(items("A"))
      try list.append(items("BC"), to: "A")
      try list.append(items("D"), to: "C")
      try list.expand(["A", "C"])
    }
    try outline.edit("y") { list throws(EditError) in try list.append(items("E")) }
    return outline
  }

  @Test func `each section has an outline of its own`() throws {
    var outline = try sample()
    #expect(rows(outline) == "x:A0-B1C1-D2 y:E0")
    #expect(text(try outline.outline(of: "x").rootItems) == "A")
    #expect(text(try outline.outline(of: "x").visibleItems) == "ABCD")
    try outline.insertSections(items("z"), at: .before("y"))
    try outline.moveSection("x", to: .last)
    try outline.updateSection(items("y1")[0])
    #expect(rows(outline) == "z: y:E0 x:A0-B1C1-D2")
    #expect(outline.sections.map(\.revision) == [0, 1, 0])
    try outline.deleteSections(["x"])
    #expect(rows(outline) == "z: y:E0")
    #expect(outline.section(containing: "D") == nil)
  }

  @Test func `what is shown has places, also the last of it`() throws {
    var outline = try sample()
    #expect(outline.indexPath(for: "D") == IndexPath(indexes: [0, 3]))
    #expect(outline.itemIdentifier(for: IndexPath(indexes: [0, 3])) == "D")
    #expect(outline.itemIdentifier(for: IndexPath(indexes: [1, 1])) == nil)
    #expect(outline.itemIdentifier(for: IndexPath(indexes: [2, 0])) == nil)
    #expect(outline.lastIndexPath == IndexPath(indexes: [1, 0]))
    try outline.edit("y") { list throws(EditError) in try list.delete(["E"]) }
    #expect(outline.lastIndexPath == IndexPath(indexes: [0, 3]))
    try outline.edit("x") { list throws(EditError) in try list.collapse(["A"]) }
    #expect(outline.indexPath(for: "D") == nil && !outline.isVisible("D"))
    #expect(outline.lastIndexPath == IndexPath(indexes: [0, 0]))
    outline = Outline()
    #expect(outline.lastIndexPath == nil)
  }

  @Test func `a branch that changes its section stays expanded`() throws {
    var outline = try sample()
    try outline.move("C", to: .first, under: "E", in: "y")
    #expect(rows(outline) == "x:A0-B1 y:E0")
    try outline.edit("y") { list throws(EditError) in try list.expand(["E"]) }
    #expect(rows(outline) == "x:A0-B1 y:E0-C1-D2")
    try outline.move("E", to: .before("A"), in: "x")
    #expect(rows(outline) == "x:E0-C1-D2A0-B1 y:")
  }

  @Test func `what cannot be is refused and nothing is changed`() throws {
    var outline = try sample()
    #expect(throws: EditError.duplicateSection("x")) { try outline.insertSections(items("zx")) }
    #expect(throws: EditError.unknownSection("q")) { try outline.deleteSections(["x", "q"]) }
    #expect(throws: EditError.unknownSection("q")) { try outline.moveSection("q", to: .first) }
    #expect(throws: EditError.unknownSection("q")) { try outline.updateSection(items("q")[0]) }
    #expect(throws: EditError.unknownSection("q")) { try outline.edit("q") { _ in } }
    #expect(throws: EditError.duplicateItem("D")) {
      try outline.edit("y") { list throws(EditError) in try list.append(items("FD")) }
    }
    #expect(throws: EditError.unknownItem("Q")) { try outline.move("Q", to: .last, in: "y") }
    #expect(throws: EditError.unknownItem("B")) {
      try outline.move("C", to: .last, under: "B", in: "y")
    }
    #expect(throws: EditError.intoItself("A")) {
      try outline.move("A", to: .last, under: "D", in: "x")
    }
    #expect(rows(outline) == "x:A0-B1C1-D2 y:E0")
  }

  /// A row of the model: a list with levels in place of a tree.
  private struct Row {
    var id: String
    var level: Int
    var isExpanded = false
  }

  private typealias Model = [(section: String, rows: [Row])]

  /// The row and all below it.
  private func branch(_ rows: [Row], _ index: Int) -> Range<Int> {
    let end = rows[(index + 1)...].firstIndex { $0.level <= rows[index].level }
    return index..<(end ?? rows.count)
  }

  private func shown(_ model: Model) -> String {
    model.map { section, rows in
      var text = ""
      var hidden = Int.max
      for (index, row) in rows.enumerated() {
        if row.level > hidden { continue }
        let isOpen = row.isExpanded && branch(rows, index).count > 1
        hidden = isOpen ? Int.max : row.level
        text += "\(row.id)\(row.level)\(isOpen ? "-" : "")"
      }
      return "\(section):\(text)"
    }.joined(separator: " ")
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `random edits are shown legally, as a slow model has them`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var (outline, model) = (Outline(), Model())
    for section in ["x", "y", "z"] {
      try outline.insertSections(items(section))
      model.append((section, []))
    }
    let queues = ManualQueues()
    let data = CollectionSectionData(outline.visibleSections, queues: queues.queues)
    let view = SimulatorView(showing: data)
    data.view = view
    var count = 0
    for _ in 0..<60 {
      let section = Int.random(in: 0..<model.count, using: &generator)
      let name = model[section].section
      let index = model[section].rows.indices.randomElement(using: &generator)
      let id = index.map { model[section].rows[$0].id }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...2:  // As the last child of a row, or the last root.
        count += 1
        let new = "N\(count)."
        try outline.edit(name) { list throws(EditError) in
          try list.append([Item(id: new)], to: id)
        }
        let level = index.map { model[section].rows[$0].level + 1 } ?? 0
        let place = index.map { branch(model[section].rows, $0).upperBound }
        model[section].rows.insert(
          Row(id: new, level: level), at: place ?? model[section].rows.count)
      case 3:
        guard let id, let index else { continue }
        try outline.edit(name) { list throws(EditError) in try list.delete([id]) }
        model[section].rows.removeSubrange(branch(model[section].rows, index))
      case 4, 5:
        guard let id, let index else { continue }
        let expands = Bool.random(using: &generator)
        try outline.edit(name) { list throws(EditError) in
          if expands { try list.expand([id]) } else { try list.collapse([id]) }
        }
        model[section].rows[index].isExpanded = expands
      case 6:  // To the start of any section.
        guard let id, let index else { continue }
        let target = Int.random(in: 0..<model.count, using: &generator)
        try outline.move(id, to: .first, in: model[target].section)
        let moved = Array(model[section].rows[branch(model[section].rows, index)])
        model[section].rows.removeSubrange(branch(model[section].rows, index))
        model[target].rows.insert(
          contentsOf: moved.map {
            Row(id: $0.id, level: $0.level - moved[0].level, isExpanded: $0.isExpanded)
          }, at: 0)
      default:
        try outline.moveSection(name, to: .first)
        model.insert(model.remove(at: section), at: 0)
      }
      data.update(outline.visibleSections)
      queues.runAll()
      #expect(rows(outline) == shown(model), "seed \(seed)")
      #expect(data.lastIndexPath == outline.lastIndexPath, "seed \(seed)")
    }
    #expect(view.faults == [], "seed \(seed)")
  }
}
