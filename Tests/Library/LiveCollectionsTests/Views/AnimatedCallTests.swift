import DeltaEngine
import ListTestSupport
import LiveCollections
import Testing

/// Calls that say whether a view may animate them.
@MainActor @Suite struct AnimatedCallTests {
  /// Notes whether its batches are animated.
  private final class View: SectionDeltaUpdatableView {
    let sectionCount: Int
    var batches: [Bool] = []
    var animations: [BatchAnimations] = []
    let canPerformBatches = true

    init(sectionCount: Int = 1) { self.sectionCount = sectionCount }

    func reloadData() {}
    func perform(_ batch: UpdateBatch, completion: @escaping @Sendable (Bool) -> Void) {
      batch.applyContent()
      batches.append(batch.isAnimated)
      animations.append(batch.animations)
      completion(true)
    }
  }

  private let queues = ManualQueues()

  @Test func `each call that changes a list says whether it is animated`() throws {
    let data = CollectionData(items("AB"), queues: queues.queues)
    let calls: [@Sendable (Bool) throws -> Void] = [
      { data.update(items("ABC"), animated: $0) }, { data.append(items("D"), animated: $0) },
      { data.insert(items("E"), at: .first, animated: $0) },
      { data.prepend(items("F"), animated: $0) }, { data.delete(["C"], animated: $0) },
      { data.move("A", to: .last, animated: $0) }, { data.reload(["A"], animated: $0) },
      { data.reconfigure(["B"], animated: $0) },
      { data.edit({ try $0.delete(["D"]) }, animated: $0) },
      { try data.updateNow(items("XYZ"), animated: $0) },
      { try data.appendNow(items("V"), animated: $0) },
      { data.commit(try data.prepareUpdate(items("X")), animated: $0) },
    ]
    for isAnimated in [true, false] {
      data.view = nil
      data.update(items("AB"))
      queues.runAll()
      let view = View()
      data.view = view
      queues.runAll()
      for call in calls {
        try call(isAnimated)
        queues.runAll()
      }
      #expect(view.batches == Array(repeating: isAnimated, count: calls.count))
      #expect(view.animations.allSatisfy { ($0 == .none) == !isAnimated })
    }
  }

  @Test func `each call that changes sections says whether it is animated`() throws {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let calls: [@Sendable () throws -> Void] = [
      { data.insertItems(items("D"), at: .first(in: "x"), animated: false) },
      { data.moveItem("A", to: .last(in: "y"), animated: false) },
      { data.deleteItems(["B"], animated: false) }, { data.reloadItems(["C"], animated: false) },
      { data.reconfigureItems(["C"], animated: false) },
      { data.reloadSections(["x"], animated: false) },
      { data.moveSection("x", to: .last, animated: false) },
      { data.edit({ try $0.moveSection("x", to: .first) }, animated: false) },
      { data.rebuild(animated: false) },
    ]
    let view = View(sectionCount: 2)
    data.view = view
    queues.runAll()
    for call in calls {
      try call()
      queues.runAll()
    }
    #expect(!view.batches.isEmpty && !view.batches.contains(true))
    #expect(text(data.sections) == "x:D y:CA")
  }

  @Test func `updates that are shown together are animated if all of them are`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    let view = View()
    data.view = view
    queues.runAll()
    data.update(items("AB"))
    queues.calculation.runAll()
    data.append(items("C"), animated: false)
    data.append(items("D"))
    queues.runAll()
    #expect(view.batches == [true, false])
    #expect(text(data.items) == "ABCD")
  }

  @Test func `collections that a synchronizer shows together are animated each for itself`() {
    let members = (0..<2).map { CollectionData(items("A"), section: $0, queues: queues.queues) }
    let clock = ManualTimer()
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    let view = View(sectionCount: 2)
    for data in members {
      data.view = view
      data.synchronizer = synchronizer
    }
    queues.runAll()
    for (index, data) in members.enumerated() { data.update(items("AB"), animated: index == 1) }
    queues.runAll()
    clock.advance(by: .milliseconds(10))
    queues.runAll()
    #expect(view.batches == [true])
    let paths = (0..<2).map { ItemPath<AfterSpace>(section: $0, item: 1) }
    #expect(view.animations.first.map { paths.map($0.insert) } == [.none, .fade])
  }

  @Test func `a delta and a changeset can be shown without animation`() throws {
    let view = View()
    let (source, target) = (items("AB"), items("ABC"))
    let delta = try Delta(fromItems: source, toItems: target)
    for animated in [true, false] {
      view.perform(
        delta, from: source, to: target, animated: animated, delivery: queues.delivery.queue
      ) { _ in }
      queues.runAll()
      view.performUpdates(
        source.changeset(to: target), animations: animated ? BatchAnimations() : .none
      ) {}
    }
    #expect(view.batches == [true, true, false, false])
  }
}
