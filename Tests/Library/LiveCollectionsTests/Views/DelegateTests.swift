import DeltaEngine
import Foundation
import ListTestSupport
import LiveCollections
import Testing

/// Those who want to know, and those who show things themselves.
@MainActor @Suite struct DelegateTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  @Test func `the callers hear first, then who asks for deletions, then the next update starts`() {
    let data = CollectionSectionData(list("x:ABC y:D"), queues: queues.queues)
    let view = RecordingView(showing: data)
    let delegate = NotingDelegate(journal)
    data.view = view
    data.calculationDelegate = delegate
    data.deletionDelegate = delegate
    data.update(list("x:A1C y:D"), completion: hear("1"))
    queues.calculation.runAll()
    queues.delivery.runOne()
    queues.delivery.runOne()
    data.update(list("x:CE"), completion: hear("2"))
    data.update(list("x:EE"), completion: hear("3"))
    queues.runAll()
    #expect(
      journal.entries == [
        "begin", "1 applied by batches", "gone B",
        "2 applied by batches",
        "refused target item id \"E\" occurs at [0, 0] and again at [0, 1]",
        "3 rejected: target item id \"E\" occurs at [0, 0] and again at [0, 1]",
        "gone A1D", "end",
      ])
  }

  @Test func `an item that only leaves its section is not gone`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let delegate = NotingDelegate(journal)
    data.deletionDelegate = delegate
    data.update(list("y:A n:C"))
    queues.runAll()
    #expect(journal.entries == ["gone B"])
  }

  @Test func `deletions are told without a view, without a delta, and of updates at once`() throws {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    let delegate = NotingDelegate(journal)
    data.deletionDelegate = delegate
    try data.updateNow(items("AB"))
    queues.runAll()
    data.dataCountAnimationThreshold = 0
    data.update(items("B"))
    queues.runAll()
    #expect(journal.entries == ["gone C", "gone A"])
  }

  @Test func `a delegate that knows durations alone animates alongside each batch`() {
    let data = CollectionSectionData(list("x:AB y:CD"), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    let delegate = BriefDelegate(journal)
    data.view = view
    data.animationDelegate = delegate
    data.update(list("y:CA1 x:B"))
    queues.runAll()
    #expect(journal.entries == ["during 0.3", "during 0.3", "during 0.3"])
  }

  @Test func `each batch is announced in order and completed before the next`() {
    let data = CollectionSectionData(list("x:AB y:CD"), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    let delegate = NotingDelegate(journal)
    data.view = view
    data.animationDelegate = delegate
    data.update(list("y:CA1 x:B"), completion: hear("u"))
    queues.runAll()
    let phases = ["immediatelyBefore", "during", "immediatelyAfter", "completed"]
    #expect(
      journal.entries
        == ["sections", "items", "reloads"].flatMap { group in phases.map { "\($0) \(group)" } }
        + ["u applied by batches"])
  }

  @Test func `B4: the delegate is asked once per changed item and shows it at its new place`() {
    let data = CollectionSectionData(list("x:ABC y:D"), queues: queues.queues)
    let view = RecordingView(showing: data)
    let delegate = ManualReloader(claims: ["[0, 0]", "[1, 1]"])
    data.view = view
    data.reloadDelegate = delegate
    data.update(list("x:A1C1 y:DB1"), completion: hear("u"))
    queues.runAll()
    #expect(
      delegate.journal.entries == [
        "ask [0, 0] -> [0, 0]", "ask [0, 2] -> [0, 1]", "ask [0, 1] -> [1, 1]",
        "reload [0, 0] [1, 1]",
      ])
    #expect(
      Array(view.journal.entries.dropFirst()) == [
        "x:ABC y:D | M0.1>1.1 | x:AC y:DB", "x:AC y:DB | R0.1 | x:A1C1 y:DB1",
      ])
    #expect(journal.entries == [])
    delegate.completeOne()
    queues.runAll()
    #expect(journal.entries == [])
    delegate.completeOne()
    delegate.completeAgain()
    queues.runAll()
    #expect(journal.entries == ["u applied by batches"])
  }

  @Test func `when the delegate claims all that changed there is no batch`() {
    let data = CollectionData(items("AB"), section: 3, queues: queues.queues)
    let view = RecordingView(showing: data)
    let delegate = ManualReloader(claims: ["[3, 1]"])
    data.view = view
    data.reloadDelegate = delegate
    data.update(items("AB1"), completion: hear("u"))
    queues.runAll()
    #expect(delegate.journal.entries == ["ask [3, 1] -> [3, 1]", "reload [3, 1]"])
    #expect(view.journal.entries == ["reloadData AB"])
    #expect(text(data.items) == "AB1")
    delegate.completeOne()
    queues.runAll()
    #expect(journal.entries == ["u applied by batches"])
  }

  @Test func `a delegate that goes away is not waited for`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    let view = RecordingView(showing: data)
    data.view = view
    do {
      let delegate = ManualReloader(claims: ["[0, 0]"])
      data.reloadDelegate = delegate
      data.update(items("A1"), completion: hear("u"))
    }
    queues.runAll()
    #expect(view.journal.entries.last == "A | R0.0 | A1")
    #expect(journal.entries == ["u applied by batches"])
  }
}

/// A delegate with the name that the reference has.
private final class BriefDelegate: CollectionSectionDataAnimationDelegate {
  let journal: Journal<String>

  init(_ journal: Journal<String>) { self.journal = journal }

  func animateAlongsideUpdate(with duration: TimeInterval) { journal.note("during \(duration)") }
}

private final class NotingDelegate: CollectionSectionDataAnimationDelegate,
  CollectionDataDeletionNotificationDelegate, CollectionDataCalculationNotificationDelegate
{
  typealias DataType = Item

  let journal: Journal<String>

  init(_ journal: Journal<String>) { self.journal = journal }

  func didDeleteItems(_ items: [Item]) { journal.note("gone \(text(items))") }
  func collectionDataDidBeginCalculating() { journal.note("begin") }
  func collectionDataDidEndCalculating() { journal.note("end") }
  func collectionDataDidReject(_ error: UpdateError) { journal.note("refused \(error)") }
  func animateAlongsideUpdate(_ phase: AnimationPhase, of group: UpdateGroup) {
    journal.note("\(phase) \(group)")
  }
}

private final class ManualReloader: CollectionDataManualReloadDelegate {
  let journal = Journal<String>()
  private let claims: Set<String>
  private let open = Locked<[@Sendable () -> Void]>([])
  private let done = Locked<(@Sendable () -> Void)?>(nil)

  init(claims: Set<String>) { self.claims = claims }

  func willHandleReload(at paths: ItemPathPair) -> Bool {
    journal.note("ask \(paths.source) -> \(paths.target)")
    return claims.contains("\(paths.target)")
  }

  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {
    journal.note("reload \(paths.map { "\($0)" }.joined(separator: " "))")
    open.withLock { open in open = paths.map { path in { itemCompletion(path) } } }
  }

  func completeOne() {
    let completion = open.withLock { $0.removeFirst() }
    completion()
    done.withLock { $0 = completion }
  }

  func completeAgain() { done.withLock { $0 }?() }
}
