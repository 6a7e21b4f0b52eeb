import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// A section whose header alone changed, in views that can show a header again, and in others.
@MainActor @Suite struct HeaderTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  private func batches(
    _ source: String, _ target: String, updatesHeaders: Bool = true,
    _ change: (CollectionSectionData<Section>) -> Void = { _ in }
  ) -> [String] {
    let data = CollectionSectionData(list(source), queues: queues.queues)
    let view = RecordingView(
      showing: data, animating: queues.animating.queue, updatesHeaders: updatesHeaders)
    data.view = view
    queues.runAll()
    data.update(list(target))
    change(data)
    queues.runAll()
    return Array(view.journal.entries.dropFirst())
  }

  @Test func `a header that changes is shown again alone, where the view can`() {
    #expect(batches("x:ABC", "x1:ABC") == ["x:ABC | HS0 | x1:ABC"])
    #expect(
      batches("x:ABC", "x1:ABC", updatesHeaders: false) == ["x:ABC | RS0 | x1:ABC"])
  }

  @Test func `it changes with what comes and goes, whose cells are kept`() {
    #expect(batches("x:AB y:C", "x1:ABD y:C") == ["x:AB y:C | I0.2 HS0 | x1:ABD y:C"])
    #expect(
      batches("x:A y:C", "n:N y1:CA") == [
        "x:A y:C | M0.0>2.1 IS1 | x: n:N y:CA", "x: n:N y:CA | DS0 HS1 | n:N y1:CA",
      ])
  }

  @Test func `changed items of the section are reloaded one by one`() {
    #expect(batches("x:AB y:C", "x1:A1B y:C1") == ["x:AB y:C | HS0 R0.0 R1.0 | x1:A1B y:C1"])
    #expect(
      batches("x:AB", "x1:A1BC") == ["x:AB | I0.2 HS0 | x1:ABC", "x1:ABC | R0.0 | x1:A1BC"])
  }

  @Test func `a section that is reloaded on request is not named twice`() {
    #expect(
      batches("x:A y:C", "x1:A y1:C") { $0.reloadSections(["x"]) } == [
        "x:A y:C | RS0 HS1 | x1:A y1:C"
      ])
  }

  @Test(arguments: [31, 32] as [UInt64])
  func `random versions are shown legally, without a section reload`(seed: UInt64) {
    var lists = RandomLists(seed: seed)
    for round in 0..<rounds(3_000) {
      let (source, target) = lists.pair()
      let data = CollectionSectionData(source, queues: queues.queues)
      let (view, notes) = (SimulatorView(showing: data), Journal<DeltaStep>())
      view.updatesHeaders = true
      let delegate = StepView(view, notes)
      data.view = delegate
      queues.runAll()
      data.update(target)
      queues.runAll()
      #expect(view.faults == [], "seed \(seed), round \(round): \(source) → \(target)")
      #expect(view.structure?.sections.count == target.count)
      #expect(data.sections == target)
      #expect(!notes.entries.contains { !$0.reload.sections.isEmpty })
      #expect(notes.entries.reduce(0) { $0 + $1.headers.count } == changedHeaders(source, target))
    }
  }

  private func changedHeaders(_ source: [Section], _ target: [Section]) -> Int {
    target.count { new in
      source.contains { $0.id == new.id && $0.revision != new.revision }
    }
  }
}

/// A view that notes what another one is told.
private final class StepView: SectionDeltaUpdatableView {
  private let view: SimulatorView
  private let notes: Journal<DeltaStep>

  init(_ view: SimulatorView, _ notes: Journal<DeltaStep>) {
    (self.view, self.notes) = (view, notes)
  }

  var canPerformBatches: Bool { view.canPerformBatches }
  var updatesHeaders: Bool { view.updatesHeaders }
  var sectionCount: Int { view.sectionCount }
  func reloadData() { view.reloadData() }
  func perform(_ batch: UpdateBatch, completion: @escaping @Sendable (Bool) -> Void) {
    notes.note(batch.step)
    view.perform(batch, completion: completion)
  }
}
