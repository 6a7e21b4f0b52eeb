import ListTestSupport
import LiveCollections
import TestSupport
import Testing

/// Edits by id: strict, and all or nothing.
@Suite struct EditableSectionsTests {
  typealias Editable = EditableSections<Section>

  private func edited(
    _ source: String, _ edit: (inout Editable) throws(EditError) -> Void
  ) throws(EditError) -> String {
    var list = try Editable(list(source))
    try edit(&list)
    return text(list.sections)
  }

  private func refusal(
    _ source: String, _ edit: (inout Editable) throws(EditError) -> Void
  ) -> EditError? {
    do {
      var list = try Editable(list(source))
      do {
        try edit(&list)
        return nil
      } catch {
        #expect(text(list.sections) == source)
        return error
      }
    } catch {
      return error
    }
  }

  @Test func `sections are inserted, moved, turned around, replaced and taken away`() throws {
    let result = try edited("x:A y:B") { list throws(EditError) in
      try list.insertSections(ListTestSupport.list("z:C w:"), at: .first)
      try list.insertSections(ListTestSupport.list("v:D"), at: .after("x"))
      try list.moveSection("y", to: .before("w"))
      try list.moveSection("z", to: .at(4))
      list.reverseSections()
      try list.updateSection(ListTestSupport.list("v1:ED")[0])
      try list.deleteSections(["w"])
    }
    #expect(result == "z:C v1:ED x:A y:B")
  }

  @Test func `items are inserted, moved, exchanged, updated and taken away`() throws {
    let result = try edited("x:AB y:C z:") { list throws(EditError) in
      try list.insertItems(items("DE"), at: .before("B"))
      try list.insertItems(items("F"), at: .at(1, in: "y"))
      try list.appendItems(items("G"))
      try list.moveItem("A", to: .after("C"))
      try list.moveItem("B", to: .first(in: "x"))
      try list.swapItems("D", "G")
      try list.updateItem(items("F1")[0])
      try list.upsertItems(items("E1H"), at: .last(in: "z"))
      try list.deleteItems(["C"])
      try list.reverseItems(inSection: "x")
    }
    #expect(result == "x:E1GB y:AF1 z:DH")
  }

  @Test func `a section's items are replaced, its own among them`() throws {
    #expect(
      try edited("x:AB y:C") { list throws(EditError) in
        try list.replaceItems(items("BD"), inSection: "x")
      } == "x:BD y:C")
  }

  @Test func `an item can be moved to the end of its own section`() throws {
    #expect(
      try edited("x:ABC") { list throws(EditError) in
        try list.moveItem("A", to: .last(in: "x"))
        try list.moveItem("C", to: .at(0, in: "x"))
      } == "x:CBA")
  }

  @Test func `what is not there is named, and nothing is changed`() {
    let source = "x:AB y:C"
    #expect(
      refusal(source) { e throws(EditError) in try e.deleteItems(["A", "Z"]) }
        == .unknownItem("Z"))
    #expect(
      refusal(source) { e throws(EditError) in try e.moveItem("A", to: .after("A")) }
        == .unknownItem("A"))
    #expect(
      refusal(source) { e throws(EditError) in try e.moveItem("A", to: .at(3, in: "y")) }
        == .indexOutOfRange(3, max: 1))
    #expect(
      refusal(source) { e throws(EditError) in try e.moveSection("q", to: .last) }
        == .unknownSection("q"))
    #expect(
      refusal(source) { e throws(EditError) in try e.moveSection("x", to: .before("x")) }
        == .unknownSection("x"))
    #expect(
      refusal(source) { e throws(EditError) in try e.deleteSections(["x", "q"]) }
        == .unknownSection("q"))
    #expect(
      refusal(source) { e throws(EditError) in try e.reloadItems(["Q"]) }
        == .unknownItem("Q"))
    #expect(
      refusal("") { e throws(EditError) in try e.appendItems(items("A")) }
        == .indexOutOfRange(0, max: -1))
  }

  @Test func `what is there already is named, and nothing is changed`() {
    let source = "x:AB y:C"
    #expect(
      refusal(source) { e throws(EditError) in
        try e.insertItems(items("DC"), at: .first(in: "x"))
      } == .duplicateItem("C"))
    #expect(
      refusal(source) { e throws(EditError) in
        try e.insertItems(items("DD"), at: .first(in: "x"))
      } == .duplicateItem("D"))
    #expect(
      refusal(source) { e throws(EditError) in
        try e.insertSections(list("z: x:"), at: .last)
      } == .duplicateSection("x"))
    #expect(
      refusal(source) { e throws(EditError) in
        try e.insertSections(list("z:A"), at: .last)
      } == .duplicateItem("A"))
    #expect(
      refusal(source) { e throws(EditError) in
        try e.replaceItems(items("C"), inSection: "x")
      } == .duplicateItem("C"))
    #expect(
      refusal(source) { e throws(EditError) in
        try e.updateSection(list("x:AC")[0])
      } == .duplicateItem("C"))
    #expect(throws: EditError.duplicateItem("A")) { try Editable(list("x:A y:A")) }
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `whatever is edited, every item is where the list says`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var edited = try Editable()
    for _ in 0..<300 {
      let before = edited.sections
      do {
        try randomEdit(&edited, &generator)
      } catch {
        #expect(edited.sections == before, "seed \(seed): \(error)")
      }
      let all = edited.sections.flatMap(\.items).map(\.uniqueID)
      #expect(Set(all).count == all.count, "seed \(seed)")
      #expect(edited.itemCount == all.count, "seed \(seed)")
      for (index, section) in edited.sections.enumerated() {
        #expect(edited.sectionIndex(of: section.uniqueID) == index, "seed \(seed)")
        for (place, item) in section.items.enumerated() {
          let found = edited.place(ofItem: item.uniqueID)
          #expect(found?.section == index && found?.item == place, "seed \(seed)")
        }
      }
    }
  }

  private func randomEdit(
    _ list: inout Editable, _ generator: inout SeededGenerator
  ) throws(EditError) {
    let item = "i\(Int.random(in: 0..<12, using: &generator))"
    let other = "i\(Int.random(in: 0..<12, using: &generator))"
    let section = "s\(Int.random(in: 0..<4, using: &generator))"
    let places: [ItemPosition<String, String>] = [
      .first(in: section), .last(in: section), .at(1, in: section), .before(other), .after(other),
    ]
    let place = places[Int.random(in: 0..<5, using: &generator)]
    switch Int.random(in: 0..<12, using: &generator) {
    case 0:
      try list.insertSections(
        [Section(id: section, items: [Item(id: item)])], at: .first)
    case 1: try list.deleteSections([section])
    case 2: try list.moveSection(section, to: .last)
    case 3:
      try list.updateSection(
        Section(id: section, items: [Item(id: item), Item(id: other)]))
    case 4: try list.replaceItems([Item(id: item)], inSection: section)
    case 5...6: try list.insertItems([Item(id: item), Item(id: other)], at: place)
    case 7: try list.deleteItems([item, other])
    case 8: try list.moveItem(item, to: place)
    case 9: try list.swapItems(item, other)
    case 10: try list.upsertItems([Item(id: item, revision: 1)], at: place)
    default: try list.reverseItems(inSection: section)
    }
  }
}
