import DeltaEngine
import ListTestSupport
import LiveCollections
import Testing

/// Views and delegates that owe an answer and go, or leave the screen, before they have given it.
@MainActor @Suite struct VanishingTests: Hearing {
  let queues = ManualQueues()
  let clock = ManualTimer()
  let journal = Journal<String>()

  private func data(_ content: String, section: Int = 0) -> CollectionData<Item> {
    CollectionData(items(content), section: section, queues: queues.queues)
  }

  @Test func `a view that goes in the middle of a batch takes no update with it`() {
    let data = data("ABC")
    do {
      let view = HoldingView()
      data.view = view
      data.update(items("CA1B"), completion: hear("u"))
      queues.runAll()
      #expect(view.openCount == 1 && journal.entries == [])
    }
    #expect(data.view == nil)
    data.update(items("D"), completion: hear("v"))
    queues.runAll()
    #expect(journal.entries == ["u applied by contentOnly", "v applied by contentOnly"])
    #expect(text(data.items) == "D" && !data.isCalculating)
  }

  @Test func `a view that lets go of a completion is as one that was interrupted`() {
    let data = data("ABC")
    let view = HoldingView()
    data.view = view
    data.update(items("CA1B"), completion: hear("u"))
    queues.runAll()
    view.letGo()
    queues.runAll()
    #expect(view.reloadCount == 2)
    #expect(journal.entries == ["u applied by fullReload"])
  }

  @Test func `members of a view that goes in the middle of their batch all end`() {
    let members = [data("AB"), data("CD", section: 1)]
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    do {
      let view = HoldingView()
      for data in members {
        data.synchronizer = synchronizer
        data.view = view
        data.update(items("B1A"), completion: hear("\(data.section)"))
      }
      queues.runAll()
      #expect(view.openCount == 1)
    }
    queues.runAll()
    #expect(journal.entries == ["0 applied by contentOnly", "1 applied by contentOnly"])
    let next = RecordingView(showing: members[0])
    members[0].view = next
    members[0].update(items("A"), completion: hear("next"))
    queues.runAll()
    #expect(next.journal.entries == ["reloadData B1A", "B1A | D0.0 | A"])
    #expect(members.map { text($0.items) } == ["A", "B1A"])
  }

  @Test func `a new view is not taken for one that was where it is now`() {
    let members = [data("A"), data("B", section: 1)]
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    for data in members { data.synchronizer = synchronizer }
    var place: ObjectIdentifier?
    do {
      let view = HoldingView()
      place = ObjectIdentifier(view)
      members[0].view = view
      members[0].update(items("AC"), completion: hear("0"))
      queues.runAll()
    }
    var views = [HoldingView()]
    while views.count < 1_000, ObjectIdentifier(views[views.count - 1]) != place {
      views.append(HoldingView())
    }
    let view = views[views.count - 1]
    members[1].view = view
    members[1].update(items("BD"), completion: hear("1"))
    queues.runAll()
    clock.advance(by: .milliseconds(10))
    queues.runAll()
    #expect(view.openCount == 1)
    view.letGo()
    queues.runAll()
    #expect(journal.entries == ["0 applied by contentOnly", "1 applied by batches"])
  }

  @Test func `nothing is kept alive once all is shown`() {
    weak var lostData: CollectionData<Item>?
    weak var lostView: RecordingView?
    weak var lostSynchronizer: CollectionDataSynchronizer?
    weak var lostDelegate: CarelessReloader?
    do {
      let data = data("AB")
      let view = RecordingView(showing: data, animating: queues.animating.queue)
      let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
      let delegate = CarelessReloader()
      (lostData, lostView, lostSynchronizer) = (data, view, synchronizer)
      lostDelegate = delegate
      data.view = view
      data.synchronizer = synchronizer
      data.reloadDelegate = delegate
      data.update(items("B1AC"), completion: hear("1"))
      data.append(items("A"), completion: hear("2"))
      data.reload(["B"], completion: hear("3"))
      for _ in 0..<3 {
        queues.runAll()
        clock.advance(by: .milliseconds(10))
      }
      queues.runAll()
      #expect(!data.isCalculating && data.view === view && data.reloadDelegate === delegate)
    }
    #expect(journal.entries.count == 3)
    #expect(lostData == nil && lostView == nil)
    #expect(lostSynchronizer == nil && lostDelegate == nil)
  }

  @Test func `a collection that goes first is shown to its end, and kept no longer`() {
    weak var lostData: CollectionData<Item>?
    let view = HoldingView()
    do {
      let data = data("A")
      lostData = data
      data.view = view
      data.update(items("B"), completion: hear("1"))
      data.update(items("C"), completion: hear("2"))
    }
    #expect(lostData == nil)
    queues.runAll()
    #expect(view.openCount == 1 && journal.entries == [])
    view.letGo()
    queues.runAll()
    #expect(journal.entries == ["1 merged into 2", "2 applied by batches"])
  }

  @Test func `a view that leaves the screen between two batches is reloaded`() {
    let data = data("ABC")
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    data.view = view
    data.update(items("CA1B"), completion: hear("u"))
    while queues.animating.isEmpty { _ = queues.calculation.runOne() || queues.delivery.runOne() }
    view.canPerformBatches = false
    queues.runAll()
    #expect(
      view.journal.entries == ["reloadData ABC", "ABC | M0.2>0.0 | CAB", "reloadData CA1B"])
    #expect(journal.entries == ["u applied by fullReload"])
  }

  @Test func `a view that leaves the screen while members wait is reloaded, once`() {
    let members = [data("AB"), data("CD", section: 1)]
    let view = RecordingView { members.map { text($0.items) }.joined(separator: "/") }
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    for data in members {
      data.synchronizer = synchronizer
      data.view = view
    }
    queues.runAll()
    _ = view.journal.take()
    for data in members { data.update(items("E"), completion: hear("\(data.section)")) }
    queues.runAll()
    view.canPerformBatches = false
    clock.advance(by: .milliseconds(10))
    queues.runAll()
    #expect(view.journal.entries == ["reloadData E/E"])
    #expect(journal.entries == ["0 applied by fullReload", "1 applied by fullReload"])
  }

  @Test func `a delegate that lets go of a reload's completion has completed it`() {
    let data = data("AB")
    let view = RecordingView(showing: data)
    let delegate = CarelessReloader()
    data.view = view
    data.reloadDelegate = delegate
    data.update(items("A1B"), completion: hear("u"))
    queues.runAll()
    #expect(journal.entries == ["u applied by batches"])
    #expect(!data.isCalculating)
  }

  @Test func `what a delegate claimed that goes before it is asked to is reloaded all the same`() {
    let data = data("AB")
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    data.view = view
    do {
      let delegate = CarelessReloader()
      data.reloadDelegate = delegate
      data.update(items("A1BC"), completion: hear("u"))
      while queues.animating.isEmpty { _ = queues.calculation.runOne() || queues.delivery.runOne() }
    }
    queues.runAll()
    #expect(view.journal.entries.last == "reloadData A1BC")
    #expect(journal.entries == ["u applied by fullReload"])
  }
}

/// A view that keeps each batch's completion until it is told to let go of it.
private final class HoldingView: DeltaUpdatableView {
  private let open = Locked<[@Sendable (Bool) -> Void]>([])
  private let reloads = Locked(0)

  var canPerformBatches: Bool { true }
  var openCount: Int { open.withLock { $0.count } }
  var reloadCount: Int { reloads.withLock { $0 } }

  func reloadData() { reloads.withLock { $0 += 1 } }

  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    batch.applyContent()
    open.withLock { $0.append(completion) }
  }

  func letGo() {
    // Outside of the lock: what lets go may be called back.
    let gone = open.withLock { open in
      defer { open = [] }
      return open
    }
    _ = gone
  }
}

/// Claims every reload and completes none.
private final class CarelessReloader: CollectionDataManualReloadDelegate {
  func willHandleReload(at paths: ItemPathPair) -> Bool { true }

  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {}
}
