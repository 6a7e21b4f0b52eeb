import DeltaEngine
import LiveCollections
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

  @Test(arguments: [(canPerform: false, isAnimated: true), (true, false)])
  func `a view that cannot perform batches, or should not, is reloaded with the final content`(
    canPerform: Bool, isAnimated: Bool
  ) async throws {
    let presenter = ReplicaPresenter()
    let view = SimulatorView(presenter)
    var replica = CollectionReplica()
    let (source, target) = (list("a[1 2]"), list("b[2] a[1.2]"))
    let first = WireSnapshot(collection: "c", version: "v1", seq: 1, sections: source)
    await presenter.show(try replica.apply(.snapshot(first)), in: view)
    view.canPerformBatches = canPerform
    var delta = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    delta.isAnimated = isAnimated
    await presenter.show(try replica.apply(.delta(delta)), in: view)
    #expect(presenter.sections == target)
    #expect(view.batchCount == 0)
    #expect(view.reloadCount == 2)
    await presenter.show(.deleted, in: view)
    #expect(view.sectionCount == 0)
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

  @Test func `a view that shows anything else than a change starts from is reloaded`() async throws
  {
    let presenter = ReplicaPresenter()
    let view = SimulatorView(presenter)
    let (shown, source, target) = (list("a[1]"), list("a[2]"), list("a[2 3]"))
    await presenter.show(.replaced(by: shown, reset: nil), in: view)
    let delta = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    await presenter.show(.updated(try ReplicaUpdate(delta, from: source)), in: view)
    #expect(presenter.sections == target)
    #expect(view.faults.isEmpty)
    #expect(view.batchCount == 0)
    #expect(view.reloadCount == 2)
  }
}

/// A view that does not perform its batches to the end: it releases the completion, or says that the
/// animation was interrupted.
private final class InterruptedView: SectionDeltaUpdatableView {
  let presenter: ReplicaPresenter
  let releases: Bool
  let calls = Locked<[String]>([])

  init(_ presenter: ReplicaPresenter, releases: Bool) {
    (self.presenter, self.releases) = (presenter, releases)
  }

  var canPerformBatches: Bool { true }
  var sectionCount: Int { presenter.sections.count }

  func reloadData() { calls.withLock { $0.append("reload") } }

  func perform(_ batch: UpdateBatch, completion: @escaping @Sendable (Bool) -> Void) {
    batch.applyContent()
    calls.withLock { $0.append("batch") }
    if !releases { completion(false) }
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
