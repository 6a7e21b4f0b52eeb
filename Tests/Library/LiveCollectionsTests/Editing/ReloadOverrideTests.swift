import DeltaEngine
import ListTestSupport
import LiveCollections
import Testing

/// What is drawn anew although it is equal, whatever else happens meanwhile.
@MainActor @Suite struct ReloadOverrideTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  @Test func `an update that comes while a reload waits does not take it away`() {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.update(items("ABCD"), completion: hear("1"))
    data.reload(["A", "C"], completion: hear("2"))
    data.update(items("DCB"), completion: hear("3"))
    queues.runAll()
    #expect(
      view.journal.entries == [
        "reloadData ABC", "ABC | D0.0 M0.2>0.1 I0.0 | DCB", "DCB | R0.1 | DCB",
      ])
    #expect(journal.entries == ["1 merged into 3", "2 merged into 3", "3 applied by batches"])
  }

  @Test func `a reload of what is not there is rejected when its turn comes`() {
    let data = CollectionData(items("AB"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.reload(["Q"], completion: hear("1"))
    data.append(items("C"), completion: hear("2"))
    queues.runAll()
    #expect(
      journal.entries == [
        "1 rejected: there is no item \"Q\"", "2 applied by batches",
      ])
    #expect(view.journal.entries.last == "AB | I0.2 | ABC")
  }

  @Test func `however many updates come, a reload that waits is kept`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    data.update(list("x:AB y:CD"), completion: hear("0"))
    while queues.animating.isEmpty { _ = queues.calculation.runOne() || queues.delivery.runOne() }
    data.reloadItems(["B"], completion: hear("1"))
    data.reloadSections(["y"], completion: hear("2"))
    for number in 3...40 { data.update(list("x:AB y:CD"), completion: hear("\(number)")) }
    queues.runAll()
    #expect(view.journal.entries.last == "x:AB y:CD | RS1 R0.1 | x:AB y:CD")
    #expect(journal.entries.count == 41)
    #expect(journal.entries[1...2] == ["1 merged into 41", "2 merged into 41"])
  }

  @Test func `a section drawn anew is told too where sections are reloaded instead of items`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = RecordingView(showing: data)
    let delegate = SectionReloader()
    data.view = view
    data.animationDelegate = delegate
    data.reloadSections(["y"], completion: hear("1"))
    queues.runAll()
    data.update(list("n:N x:AB1 y:C"), completion: hear("2"))
    data.reloadSections(["y"], completion: hear("3"))
    queues.runAll()
    #expect(
      view.journal.entries == [
        "reloadData x:AB y:C", "x:AB y:C | RS1 | x:AB y:C",
        "x:AB y:C | IS0 | n:N x:AB y:C", "n:N x:AB y:C | RS1 RS2 | n:N x:AB1 y:C",
      ])
    #expect(
      journal.entries == [
        "1 applied by sectionReload", "2 merged into 3", "3 applied by sectionReload",
      ])
  }

  @Test func `an item to be reconfigured keeps its cell, unless it is to be reloaded too`() {
    let data = CollectionData(items("ABC"), section: 2, queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.reconfigure(["A", "B"], completion: hear("1"))
    data.edit({ try $0.reload(["B"]) }, completion: hear("2"))
    queues.runAll()
    data.edit({ try $0.reconfigure(["C"]) }, completion: hear("3"))
    data.reconfigure(["Q"], completion: hear("4"))
    queues.runAll()
    #expect(
      view.journal.entries == ["reloadData ABC", "ABC | C2.0 R2.1 | ABC", "ABC | C2.2 | ABC"])
    #expect(journal.entries.last == "4 rejected: there is no item \"Q\"")
  }

  @Test func `a changed item is shown in its cell where the collection says so`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.itemReloadStyle = .reconfigure
    data.update(list("x:A1B1 y:DC1"), completion: hear("1"))
    data.reloadItems(["B"], completion: hear("2"))
    queues.runAll()
    data.itemReloadStyle = .reload
    data.reconfigureItems(["A"], completion: hear("3"))
    data.update(list("x:A2B y:DC2"), completion: hear("4"))
    data.edit({ try $0.reconfigureItems(["C"]) }, completion: hear("5"))
    queues.runAll()
    #expect(
      view.journal.entries == [
        "reloadData x:AB y:C", "x:AB y:C | I1.0 C0.0 R0.1 C1.0 | x:A1B1 y:DC1",
        "x:A1B1 y:DC1 | C0.0 R0.1 C1.1 | x:A2B y:DC2",
      ])
  }

  @Test func `members of one batch keep their own style`() {
    let members = ["A", "B"].enumerated().map {
      CollectionData(items($1), section: $0, queues: queues.queues)
    }
    let view = RecordingView { members.map { text($0.items) }.joined(separator: "/") }
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    for data in members {
      data.view = view
      data.synchronizer = synchronizer
    }
    members[1].itemReloadStyle = .reconfigure
    queues.runAll()
    members[0].update(items("A1"))
    members[1].update(items("B1"))
    queues.runAll()
    #expect(view.journal.entries.last == "A/B | R0.0 C1.0 | A1/B1")
  }
}

private final class SectionReloader: CollectionSectionDataAnimationDelegate {
  func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle { .reloadSections }
}
