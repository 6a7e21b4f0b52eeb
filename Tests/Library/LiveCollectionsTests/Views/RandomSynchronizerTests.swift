import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// Random collections in one view, whose batches are judged whole.
@MainActor @Suite struct RandomSynchronizerTests {
  /// A list that an app might make of another one: some go, come, move and change.
  private func edited(_ old: [Item], _ random: inout SeededGenerator) -> [Item] {
    var new = old.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
    if Bool.random(using: &random) { new.shuffle(using: &random) }
    for index in new.indices where Int.random(in: 0..<4, using: &random) == 0 {
      new[index].revision += 1
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let id = "n\(random.next() % 1_000_000)"
      if new.contains(where: { $0.id == id }) || old.contains(where: { $0.id == id }) { continue }
      new.insert(Item(id: id), at: Int.random(in: 0...new.count, using: &random))
    }
    return new
  }

  private func configure(_ data: CollectionData<Item>, _ random: inout SeededGenerator) {
    if Int.random(in: 0..<4, using: &random) == 0 { data.deltaCountAnimationThreshold = 2 }
    if Int.random(in: 0..<8, using: &random) == 0 { data.dataCountAnimationThreshold = 4 }
    if Bool.random(using: &random) { data.itemReloadStyle = .reconfigure }
  }

  /// `ROUNDS=100` makes 100,000 of them in a debug build.
  @Test func `no batch of synchronized collections is one that the contract forbids`() {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var batches = 0
    for round in 0..<rounds(10_000) {
      let (queues, clock) = (ManualQueues(), ManualTimer())
      let members = (0..<Int.random(in: 2...4, using: &random)).map { section in
        CollectionData(
          items(String("ABCDEF".prefix(Int.random(in: 0...6, using: &random)))), section: section,
          queues: queues.queues)
      }
      let view = SimulatorView(showing: members, animating: queues.animating.queue)
      let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
      for data in members {
        data.view = view
        data.synchronizer = synchronizer
        configure(data, &random)
      }
      queues.runAll()
      var last = members.map(\.items)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: members.indices, using: &random)
        last[index] = edited(last[index], &random)
        members[index].update(last[index])
        if Bool.random(using: &random) { members[index].reload(last[index].prefix(1).map(\.id)) }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          _ =
            queues.calculation.runOne() || queues.delivery.runOne() || queues.animating.runOne()
        }
        if Bool.random(using: &random) { clock.advance(by: .milliseconds(6)) }
      }
      while members.contains(where: \.isCalculating) {
        queues.runAll()
        clock.advance(by: .milliseconds(10))
      }
      batches += view.batchCount
      #expect(view.faults == [], "seed \(seed), round \(round)")
      #expect(members.map(\.items) == last, "seed \(seed), round \(round)")
      if !view.faults.isEmpty { return }
    }
    #expect(batches > 0)
  }
}
