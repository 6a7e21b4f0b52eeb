import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// The defects of the original library that show in its views, by their numbers: what ours does.
@MainActor @Suite struct ReferenceViewDefectTests: Hearing {
  let queues = ManualQueues()
  let clock = ManualTimer()
  let journal = Journal<String>()

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `B5: at no time does the content differ from what the view was told`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var lists = RandomLists(seed: seed)
    let data = CollectionSectionData(lists.version(), queues: queues.queues)
    let view = SimulatorView(showing: data, animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    var wanted = data.sections
    for _ in 0..<200 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        wanted = lists.edited(wanted, times: Int.random(in: 0...9, using: &generator))
        data.update(wanted)
      case 1...2: queues.calculation.runOne()
      case 3...5: queues.delivery.runOne()
      default: queues.animating.runOne()
      }
      let shown = view.structure?.sections.map(\.items.count)
      #expect(shown == data.sections.map(\.items.count), "seed \(seed)")
    }
    #expect(view.faults == [], "seed \(seed)")
  }

  @Test func `B7: synchronized sections of a table with animations of their own are animated`() {
    let members = (0..<2).map { CollectionData(items("AB"), section: $0, queues: queues.queues) }
    let view = SimulatorView(showing: members)
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    for data in members {
      data.rowAnimations.deleteAnimation = .left
      data.sectionReloadAnimation = .fade
      data.view = view
      data.synchronizer = synchronizer
    }
    queues.runAll()
    for data in members { data.update(items("B"), completion: hear("u")) }
    queues.runAll()
    #expect(journal.entries == ["u applied by batches", "u applied by batches"])
    #expect(view.batchCount == 1)
  }

  @Test func `B15: a member whose view was recycled while it waited is left out of the batch`() {
    let first = CollectionData(items("A"), section: 0, queues: queues.queues)
    let second = CollectionData(items("B"), section: 1, queues: queues.queues)
    let view = RecordingView { text(first.items) + "/" + text(second.items) }
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    let owner = Ownership()
    for data in [first, second] {
      data.view = view
      data.synchronizer = synchronizer
    }
    second.validationDelegate = owner
    queues.runAll()
    first.update(items("AX"), completion: hear("1"))
    second.update(items("BY"), completion: hear("2"))
    queues.runAll()
    owner.isOwner = false
    clock.advance(by: .milliseconds(10))
    queues.runAll()
    #expect(view.journal.entries.last == "A/BY | I0.1 | AX/BY")
    #expect(journal.entries == ["2 applied by contentOnly", "1 applied by batches"])
  }

  @Test func `B15: a view that is recycled between two batches gets no second one`() {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    let owner = Ownership()
    data.view = view
    data.validationDelegate = owner
    queues.runAll()
    data.update(items("CA1B"), completion: hear("u"))
    while queues.animating.isEmpty { _ = queues.calculation.runOne() || queues.delivery.runOne() }
    owner.isOwner = false
    queues.runAll()
    #expect(view.journal.entries == ["reloadData ABC", "ABC | M0.2>0.0 | CAB"])
    #expect(journal.entries == ["u applied by contentOnly"])
    #expect(text(data.items) == "CA1B")
    #expect(!data.isCalculating)
  }

  @Test func `what was claimed for a view that is recycled meanwhile is not reloaded by hand`() {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    let owner = Ownership()
    let reloader = Claiming(["[0, 0]"])
    data.view = view
    data.validationDelegate = owner
    data.reloadDelegate = reloader
    queues.runAll()
    data.update(items("C1A1B"), completion: hear("u"))
    queues.runAll()
    #expect(reloader.journal.entries == ["reload [0, 0]"])
    data.update(items("B2A2C1"), completion: hear("v"))
    while queues.animating.isEmpty { _ = queues.calculation.runOne() || queues.delivery.runOne() }
    owner.isOwner = false
    queues.runAll()
    #expect(journal.entries == ["u applied by batches", "v applied by contentOnly"])
    #expect(reloader.journal.entries == ["reload [0, 0]"])
    #expect(text(data.items) == "B2A2C1")
  }
}

private final class Ownership: CollectionDataReusableViewVerificationDelegate {
  private let kept = Locked(true)

  var isOwner: Bool {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }

  func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool { isOwner }
}

/// Reloads some of what changes, at once.
private final class Claiming: CollectionDataManualReloadDelegate {
  let journal = Journal<String>()
  private let claims: Set<String>

  init(_ claims: Set<String>) { self.claims = claims }

  func willHandleReload(at paths: ItemPathPair) -> Bool { claims.contains("\(paths.target)") }

  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {
    journal.note("reload \(paths.map { "\($0)" }.joined(separator: " "))")
    for path in paths { itemCompletion(path) }
  }
}
