import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// The defects of the original library, by their numbers: what ours does instead.
@MainActor @Suite struct ReferenceDefectTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  private func sectioned(
    _ content: String
  ) -> (data: CollectionSectionData<Section>, view: SimulatorView) {
    let data = CollectionSectionData(list(content), queues: queues.queues)
    let view = SimulatorView(showing: data, animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    return (data, view)
  }

  private func flat(_ content: String) -> (data: CollectionData<Item>, view: SimulatorView) {
    let data = CollectionData(items(content), queues: queues.queues)
    let view = SimulatorView(showing: [data], animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    return (data, view)
  }

  @Test func `B1: over the data threshold the view is told`() {
    let (data, view) = flat("ABC")
    data.dataCountAnimationThreshold = 3
    data.update(items("ABCD"))
    queues.runAll()
    #expect(view.structure?.sections[0].items.count == 4)
    data.dataCountAnimationThreshold = 10
    data.update(items("AB"))
    queues.runAll()
    #expect(view.faults == [])
  }

  @Test(arguments: ["ABB", "BAAC"])
  func `B2: a duplicate is refused though the counts balance`(target: String) {
    let (data, view) = flat("ABC")
    data.update(items(target), completion: hear("u"))
    queues.runAll()
    #expect(journal.entries.first?.hasPrefix("u rejected: target item id") == true)
    #expect(text(data.items) == "ABC")
    #expect(view.batchCount == 0)
  }

  @Test func `B2: a duplicate across sections is refused too`() {
    let (data, _) = sectioned("x:AB")
    data.update(list("x:AB y:B"), completion: hear("u"))
    queues.runAll()
    #expect(
      journal.entries == [
        "u rejected: target item id \"B\" occurs at [0, 1] and again at [1, 0]"
      ])
  }

  @Test func `B3: section ids that stand twice are refused, one caller at a time`() {
    let (data, view) = sectioned("x:A")
    data.update(list("x:A y:B"), completion: hear("1"))
    data.append(list("y:C"), completion: hear("2"))
    data.append(list("z:C z:D"), completion: hear("3"))
    data.append(list("z:D"), completion: hear("4"))
    queues.runAll()
    #expect(
      journal.entries == [
        "1 merged into 4", "2 rejected: target section id \"y\" occurs at [1] and again at [2]",
        "3 rejected: target section id \"z\" occurs at [2] and again at [3]",
        "4 applied by batches",
      ])
    #expect(text(data.sections) == "x:A y:B z:D")
    #expect(view.faults == [])
  }

  @Test func `B6: every caller hears, those whose updates were merged away too`() {
    let (data, _) = flat("A")
    data.update(items("AB"), completion: hear("u1"))
    queues.calculation.runAll()
    data.update(items("B"), completion: hear("u2"))
    data.update(items("C"), completion: hear("u3"))
    data.append(items("D"), completion: hear("a1"))
    data.append(items("E"), completion: hear("a2"))
    queues.runAll()
    #expect(
      journal.entries.map { $0.prefix { $0 != " " } } == ["u1", "u2", "u3", "a1", "a2"])
  }

  @Test func `B8: what moves into a new section, or out of one that goes, is not deleted`() {
    let (data, view) = sectioned("x:AB y:C")
    let delegate = Deletions()
    data.deletionDelegate = delegate
    data.update(list("y: n:AC"))
    queues.runAll()
    #expect(delegate.journal.entries == ["B"])
    #expect(view.faults == [])
  }

  @Test func `B9: over the data threshold deletions are told too`() {
    let (data, _) = sectioned("x:AB")
    let delegate = Deletions()
    data.deletionDelegate = delegate
    data.dataCountAnimationThreshold = 0
    data.update(list("x:B"))
    queues.runAll()
    #expect(delegate.journal.entries == ["A"])
  }

  @Test func `B10: what does not move does not count as a change`() {
    let (data, view) = sectioned("x:ABC")
    data.deltaCountAnimationThreshold = 1
    data.update(list("x:ABCD"), completion: hear("u"))
    queues.runAll()
    #expect(journal.entries == ["u applied by batches"])
    #expect(view.reloadCount == 1)
  }

  @Test func `B12: a changed occurrence is a reload, and appended ones have their own numbers`() {
    struct Word: NonUniquelyIdentifiable, Sendable {
      var nonUniqueID: String
      var isLoud = false
    }
    let data = NonUniqueCollectionData(
      [Word(nonUniqueID: "a"), Word(nonUniqueID: "b")], queues: queues.queues)
    data.update([Word(nonUniqueID: "a", isLoud: true), Word(nonUniqueID: "b")]) { [journal] in
      guard case .applied(let update) = $0, let delta = update.delta else { return }
      journal.note(delta.steps.map(notation).joined())
    }
    data.append([Word(nonUniqueID: "a")], completion: hear("a"))
    queues.runAll()
    #expect(data.items.map { "\($0.uniqueID)" } == ["a", "b", "a#2"])
    data.append([Word(nonUniqueID: "a")], completion: hear("b"))
    queues.runAll()
    #expect(data.items.map { "\($0.uniqueID)" } == ["a", "b", "a#2", "a#3"])
  }

  @Test func `B13: an update without a view waits its turn behind one that is under way`() throws {
    var kept: SimulatorView?
    let (data, view) = flat("A")
    kept = view
    data.update(items("AB"), completion: hear("1"))
    queues.calculation.runAll()
    data.view = nil
    data.update(items("C"), completion: hear("2"))
    try data.updateNow(items("D"))
    queues.runAll()
    #expect(text(data.items) == "D")
    #expect(journal.entries.count == 2)
    #expect(kept?.batchCount == 0)
  }

  @Test func `B16: appended ids are checked, and from an empty list all come in one batch`() {
    let (data, view) = flat("")
    data.append(items("AB"), completion: hear("1"))
    queues.runAll()
    data.append(items("BC"), completion: hear("2"))
    queues.runAll()
    data.append([], completion: hear("3"))
    queues.runAll()
    #expect(text(data.items) == "AB")
    #expect(view.batchCount == 1)
    #expect(
      journal.entries == [
        "1 applied by batches",
        "2 rejected: target item id \"B\" occurs at [0, 1] and again at [0, 2]",
        "3 applied by nothing",
      ])
  }

  @Test func `an update to the empty list is calculating too`() {
    let (data, _) = flat("AB")
    data.update([])
    #expect(data.isCalculating)
    queues.runAll()
    #expect(!data.isCalculating && data.isEmpty)
  }

  @Test func `a burst begins once and ends once, after the view has shown the last`() {
    let (data, _) = flat("A")
    let delegate = Calculations(journal)
    data.calculationDelegate = delegate
    for content in ["B", "C", "D"] { data.update(items(content), completion: hear(content)) }
    queues.calculation.runOne()
    data.update(items("E"), completion: hear("E"))
    queues.runAll()
    #expect(journal.entries.first == "begin")
    #expect(journal.entries.last == "end")
    #expect(journal.entries.count == 6)
  }
}

private final class Deletions: CollectionDataDeletionNotificationDelegate {
  let journal = Journal<String>()

  func didDeleteItems(_ items: [Item]) { journal.note(text(items)) }
}

private final class Calculations: CollectionDataCalculationNotificationDelegate {
  let journal: Journal<String>

  init(_ journal: Journal<String>) { self.journal = journal }

  func collectionDataDidBeginCalculating() { journal.note("begin") }
  func collectionDataDidEndCalculating() { journal.note("end") }
}
