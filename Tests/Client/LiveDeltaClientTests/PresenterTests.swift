import DeltaEngine
import LiveCollections
import LiveCollectionsTesting
import LiveDeltaClient
import TestSupport
import Testing

@MainActor @Suite struct PresenterTests {
  @Test func `a strict view is led through every batch without a fault`() async throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let presenter = ReplicaPresenter()
    let view = SimulatorView(presenter)
    var replica = CollectionReplica()
    var held = RandomList.make(&random)
    let first = WireSnapshot(collection: "c", version: "v0", seq: 0, sections: held)
    await presenter.show(try replica.apply(.snapshot(first)), in: view)
    var steps = 0
    for round in 1...300 {
      let target = RandomList.change(held, &random)
      let delta = WireDelta(
        try Delta(from: held, to: target), from: "v\(round - 1)", to: "v\(round)", source: held,
        target: target)
      steps += delta.steps.count
      await presenter.show(try replica.apply(.delta(delta)), in: view)
      #expect(presenter.sections == target, "seed \(seed), round \(round)")
      held = target
    }
    #expect(view.faults.isEmpty, "seed \(seed)")
    #expect(view.batchCount == steps)
    #expect(view.reloadCount == 1)
  }

  @Test func `a header that changed alone keeps the cells of its section, where the view can`()
    async throws
  {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let presenter = ReplicaPresenter()
    let view = SimulatorView(presenter)
    view.updatesHeaders = true
    var held = RandomList.make(&random)
    await presenter.show(.replaced(by: held, reset: nil), in: view)
    for round in 1...300 {
      let target = RandomList.change(held, &random)
      let delta = WireDelta(
        try Delta(from: held, to: target), from: "v\(round - 1)", to: "v\(round)", source: held,
        target: target)
      await presenter.show(.updated(try ReplicaUpdate(delta, from: held)), in: view)
      #expect(presenter.sections == target, "seed \(seed), round \(round)")
      held = target
    }
    #expect(view.faults.isEmpty, "seed \(seed): \(view.faults)")
    #expect(view.reloadCount == 1)
    let (source, target) = (list("a[1 2] b[3]"), list("a.2[1 2 4] b[3]"))
    await presenter.show(.replaced(by: source, reset: nil), in: view)
    let count = view.batchCount
    await presenter.show(.replaced(by: target, reset: nil), in: view)
    #expect(view.batchCount == count + 1)
  }

  @Test func `a view that cannot perform batches is reloaded with the final content`() async throws
  {
    let presenter = ReplicaPresenter()
    let view = SimulatorView(presenter)
    var replica = CollectionReplica()
    let (source, target) = (list("a[1 2]"), list("b[2] a[1.2]"))
    let first = WireSnapshot(collection: "c", version: "v1", seq: 1, sections: source)
    await presenter.show(try replica.apply(.snapshot(first)), in: view)
    view.canPerformBatches = false
    let delta = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    await presenter.show(try replica.apply(.delta(delta)), in: view)
    #expect(presenter.sections == target)
    #expect(view.batchCount == 0)
    #expect(view.reloadCount == 2)
    await presenter.show(.deleted, in: view)
    #expect(view.sectionCount == 0)
  }

  @Test func `when a feed runs again or starts over, only what differs is performed`() async throws
  {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var shown = RandomList.make(&random)
    let presenter = ReplicaPresenter()
    let view = SimulatorView(presenter)
    await presenter.show(.replaced(by: shown, reset: nil), in: view)
    var batches = 0
    for round in 1...200 {
      // A feed that runs again begins with what it has.
      await presenter.show(.replaced(by: shown, reset: nil), in: view)
      #expect(view.batchCount == batches, "seed \(seed), round \(round)")
      let target = RandomList.change(shown, &random)
      let steps = try Delta(from: shown, to: target).steps.count
      await presenter.show(
        .replaced(by: target, reset: .init(reason: "history-compacted")), in: view)
      batches += steps
      #expect(view.batchCount == batches, "seed \(seed), round \(round)")
      #expect(presenter.sections == target)
      shown = target
    }
    #expect(view.faults.isEmpty, "seed \(seed): \(view.faults)")
    #expect(view.reloadCount == 1)
  }

  @Test(arguments: [1, 2])
  func `more differences than are animated are performed without animation`(max: Int) async throws {
    let presenter = ReplicaPresenter(list("a[1]"), animatedChangesMax: max)
    let view = InterruptedView(presenter, isFinished: true)
    await presenter.show(.replaced(by: list("a[1 2 3]"), reset: nil), in: view)
    #expect(presenter.sections == list("a[1 2 3]"))
    #expect(view.calls.withLock { $0 } == [max == 2 ? "batch" : "batch without animation"])
  }

  @Test func `a change is shown without animation where that is asked for`() async throws {
    let (source, target) = (list("a[1]"), list("a[1 2]"))
    let presenter = ReplicaPresenter(source)
    let view = InterruptedView(presenter, isFinished: true)
    let delta = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    let change = ReplicaChange.updated(try ReplicaUpdate(delta, from: source))
    await presenter.show(change, in: view, animated: false)
    await presenter.show(.replaced(by: source, reset: nil), in: view, animated: false)
    await presenter.show(change, in: view)
    await presenter.show(.replaced(by: source, reset: nil), in: view)
    let still = "batch without animation"
    #expect(view.calls.withLock { $0 } == [still, still, "batch", "batch"])
  }

  @Test(arguments: [true, false])
  func `a view whose batch is interrupted is reloaded, also if it never says so`(releases: Bool)
    async throws
  {
    let (source, target) = (list("a[1 2] b[3]"), list("b[2.2 3] c[4 1]"))
    let presenter = ReplicaPresenter(source)
    let view = InterruptedView(presenter, releases: releases)
    let delta = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    #expect(delta.steps.count > 1)
    await presenter.show(.updated(try ReplicaUpdate(delta, from: source)), in: view)
    #expect(presenter.sections == target)
    #expect(view.calls.withLock { $0 } == ["batch", "reload"])
  }

  @Test func `a view that shows anything else than a change starts from is told the difference`()
    async throws
  {
    let presenter = ReplicaPresenter()
    let view = SimulatorView(presenter)
    let (shown, source, target) = (list("a[1]"), list("a[2]"), list("a[2 3]"))
    await presenter.show(.replaced(by: shown, reset: nil), in: view)
    let delta = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    await presenter.show(.updated(try ReplicaUpdate(delta, from: source)), in: view)
    #expect(presenter.sections == target)
    #expect(view.faults.isEmpty)
    #expect(view.batchCount == 1)
    #expect(view.reloadCount == 1)
  }
}

/// A view that does not perform its batches to the end, unless told: it releases the completion, or says
/// that the animation was interrupted.
private final class InterruptedView: SectionDeltaUpdatableView {
  let presenter: ReplicaPresenter
  let releases: Bool
  let isFinished: Bool
  let calls = Locked<[String]>([])

  init(_ presenter: ReplicaPresenter, releases: Bool = false, isFinished: Bool = false) {
    (self.presenter, self.releases, self.isFinished) = (presenter, releases, isFinished)
  }

  var canPerformBatches: Bool { true }
  var sectionCount: Int { presenter.sections.count }

  func reloadData() { calls.withLock { $0.append("reload") } }

  func perform(_ batch: UpdateBatch, completion: @escaping @Sendable (Bool) -> Void) {
    batch.applyContent()
    let name = batch.animations == .none ? "batch without animation" : "batch"
    calls.withLock { $0.append(name) }
    if !releases { completion(isFinished) }
  }
}

extension SimulatorView {
  /// A view whose data source is a presenter.
  convenience init(_ presenter: ReplicaPresenter) {
    let numbers = Locked<[ReplicaID: Int]>([:])
    let number: @Sendable (ReplicaID) -> Int = { id in
      numbers.withLock { numbers in
        let number = numbers[id] ?? numbers.count
        numbers[id] = number
        return number
      }
    }
    self.init(isDivided: false) {
      ListStructure(
        sections: presenter.sections.map { section in
          ListStructure.Section(
            id: number(ReplicaID("section \(section.id)")), content: section.content,
            items: section.items.map { .init(id: number($0.id), content: $0.content) })
        })
    }
  }
}
