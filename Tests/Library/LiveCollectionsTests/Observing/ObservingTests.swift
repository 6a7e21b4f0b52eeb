import DeltaEngine
import Dispatch
import Foundation
import ListTestSupport
import LiveCollections
import Observation
import TestSupport
import Testing

/// Contents as a sequence, rows that are observed one by one, and the main actor.
@MainActor @Suite struct ObservingTests {
  let queues = ManualQueues()

  @Test func `contents are the current one and then the newest`() async throws {
    let data = CollectionData(items("A"), queues: queues.queues)
    var contents = data.contents.makeAsyncIterator()
    #expect(await contents.next() == items("A"))
    try data.updateNow(items("AB"))
    try data.updateNow(items("BC"))
    #expect(await contents.next() == items("BC"))
  }

  @Test func `contents end when the collection is released`() async {
    var data: CollectionData<Item>? = CollectionData(items("A"), queues: queues.queues)
    let contents = data?.contents
    data = nil
    var count = 0
    if let contents { for await _ in contents { count += 1 } }
    #expect(count == 1)
  }

  @Test func `one changed row of a thousand invalidates one row and no list`() {
    let list = ObservableList((0..<1_000).map { Item(id: "i\($0)") })
    let invalidated = Journal<String>()
    for row in list.rows {
      withObservationTracking {
        _ = row.item
      } onChange: { [id = row.id] in
        invalidated.note(id)
      }
    }
    withObservationTracking {
      _ = list.rows
    } onChange: {
      invalidated.note("rows")
    }
    var next = list.rows.map(\.item)
    next[500].revision = 1
    list.show(next)
    #expect(invalidated.entries == ["i500"])
    let kept = list.rows[999]
    next.swapAt(0, 999)
    list.show(next)
    #expect(invalidated.entries == ["i500", "rows"])
    #expect(list.rows[0] === kept && list.rows.map(\.item) == next)
  }

  @Test func `a list follows a collection`() async throws {
    let data = CollectionData(items("A"), queues: queues.queues)
    let list = ObservableList<Item>()
    let following = Task { await list.follow(data) }
    try data.updateNow(items("BA1"))
    try await until { text(list.rows.map(\.item)) == "BA1" }
    following.cancel()
    await following.value
  }

  @Test func `a completion of the main actor is called there`() async {
    let data = CollectionData(items("A"))
    let screen = Screen()
    await withCheckedContinuation { continuation in
      data.update(items("B")) { outcome in
        screen.title = "\(outcome)"
        continuation.resume()
      }
    }
    #expect(screen.title == "applied by contentOnly")
    let other = CollectionData(items("A"), queues: CollectionQueues(delivery: .background))
    await withCheckedContinuation { continuation in
      other.update(items("AA")) { outcome in
        screen.title = "\(outcome)"
        continuation.resume()
      }
    }
    #expect(screen.title.hasPrefix("rejected"))
    #expect(await other.append(items("C")).description == "applied by contentOnly")
    let outcome = await other.outcome { other.delete(["Z"], completion: $0) }
    #expect(outcome.description.hasPrefix("rejected"))
  }

  @Test func `a screen is the delegate of what it shows`() async {
    let data = CollectionData(items("A"))
    let screen = Screen()
    let view = RecordingView(showing: data)
    data.view = view
    data.animationDelegate = screen
    data.reloadDelegate = screen
    data.validationDelegate = screen
    await data.update(items("A1B"))
    #expect(screen.title == "asked about 1 change, 1 reload")
  }

  @Test(arguments: [
    WorkQueue.main, WorkQueue(DispatchQueue.main),
    WorkQueue { DispatchQueue.main.async(execute: $0) },
  ])
  func `whatever runs work on the main queue is the main queue`(delivery: WorkQueue) async {
    let data = CollectionData(items("A"), queues: CollectionQueues(delivery: delivery))
    let screen = Screen()
    data.deletionDelegate = screen
    data.calculationDelegate = screen
    await withCheckedContinuation { continuation in
      data.update(items("B")) { _ in
        screen.title += "completed, "
        continuation.resume()
      }
    }
    #expect(screen.title == "begin, completed, gone 1, end, ")
  }

  @Test func `a view that is called off the main queue is a caller's mistake`() async {
    await #expect(processExitsWith: .failure) {
      let queue = WorkQueue(DispatchQueue(label: "elsewhere"))
      let data = CollectionData(items("A"), queues: CollectionQueues(delivery: queue))
      let view = await RecordingView(showing: data)
      data.view = view
      await data.update(items("B"))
      withExtendedLifetime(view) {}
    }
  }

  @Test func `a move that the view shows already is not told to it`() {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    #expect(data.takeOverMove(from: 0, to: 2))
    #expect(text(data.items) == "BCA")
    data.update(items("BC"))
    queues.runAll()
    #expect(view.journal.entries == ["reloadData ABC", "BCA | D0.2 | BC"])
  }

  @Test func `a move to another section is taken over too, or made after an update`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    let (first, last) = (IndexPath(indexes: [0, 0]), IndexPath(indexes: [1, 1]))
    #expect(data.takeOverMove(from: first, to: last))
    #expect(text(data.sections) == "x:B y:CA")
    data.update(list("x:BD y:CA"))
    #expect(!data.takeOverMove(from: last, to: first))
    queues.runAll()
    #expect(text(data.sections) == "x:ABD y:C")
    #expect(
      view.journal.entries == [
        "reloadData x:AB y:C", "reloadData x:B y:CA", "x:B y:CA | M1.1>0.0 I0.2 | x:ABD y:C",
      ])
  }

  @Test func `a move while an update is shown is made after it`() {
    let data = CollectionData(items("ABC"), queues: queues.queues)
    let view = RecordingView(showing: data, animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    data.update(items("ABCD"))
    #expect(!data.takeOverMove(from: 0, to: 2))
    queues.runAll()
    #expect(text(data.items) == "BCAD")
    #expect(view.journal.entries[1] == "reloadData ABC")
  }
}

/// A view controller of the tests: of the main actor, and a delegate without another word.
@MainActor
private final class Screen: CollectionDataAnimationDelegate,
  CollectionDataManualReloadDelegate, CollectionDataReusableViewVerificationDelegate,
  CollectionDataDeletionNotificationDelegate, CollectionDataCalculationNotificationDelegate
{
  var title = ""

  func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle {
    title = "asked about \(delta.changes.insertedItems.count) change"
    return .preciseAnimations
  }

  func willHandleReload(at paths: ItemPathPair) -> Bool { true }

  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {
    title += ", \(paths.count) reload"
    for path in paths { itemCompletion(path) }
  }

  func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool { title != "gone" }

  func didDeleteItems(_ items: [Item]) { title += "gone \(items.count), " }

  func collectionDataDidBeginCalculating() { title += "begin, " }

  func collectionDataDidEndCalculating() { title += "end, " }
}
