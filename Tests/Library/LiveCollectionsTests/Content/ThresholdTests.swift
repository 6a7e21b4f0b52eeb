import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// Thresholds and styles: whatever is decided, the view is told.
@MainActor @Suite struct ThresholdTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  @Test(arguments: [
    (3, "sectionReload", "AB | RS0 | ABCD"), (4, "batches", "AB | I0.2 I0.3 | ABCD"),
  ])
  func `more items than the threshold reload the section`(
    threshold: Int, presentation: String, line: String
  ) {
    let data = CollectionData(items("AB"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.dataCountAnimationThreshold = threshold
    data.update(items("ABCD"), completion: hear("u"))
    queues.runAll()
    #expect(journal.entries == ["u applied by \(presentation)"])
    #expect(view.journal.entries.last == line)
  }

  @Test func `an update at once keeps to the thresholds too`() throws {
    let data = CollectionSectionData(list("x:AB"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.dataCountAnimationThreshold = 2
    try data.updateNow(list("x:ABC"))
    queues.runAll()
    #expect(view.journal.entries == ["reloadData x:AB", "reloadData x:ABC"])
  }

  @Test func `appended items are shown whatever their number`() {
    let data = CollectionData(items("AB"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.dataCountAnimationThreshold = 1
    data.append(items("CD"))
    queues.runAll()
    #expect(view.journal.entries.last == "AB | I0.2 I0.3 | ABCD")
    data.append(items("EF"))
    data.update(items("G"))
    queues.runAll()
    #expect(view.journal.entries.last == "ABCD | RS0 | G")
  }

  @Test func `a delta is calculated whatever the thresholds, and nothing appended is nothing`()
    throws
  {
    let data = CollectionData(items("AB"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.dataCountAnimationThreshold = 0
    data.deltaCountAnimationThreshold = 0
    #expect(try data.calculateDelta(items("ABC")).changeCount == 1)
    #expect(try data.calculateDelta(items("C")).changeCount == 3)
    #expect(try data.calculateDelta(data.items).isEmpty)
    data.append([], completion: hear("a"))
    queues.runAll()
    #expect(journal.entries == ["a applied by nothing"])
    #expect(view.journal.entries == ["reloadData AB"])
  }

  @Test(arguments: [(2, "sectionReload"), (3, "batches")])
  func `more changes than the threshold reload the section`(
    threshold: Int, presentation: String
  ) {
    let data = CollectionData(items("AB"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.deltaCountAnimationThreshold = threshold
    data.update(items("A1CD"), completion: hear("u"))
    data.update(items("AEF"), completion: hear("v"))
    queues.runAll()
    #expect(journal.entries == ["u merged into 2", "v applied by \(presentation)"])
  }

  @Test(arguments: [
    (2, 100, "fullReload"), (3, 100, "batches"), (100, 0, "fullReload"), (100, 1, "batches"),
  ])
  func `a collection with sections reloads everything past a threshold`(
    items: Int, changes: Int, presentation: String
  ) {
    let data = CollectionSectionData(list("x:AB y:"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.dataCountAnimationThreshold = items
    data.deltaCountAnimationThreshold = changes
    data.update(list("x:AB y:C"), completion: hear("u"))
    queues.runAll()
    #expect(journal.entries == ["u applied by \(presentation)"])
    #expect(text(data.sections) == "x:AB y:C")
    #expect(view.journal.entries.count == 2)
  }

  @Test func `an unchanged content counts no changes`() {
    let data = CollectionSectionData(list("x:ABC"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.deltaCountAnimationThreshold = 0
    data.update(list("x:ABC"), completion: hear("u"))
    queues.runAll()
    #expect(journal.entries == ["u applied by nothing"])
  }

  @Test(arguments: [
    (AnimationStyle.reloadData, AnimationStyle.preciseAnimations, ["reloadData y:CA z:D"]),
    (.preciseAnimations, .reloadData, ["reloadData y:CA z:D"]),
    (
      .preciseAnimations, .reloadSections,
      ["x:AB y:C | DS0 IS1 | y:C z:D", "y:C z:D | RS0 | y:CA z:D"]
    ),
    (
      .reloadSections, .preciseAnimations,
      [
        "x:AB y:C | M0.0>1.1 IS2 | x:B y:CA z:D",
        "x:B y:CA z:D | DS0 | y:CA z:D",
      ]
    ),
  ])
  func `the delegate decides how an update is shown`(
    sections: AnimationStyle, items: AnimationStyle, lines: [String]
  ) {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = RecordingView(showing: data)
    let delegate = StyleDelegate(sections: sections, items: items)
    data.view = view
    data.animationDelegate = delegate
    data.update(list("y:CA z:D"))
    queues.runAll()
    #expect(Array(view.journal.entries.dropFirst()) == lines)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `reloading the changed sections is always legal`(seed: UInt64) {
    var lists = RandomLists(seed: seed)
    let data = CollectionSectionData(lists.version(), queues: queues.queues)
    let view = SimulatorView(showing: data)
    let delegate = StyleDelegate(sections: .preciseAnimations, items: .reloadSections)
    data.view = view
    data.animationDelegate = delegate
    for _ in 0..<5 {
      data.update(lists.edited(data.sections, times: 6))
      queues.runAll()
    }
    #expect(view.faults == [], "seed \(seed)")
  }
}

private final class StyleDelegate: CollectionSectionDataAnimationDelegate {
  let sections: AnimationStyle
  let items: AnimationStyle

  init(sections: AnimationStyle, items: AnimationStyle) {
    self.sections = sections
    self.items = items
  }

  func preferredSectionAnimationStyle(for delta: Delta) -> AnimationStyle { sections }
  func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle { items }
}
