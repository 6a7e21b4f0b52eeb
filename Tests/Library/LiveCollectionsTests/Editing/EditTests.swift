import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// Edits of collections: they wait their turn, and each is rejected by itself.
@MainActor @Suite struct EditTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  @Test func `a flat list is edited by ids`() {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    let view = SimulatorView(showing: [data])
    data.view = view
    data.prepend(items("D"), completion: hear("prepend"))
    queues.runAll()
    data.insert(items("EF"), at: .after("A"), completion: hear("insert"))
    queues.runAll()
    data.move("C", to: .first, completion: hear("move"))
    queues.runAll()
    data.delete(["A", "F"], completion: hear("remove"))
    queues.runAll()
    data.edit { items throws(EditError) in
      try items.upsert(ListTestSupport.items("E1G"))
      try items.swap("C", "B")
      items.reverse()
    }
    queues.runAll()
    #expect(text(data.items) == "GCE1DB")
    #expect(
      journal.entries
        == ["prepend", "insert", "move", "remove"].map { "\($0) applied by batches" })
    #expect(view.faults == [])
  }

  @Test func `edits that wait together are one update, and those that cannot be are left out`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.append(items("B"), completion: hear("1"))
    data.delete(["Z"], completion: hear("2"))
    data.insert(items("A"), at: .first, completion: hear("3"))
    data.move("B", to: .first, completion: hear("4"))
    queues.runAll()
    #expect(
      journal.entries == [
        "1 merged into 4", "2 rejected: there is no item \"Z\"",
        "3 rejected: there is an item \"A\" already", "4 applied by batches",
      ])
    #expect(view.journal.entries == ["reloadData A", "A | I0.0 | BA"])
  }

  @Test func `sections and items are edited by ids`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = SimulatorView(showing: data)
    data.view = view
    let edits: [() -> Int] = [
      { data.prepend(list("p:P")) },
      { data.insertSections(list("q:"), at: .before("y")) },
      { data.insertItems(items("D"), at: .first(in: "q")) },
      { data.moveItem("A", to: .after("D")) },
      { data.deleteItems(["B"]) },
      { data.moveSection("y", to: .first) },
      { data.deleteSections(["p"]) },
      { data.edit { list throws(EditError) in list.reverseSections() } },
    ]
    for edit in edits {
      _ = edit()
      queues.runAll()
    }
    #expect(text(data.sections) == "q:DA x: y:C")
    #expect(view.faults == [])
    #expect(view.batchCount == edits.count)
  }

  @Test func `equal items are drawn anew when that is asked for`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.reloadItems(["B", "C"], completion: hear("1"))
    queues.runAll()
    data.moveItem("B", to: .last(in: "y"), completion: hear("2"))
    data.reloadItems(["B"], completion: hear("3"))
    queues.runAll()
    data.reloadItems(["Q"], completion: hear("4"))
    data.reloadSections(["y"], completion: hear("5"))
    queues.runAll()
    #expect(
      Array(view.journal.entries.dropFirst()) == [
        "x:AB y:C | R0.1 R1.0 | x:AB y:C",
        "x:AB y:C | M0.1>1.1 | x:A y:CB", "x:A y:CB | R1.1 | x:A y:CB",
        "x:A y:CB | RS1 | x:A y:CB",
      ])
    #expect(journal.entries.last == "5 applied by batches")
  }

  @Test func `a section drawn anew takes the place of its items' reloads`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = SimulatorView(showing: data)
    data.view = view
    data.edit { list throws(EditError) in
      try list.updateItem(items("A1")[0])
      try list.updateItem(items("C1")[0])
      try list.moveItem("B", to: .first(in: "y"))
      try list.reloadSections(["x"])
      try list.reloadItems(["C"])
    }
    queues.runAll()
    #expect(view.faults == [])
    #expect(view.batchCount == 2)
    #expect(text(data.sections) == "x:A1 y:BC1")
  }

  @Test func `a flat item is drawn anew without a view too`() {
    let data = CollectionData(items("AB"), queues: queues.queues)
    data.reload(["A"], completion: hear("1"))
    queues.runAll()
    #expect(journal.entries == ["1 applied by contentOnly"])
  }

  @Test func `empty sections can be left out`() throws {
    let data = CollectionSectionData(list("x:A y:"), queues: queues.queues)
    data.dropsEmptySections = true
    data.deleteItems(["A"])
    queues.runAll()
    #expect(data.isEmpty)
    data.update(list("x: y:B"))
    queues.runAll()
    #expect(text(data.sections) == "y:B")
    try data.updateNow(list("x:A y: z:C"))
    #expect(text(data.sections) == "x:A z:C")
    data.append(list("y: w:D"))
    queues.runAll()
    #expect(text(data.sections) == "x:A z:C w:D")
  }

  @Test func `a delta is calculated as the update would be made, without empty sections`() throws {
    let data = CollectionSectionData(list("x:A"), queues: queues.queues)
    data.dropsEmptySections = true
    let wanted = list("x: y:A z:")
    let expected = try Delta(from: list("x:A"), to: list("y:A"))
    #expect(try data.calculateDelta(wanted) == expected)
    #expect(try data.calculateDelta(data.sections + list("z:")) == .empty)
    data.calculateDelta(wanted) { [journal] in
      journal.note($0 == .success(expected) ? "the same" : "another")
    }
    queues.runAll()
    #expect(journal.entries == ["the same"])
    #expect(try data.updateNow(wanted) == expected)
  }

  @Test func `items and sections are put in or replaced once each`() throws {
    var flat = try EditableItems(items("AB"))
    #expect(throws: EditError.duplicateItem("A")) { try flat.upsert(items("A1A2")) }
    #expect(throws: EditError.duplicateItem("C")) { try flat.upsert(items("CC")) }
    #expect(text(flat.items) == "AB")
    var sections = try EditableSections(list("x:AB"))
    #expect(throws: EditError.duplicateItem("A")) {
      try sections.upsertItems(items("A1A2"), at: .first(in: "x"))
    }
    #expect(text(sections.sections) == "x:AB")
  }

  @Test func `occurrences are counted anew after an edit when they are told apart by counting`() {
    for matching in [OccurrenceMatching.counting, .longestCommonOrder] {
      let data = NonUniqueCollectionData(["a", "b"], matching: matching, queues: queues.queues)
      data.prepend(["a"])
      queues.runAll()
      #expect(data.items.map(\.rawData) == ["a", "a", "b"])
      #expect(data.items.map(\.occurrence) == (matching == .counting ? [1, 2, 1] : [2, 1, 1]))
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `updates with forced reloads and some by the delegate are legal`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var lists = RandomLists(seed: seed)
    let data = CollectionSectionData(lists.version(), queues: queues.queues)
    let view = SimulatorView(showing: data, comparesContents: false)
    let delegate = EveryOther()
    data.view = view
    data.reloadDelegate = delegate
    queues.runAll()
    for _ in 0..<10 {
      let next = lists.edited(data.sections, times: Int.random(in: 0...8, using: &generator))
      data.update(next, completion: hear("update"))
      let items = next.flatMap(\.items).map(\.uniqueID).filter { _ in
        Int.random(in: 0..<4, using: &generator) == 0
      }
      data.reloadItems(items, completion: hear("items"))
      if Bool.random(using: &generator), let section = next.randomElement(using: &generator) {
        data.reloadSections([section.uniqueID], completion: hear("section"))
      }
      queues.runAll()
      #expect(data.sections == next, "seed \(seed)")
    }
    #expect(view.faults == [], "seed \(seed)")
    #expect(!journal.entries.contains { $0.contains("rejected") }, "seed \(seed)")
  }
}

/// Reloads the items at even places itself.
private final class EveryOther: CollectionDataManualReloadDelegate {
  func willHandleReload(at paths: ItemPathPair) -> Bool { paths.target.item.isMultiple(of: 2) }

  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {
    for path in paths { itemCompletion(path) }
  }
}
