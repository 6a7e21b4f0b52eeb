import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// Collections with sections, each in a view of its own, led together.
@MainActor @Suite struct SectionedSynchronizerTests: Hearing {
  let queues = ManualQueues()
  let clock = ManualTimer()
  let journal = Journal<String>()

  @Test func `updates within the delay are shown when it has passed`() {
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    let sections = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let flat = CollectionData(items("D"), queues: queues.queues)
    let views = (RecordingView(showing: sections), RecordingView(showing: flat))
    sections.view = views.0
    flat.view = views.1
    (sections.synchronizer, flat.synchronizer) = (synchronizer, synchronizer)
    queues.runAll()
    _ = (views.0.journal.take(), views.1.journal.take())
    sections.update(list("y:CA x:B"), completion: hear("s"))
    queues.runAll()
    clock.advance(by: .milliseconds(9))
    flat.update(items("E"), completion: hear("f"))
    queues.runAll()
    #expect(views.0.journal.entries == [] && views.1.journal.entries == [])
    clock.advance(by: .milliseconds(1))
    queues.runAll()
    #expect(views.0.journal.entries.last?.hasSuffix("y:CA x:B") == true)
    #expect(views.1.journal.entries == ["D | D0.0 I0.0 | E"])
    #expect(journal.entries == ["s applied by batches", "f applied by batches"])
  }

  @Test func `another collection in its view is a caller's mistake`() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        let queues = ManualQueues()
        let members = (0..<2).map { _ in
          CollectionSectionData(list("x:A"), queues: queues.queues)
        }
        let view = RecordingView(showing: members[0])
        let synchronizer = CollectionDataSynchronizer(delay: .none)
        for data in members {
          data.view = view
          data.synchronizer = synchronizer
          queues.runAll()
          data.update(list("x:AB"))
          queues.runAll()
        }
      }
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `random updates and delays are shown legally and none is lost`(seed: UInt64) {
    var (generator, lists) = (SeededGenerator(seed: seed), RandomLists(seed: seed))
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    let members = (0..<3).map { _ in CollectionSectionData<Section>(queues: queues.queues) }
    let views = members.map { SimulatorView(showing: $0, animating: queues.animating.queue) }
    for (data, view) in zip(members, views) {
      data.view = view
      data.synchronizer = synchronizer
    }
    var last = members.map(\.sections)
    for _ in 0..<150 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        let index = Int.random(in: 0..<3, using: &generator)
        last[index] = lists.pair().target
        members[index].update(last[index], animated: Bool.random(using: &generator))
      case 1: clock.advance(by: .milliseconds(5))
      case 2: queues.animating.runOne()
      default: _ = queues.calculation.runOne() || queues.delivery.runOne()
      }
    }
    while members.contains(where: \.isCalculating) {
      queues.runAll()
      clock.advance(by: .milliseconds(10))
    }
    #expect(members.map(\.sections) == last, "seed \(seed)")
    #expect(views.flatMap(\.faults) == [], "seed \(seed)")
  }
}
