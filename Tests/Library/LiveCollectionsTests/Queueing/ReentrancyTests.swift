import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// Everybody who is called may call back: views, delegates, completions, edits.
@MainActor @Suite struct ReentrancyTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  @Test func `whoever is called can update, and all hear`() {
    let data = CollectionData(items("AB"), queues: queues.queues)
    let caller = Caller(data, journal)
    let view = CallingView(caller)
    data.view = view
    data.animationDelegate = caller
    data.deletionDelegate = caller
    data.calculationDelegate = caller
    data.reloadDelegate = caller
    data.validationDelegate = caller
    queues.runAll()
    data.update(items("B1A1C")) { [journal] _ in
      journal.note("completion")
      caller.call("completion")
    }
    queues.runAll()
    data.update(items("Z"), completion: hear("last"))
    queues.runAll()
    let expected: Set<String> = [
      "reloadData", "perform", "style", "alongside", "deleted", "begin", "end", "will reload",
      "reload", "valid", "completion",
    ]
    #expect(caller.called == expected)
    let heard = journal.entries.filter { $0.hasPrefix("from ") }
    #expect(heard.count == expected.count)
    #expect(text(data.items) == "Z" && !data.isCalculating)
  }

  @Test func `a completion that updates is served after those that wait`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    let view = SimulatorView(showing: [data], animating: queues.animating.queue)
    data.view = view
    data.update(items("B")) { [hear] _ in
      data.update(items("D"), completion: hear("inner"))
      // At once, without waiting: the content is replaced in its turn.
      _ = try? data.appendNow(items("E"))
      #expect(data.isCalculating)
    }
    queues.runAll()
    #expect(text(data.items) == "DE")
    #expect(journal.entries == ["inner merged into 3"])
    #expect(view.faults == [])
  }

  @Test func `a view that comes while another is being loaded is not led before it is loaded`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    let second = RecordingView(showing: data)
    let first = ReplacingView { data.view = second }
    data.update(items("B"), completion: hear("u"))
    queues.calculation.runAll()
    data.view = first
    queues.runAll()
    #expect(second.journal.entries.first?.hasPrefix("reloadData") == true)
    #expect(second.journal.entries.last == "reloadData B")
    data.update(items("C"), completion: hear("v"))
    queues.runAll()
    #expect(second.journal.entries.last == "B | D0.0 I0.0 | C")
  }

  @Test func `views and synchronizers are changed from other threads while updates run`() async {
    let data = CollectionData(items("A"))
    let views = (0..<3).map { _ in SimulatorView(showing: [data], animating: .main) }
    let synchronizers = [
      CollectionDataSynchronizer(delay: .none), CollectionDataSynchronizer(delay: .custom(.zero)),
    ]
    let heard = Journal<Int>()
    let contents = ["ABC", "CB1", "", "DCBA", "A1D"]
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<3 {
        group.addTask {
          for round in 0..<300 {
            data.update(items(contents[(round + thread) % 5])) { _ in
              heard.note(round)
            }
            if round.isMultiple(of: 7) { await data.update(items(contents[round % 5])) }
          }
        }
        group.addTask {
          for round in 0..<600 {
            let choice = (round &* 7 &+ thread) % 5
            data.view = choice < 3 ? views[choice] : nil
            data.synchronizer = choice < 2 ? synchronizers[choice] : nil
            data.dataCountAnimationThreshold = choice == 4 ? 2 : 10_000
            await Task.yield()
          }
        }
      }
    }
    data.view = views[0]
    let outcome = await data.update(items("END"))
    if case .rejected = outcome { Issue.record("\(outcome)") }
    #expect(heard.entries.count == 900)
    #expect(text(data.items) == "END")
    #expect(views.map(\.faults) == [[], [], []])
  }
}

/// Calls the collection back, once from each place that it is called from.
private final class Caller: CollectionDataAnimationDelegate,
  CollectionDataDeletionNotificationDelegate, CollectionDataCalculationNotificationDelegate,
  CollectionDataManualReloadDelegate, CollectionDataReusableViewVerificationDelegate
{
  typealias DataType = Item

  private let data: CollectionData<Item>
  private let journal: Journal<String>
  private let places = Locked<Set<String>>([])
  var called: Set<String> { places.withLock { $0 } }

  init(_ data: CollectionData<Item>, _ journal: Journal<String>) {
    self.data = data
    self.journal = journal
  }

  func call(_ place: String) {
    guard places.withLock({ $0.insert(place).inserted }) else { return }
    data.edit { list throws(EditError) in
      if list.contains("Y") { try list.delete(["Y"]) }
    } completion: { [journal] _ in
      journal.note("from \(place)")
    }
    _ = data.items
    _ = data.view
    _ = try? data.calculateDelta(data.items)
  }

  func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle {
    call("style")
    return .preciseAnimations
  }
  func animateAlongsideUpdate(_ phase: AnimationPhase, of group: UpdateGroup) { call("alongside") }
  func didDeleteItems(_ items: [Item]) { call("deleted") }
  func collectionDataDidBeginCalculating() { call("begin") }
  func collectionDataDidEndCalculating() { call("end") }
  func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool {
    call("valid")
    return true
  }
  func willHandleReload(at paths: ItemPathPair) -> Bool {
    call("will reload")
    return paths.target.item == 0
  }
  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {
    call("reload")
    for path in paths { itemCompletion(path) }
  }
}

private final class CallingView: DeltaUpdatableView {
  private let caller: Caller

  init(_ caller: Caller) { self.caller = caller }

  var canPerformBatches: Bool { true }
  func reloadData() { caller.call("reloadData") }
  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    caller.call("perform")
    batch.applyContent()
    completion(true)
  }
}

/// A view that has another one take its place as soon as it is loaded.
private final class ReplacingView: DeltaUpdatableView {
  private let replace: @Sendable () -> Void

  init(_ replace: @escaping @Sendable () -> Void) { self.replace = replace }

  var canPerformBatches: Bool { true }
  func reloadData() { replace() }
  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    batch.applyContent()
    completion(true)
  }
}
