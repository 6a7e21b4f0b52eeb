import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// What a view is told, and what its data source answers meanwhile.
@MainActor @Suite struct ViewTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  /// A collection that one view shows, and another view to be set.
  private func shownTwice(_ source: String) -> (
    data: CollectionData<Item>, first: RecordingView, second: RecordingView
  ) {
    let data = CollectionData(items(source), queues: queues.queues)
    let first = RecordingView(showing: data, animating: queues.animating.queue)
    data.view = first
    queues.runAll()
    return (data, first, RecordingView(showing: data))
  }

  private func lead(_ source: String, to target: String) -> [String] {
    let data = CollectionSectionData(list(source), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    data.update(list(target), completion: hear("u"))
    queues.runAll()
    return Array(view.journal.entries.dropFirst())
  }

  @Test func `B5: each batch finds the content before it and leaves the one after it`() {
    #expect(
      lead("x:AB y:CD z:E", to: "z:E y:CD1A n:FB") == [
        "x:AB y:CD z:E | MS2>1 IS3 | x:AB z:E y:CD n:F",
        "x:AB z:E y:CD n:F | M0.0>2.2 M0.1>3.1 | x: z:E y:CDA n:FB",
        "x: z:E y:CDA n:FB | DS0 | z:E y:CDA n:FB",
        "z:E y:CDA n:FB | R1.1 | z:E y:CD1A n:FB",
      ])
    #expect(journal.entries == ["u applied by batches"])
  }

  @Test func `until its batch a changed item shows what it did`() {
    let data = CollectionData(items("ABC"), section: 2, queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    data.update(items("CA1B"))
    queues.runAll()
    #expect(
      view.journal.entries == [
        "reloadData ABC", "ABC | M2.2>2.0 | CAB", "CAB | R2.1 | CA1B",
      ])
  }

  @Test func `between batches, an update that waits changes nothing`() {
    let data = CollectionData(items("AB"), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    data.update(items("B1A"))
    data.calculationDelegate = nil
    while queues.animating.isEmpty { _ = queues.calculation.runOne() || queues.delivery.runOne() }
    #expect(text(data.items) == "BA")
    data.update(items("C"))
    queues.calculation.runAll()
    queues.delivery.runAll()
    #expect(text(data.items) == "BA")
    queues.runAll()
    #expect(text(data.items) == "C")
  }

  @Test func `a view that cannot show batches is reloaded, after the content has changed`() {
    let data = CollectionSectionData(list("x:A"), queues: queues.queues)
    let view = RecordingView(showing: data)
    view.canPerformBatches = false
    data.view = view
    data.update(list("x:B"), completion: hear("u"))
    queues.runAll()
    #expect(view.journal.entries == ["reloadData x:A", "reloadData x:B"])
    #expect(journal.entries == ["u applied by fullReload"])
  }

  @Test func `after an interrupted batch the rest is a reload`() {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    let view = RecordingView(showing: data)
    view.isFinished = false
    data.view = view
    data.update(items("CA1B"), completion: hear("u"))
    queues.runAll()
    #expect(
      view.journal.entries == ["reloadData ABC", "ABC | M0.2>0.0 | CAB", "reloadData CA1B"])
    data.update(items("CA1"), completion: hear("v"))
    queues.runAll()
    #expect(view.journal.entries.last == "CA1B | D0.2 | CA1")
    #expect(journal.entries == ["u applied by fullReload", "v applied by batches"])
  }

  @Test func `a view that goes away changes nothing for those who wait`() {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    do {
      let view = RecordingView(showing: data)
      data.view = view
      queues.runAll()
      data.update(items("C"), completion: hear("u"))
    }
    queues.runAll()
    #expect(data.view == nil)
    #expect(journal.entries == ["u applied by contentOnly"])
    #expect(text(data.items) == "C")
  }

  @Test func `a view that comes while another is led shows the end of it`() {
    let (data, first, second) = shownTwice("ABC")
    data.update(items("CA1B"), completion: hear("u"))
    while queues.animating.isEmpty { _ = queues.calculation.runOne() || queues.delivery.runOne() }
    data.view = second
    queues.runAll()
    #expect(first.journal.entries.count == 3)
    #expect(second.journal.entries == ["reloadData CAB", "reloadData CA1B"])
    data.update(items("C"), completion: hear("v"))
    queues.runAll()
    #expect(second.journal.entries.last == "CA1B | D0.1 D0.2 | C")
  }

  @Test func `a view that comes while another is led is right after each batch`() {
    let (data, first, second) = shownTwice("ABCDEFGH")
    data.update(items("H1A"), completion: hear("u"))
    queues.calculation.runAll()
    queues.delivery.runOne()
    data.view = second
    var shown: [String?] = []
    while queues.delivery.runOne() || queues.animating.runOne() {
      if !second.journal.entries.isEmpty { shown.append(second.journal.entries.last) }
      if let last = shown.last { #expect(last == "reloadData \(text(data.items))") }
    }
    #expect(second.journal.entries == ["reloadData HA", "reloadData H1A"])
    #expect(first.journal.entries.count == 3)
    #expect(journal.entries == ["u applied by batches"])
  }

  @Test func `a view that comes during a synchronizer's delay shows what the batch led to`() {
    let clock = ManualTimer()
    let data = CollectionData(items("AB"), queues: queues.queues)
    let first = RecordingView(showing: data, animating: queues.animating.queue)
    let second = RecordingView(showing: data)
    data.view = first
    data.synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    queues.runAll()
    data.update(items("B"), completion: hear("u"))
    queues.runAll()
    data.view = second
    queues.runAll()
    clock.advance(by: .milliseconds(10))
    while queues.delivery.runOne() {}
    #expect(journal.entries == [])
    #expect(second.journal.entries == ["reloadData AB", "reloadData B"])
    queues.runAll()
    #expect(second.journal.entries == ["reloadData AB", "reloadData B"])
  }

  @Test func `an adapter is retained, another view is not`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    data.view = PassingOn()
    queues.runAll()
    data.update(items("B"), completion: hear("u"))
    queues.runAll()
    #expect(journal.entries == ["u applied by batches"])
    data.view = ForgetfulView()
    #expect(data.view == nil)
    weak var adapter: PassingOn?
    do {
      let new = PassingOn()
      adapter = new
      data.view = new
    }
    queues.runAll()
    #expect(adapter != nil)
    data.view = nil
    #expect(adapter == nil)
  }

  @Test func `a new view is loaded before it gets a batch`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    data.update(items("B"))
    queues.calculation.runAll()
    let view = RecordingView(showing: data)
    data.view = view
    queues.runAll()
    #expect(view.journal.entries == ["reloadData A", "A | D0.0 I0.0 | B"])
  }

  @Test func `a view that lost track of the sections is reloaded`() {
    let data = CollectionSectionData(list("x:A y:B"), queues: queues.queues)
    let view = RecordingView(
      sections: { 5 }, content: { [weak data] in text(data?.sections ?? []) })
    data.view = view
    data.update(list("x:A"), completion: hear("u"))
    queues.runAll()
    #expect(view.journal.entries == ["reloadData x:A y:B", "reloadData x:A"])
    #expect(journal.entries == ["u applied by fullReload"])
  }

  @Test func `a view for someone else is left alone`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    let view = RecordingView(showing: data)
    let verifier = Verifier()
    data.view = view
    data.validationDelegate = verifier
    data.update(items("B"), completion: hear("u"))
    queues.runAll()
    #expect(view.journal.entries == ["reloadData A"])
    #expect(journal.entries == ["u applied by contentOnly"])
    #expect(text(data.items) == "B")
  }

  @Test func `a view that forgets the content or completes twice does no harm`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    let view = ForgetfulView()
    data.view = view
    data.update(items("B"), completion: hear("u"))
    queues.runAll()
    #expect(text(data.items) == "B")
    #expect(journal.entries == ["u applied by batches"])
    #expect(!data.isCalculating)
  }

  @Test func `text is a view`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let journal = journal
    let view = TextListView {
      journal.note($0)
    } content: { [weak data] in
      (data?.sections ?? []).map {
        .init(header: $0.uniqueID, rows: $0.items.map { "\($0)" })
      }
    }
    data.view = view
    data.update(list("n:D y:A x:B1"))
    queues.runAll()
    #expect(
      journal.entries == [
        "x", "  0 A", "  1 B", "y", "  0 C",
        "+ section 0 n, 1 row", "> section 1 to 1 y",
        "- [1, 0] C", "> [2, 0] to [1, 0] A",
        "~ [2, 0] B1",
      ])
  }
}

private final class Verifier: CollectionDataReusableViewVerificationDelegate {
  func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool { false }
}

private final class ForgetfulView: DeltaUpdatableView {
  var canPerformBatches: Bool { true }
  func reloadData() {}
  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    completion(true)
    completion(false)
  }
}

private final class PassingOn: DeltaUpdatableViewAdapter {
  var canPerformBatches: Bool { true }
  func reloadData() {}
  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    completion(true)
  }
}
