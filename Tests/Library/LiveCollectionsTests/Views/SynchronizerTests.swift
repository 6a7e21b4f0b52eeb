import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// Several collections in one view, led together.
@MainActor @Suite struct SynchronizerTests: Hearing {
  let queues = ManualQueues()
  let clock = ManualTimer()
  let journal = Journal<String>()

  private func members(_ contents: [String]) -> [CollectionData<Item>] {
    contents.enumerated().map { index, content in
      CollectionData(items(content), section: index, queues: queues.queues)
    }
  }

  private func view(of members: [CollectionData<Item>]) -> RecordingView {
    RecordingView(animating: queues.animating.queue) {
      members.map { text($0.items) }.joined(separator: "/")
    }
  }

  private func show(
    _ members: [CollectionData<Item>], in view: any DeltaUpdatableView,
    by synchronizer: CollectionDataSynchronizer
  ) {
    for data in members {
      data.view = view
      data.synchronizer = synchronizer
    }
  }

  @Test func `what comes within the delay is one batch`() {
    let members = members(["AB", "CD", "EF"])
    let view = view(of: members)
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    show(members, in: view, by: synchronizer)
    queues.runAll()
    _ = view.journal.take()
    members[0].update(items("B1A"), completion: hear("0"))
    members[2].update(items("E1F"), completion: hear("2"))
    queues.runAll()
    #expect(clock.waitingCount == 1)
    clock.advance(by: .milliseconds(9))
    members[1].update(items("D"), completion: hear("1"))
    queues.runAll()
    #expect(view.journal.entries == [])
    clock.advance(by: .milliseconds(1))
    queues.runAll()
    #expect(
      view.journal.entries == [
        "AB/CD/EF | D1.0 M0.1>0.0 | BA/D/EF", "BA/D/EF | R0.0 R2.0 | B1A/D/E1F",
      ])
    #expect(
      journal.entries == ["0 applied by batches", "2 applied by batches", "1 applied by batches"])
  }

  @Test(arguments: [
    (CollectionDataSynchronizer.Delay.none, Duration.zero), (.short, .milliseconds(10)),
    (.long, .milliseconds(100)), (.custom(.seconds(3)), .seconds(3)),
  ])
  func `the delay is what it says`(
    delay: CollectionDataSynchronizer.Delay, duration: Duration
  ) {
    let members = members(["A"])
    let view = view(of: members)
    members[0].synchronizer = CollectionDataSynchronizer(delay: delay, timer: clock.timer)
    members[0].view = view
    members[0].update(items("B"))
    queues.runAll()
    if duration > .zero {
      #expect(view.journal.entries == ["reloadData A"])
      clock.advance(by: duration - .milliseconds(1))
      queues.runAll()
      #expect(view.journal.entries == ["reloadData A"])
      clock.advance(by: .milliseconds(1))
      queues.runAll()
    }
    #expect(view.journal.entries.last == "A | D0.0 I0.0 | B")
  }

  @Test func `B11: the order in which view, section and synchronizer are set does not matter`() {
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    let members = members(["A", "B"])
    let view = view(of: members)
    members[0].synchronizer = synchronizer
    members[0].view = view
    members[0].section = 1
    members[1].section = 0
    members[1].view = view
    members[1].synchronizer = synchronizer
    queues.runAll()
    for data in members { data.update([], completion: hear("u")) }
    queues.runAll()
    #expect(view.journal.entries.last == "A/B | D0.0 D1.0 | /")
    #expect(members[0].view === view)
    #expect(journal.entries.count == 2)
  }

  @Test func `batches do not overlap, and what comes meanwhile goes together`() {
    let members = members(["A", "B", "C"])
    let view = SimulatorView(showing: members, animating: queues.animating.queue)
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    show(members, in: view, by: synchronizer)
    queues.runAll()
    members[0].update(items("AX"), completion: hear("0"))
    while queues.animating.isEmpty { _ = queues.calculation.runOne() || queues.delivery.runOne() }
    members[1].update(items("BY"), completion: hear("1"))
    members[2].update(items("CZ"), completion: hear("2"))
    while queues.calculation.runOne() || queues.delivery.runOne() {}
    #expect(view.batchCount == 1)
    queues.runAll()
    #expect(view.batchCount == 2)
    #expect(view.faults == [])
    #expect(journal.entries.count == 3)
    #expect(members.map { text($0.items) } == ["AX", "BY", "CZ"])
  }

  @Test func `one that is to be reloaded reloads all, whose content changes before`() {
    let members = members(["A", "B"])
    let view = view(of: members)
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    let delegate = Reloader()
    show(members, in: view, by: synchronizer)
    members[1].animationDelegate = delegate
    queues.runAll()
    for data in members { data.update(items("X"), completion: hear("u")) }
    queues.runAll()
    #expect(view.journal.entries.last == "reloadData X/X")
    #expect(journal.entries == ["u applied by fullReload", "u applied by fullReload"])
  }

  @Test func `a delegate that members share hears once of their batch`() {
    let members = members(["AB", "CD", "EF"])
    let view = view(of: members)
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    let delegate = Alongside(journal)
    for data in members {
      data.view = view
      data.synchronizer = synchronizer
      data.animationDelegate = delegate
    }
    queues.runAll()
    members[0].update(items("BA"))
    members[1].update(items("C"))
    members[2].update(items("EGF"))
    queues.runAll()
    #expect(view.journal.entries.last == "AB/CD/EF | D1.1 M0.1>0.0 I2.1 | BA/C/EGF")
    #expect(
      journal.entries == [
        "immediatelyBefore items", "during items", "immediatelyAfter items", "completed items",
      ])
  }

  @Test func `a member's reloads by hand are its own, the others need not wait for them`() {
    let members = members(["AB", "CD"])
    let view = view(of: members)
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    let delegate = ByHand()
    show(members, in: view, by: synchronizer)
    members[1].reloadDelegate = delegate
    queues.runAll()
    members[0].update(items("A1B"), completion: hear("0"))
    members[1].update(items("C1DE"), completion: hear("1"))
    queues.runAll()
    #expect(view.journal.entries.last == "AB/CD | I1.2 R0.0 | A1B/C1DE")
    #expect(journal.entries == ["0 applied by batches"])
    members[0].update(items("A1"), completion: hear("2"))
    queues.runAll()
    #expect(view.journal.entries.last == "A1B/C1DE | D0.1 | A1/C1DE")
    delegate.complete()
    queues.runAll()
    #expect(journal.entries.dropFirst() == ["2 applied by batches", "1 applied by batches"])
  }

  @Test func `a member that leaves the synchronizer while it waits is shown with the others`() {
    let members = members(["A", "B"])
    let view = view(of: members)
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    for data in members {
      data.view = view
      data.synchronizer = synchronizer
      data.update(items("X"), completion: hear("\(data.section)"))
    }
    queues.runAll()
    members[0].synchronizer = nil
    members[1].synchronizer = CollectionDataSynchronizer(delay: .none)
    for data in members { data.update(items("Y"), completion: hear("\(data.section)")) }
    queues.runAll()
    #expect(view.journal.entries == ["reloadData A/B", "reloadData A/B"])
    clock.advance(by: .milliseconds(10))
    queues.runAll()
    #expect(
      view.journal.entries.dropFirst(2) == [
        "A/B | D0.0 D1.0 I0.0 I1.0 | X/X", "X/X | D0.0 I0.0 | Y/X", "Y/X | D1.0 I1.0 | Y/Y",
      ])
    #expect(journal.entries.count == 4)
  }

  @Test func `B11: section reloads are in the one batch too`() {
    let members = members(["A", "B"])
    let view = view(of: members)
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    show(members, in: view, by: synchronizer)
    members[0].deltaCountAnimationThreshold = 0
    queues.runAll()
    for data in members { data.update(items("AB")) }
    queues.runAll()
    #expect(view.journal.entries.last == "A/B | I1.0 RS0 | AB/AB")
  }

  @Test func `a reload waits for the moves of others, and so does a section's`() {
    for (threshold, reload) in [(10_000, "R0.0"), (0, "RS0")] {
      let members = members(["AB", "XY"])
      let view = view(of: members)
      show(members, in: view, by: CollectionDataSynchronizer(delay: .none))
      queues.runAll()
      members[0].deltaCountAnimationThreshold = threshold
      members[0].update(items("A1BC"), completion: hear("0"))
      members[1].update(items("YX"), completion: hear("1"))
      queues.runAll()
      let first = threshold > 0 ? "I0.2 \(reload)" : reload
      #expect(
        view.journal.entries.suffix(2) == [
          "AB/XY | M1.1>1.0 | AB/YX", "AB/YX | \(first) | A1BC/YX",
        ])
    }
  }

  @Test func `two in one section of a view are a caller's mistake`() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        let queues = ManualQueues()
        let members = ["A", "B"].map { CollectionData(items($0), queues: queues.queues) }
        let view = RecordingView { members.map { text($0.items) }.joined(separator: "/") }
        let synchronizer = CollectionDataSynchronizer(delay: .none)
        for data in members {
          data.view = view
          data.synchronizer = synchronizer
        }
        members[0].update([])
        queues.runAll()
        members[1].update([])
        queues.runAll()
      }
    }
  }

  @Test func `one that the view shows no longer does not get into the batch of its successor`() {
    let members = members(["A", "B"])
    members[1].section = 0
    let view = RecordingView { text(members[1].items) }
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    let shown = Shown()
    members[0].validationDelegate = shown
    show(members, in: view, by: synchronizer)
    queues.runAll()
    members[0].update([], completion: hear("0"))
    queues.runAll()
    shown.isTrue = false
    members[1].update([], completion: hear("1"))
    queues.runAll()
    clock.advance(by: .milliseconds(10))
    queues.runAll()
    #expect(view.journal.entries.dropFirst(2) == ["B | D0.0 | "])
    #expect(journal.entries == ["0 applied by contentOnly", "1 applied by batches"])
  }

  @Test func `members that change places are not mistaken for two in one`() {
    let members = members(["A", "B"])
    let view = view(of: members)
    let synchronizer = CollectionDataSynchronizer(delay: .none)
    for data in members {
      data.view = view
      data.synchronizer = synchronizer
      data.update([])
    }
    queues.runAll()
    members[0].section = 1
    members[1].section = 0
    for data in members { data.update(items("C")) }
    queues.runAll()
    #expect(view.journal.entries.last == "/ | I0.0 I1.0 | C/C")
  }

  @Test func `nothing is lost when a member goes`() {
    let others = members(["A"])
    let view = view(of: others)
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    do {
      let member = CollectionData(items("B"), section: 1, queues: queues.queues)
      member.view = view
      member.synchronizer = synchronizer
      queues.runAll()
      member.update(items("BC"), completion: hear("gone"))
      queues.runAll()
    }
    others[0].view = view
    others[0].synchronizer = synchronizer
    others[0].update(items("AD"), completion: hear("stays"))
    queues.runAll()
    clock.advance(by: .milliseconds(10))
    queues.runAll()
    #expect(view.journal.entries.last == "A | I0.1 I1.1 | AD")
    #expect(journal.entries == ["gone applied by batches", "stays applied by batches"])
  }

  @Test func `B11: nothing is lost when the view goes before the delay has passed`() {
    let members = members(["A", "B"])
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    do {
      let view = view(of: members)
      for data in members {
        data.view = view
        data.synchronizer = synchronizer
      }
      queues.runAll()
      for data in members { data.update(items("X"), completion: hear("u")) }
      queues.runAll()
    }
    clock.advance(by: .milliseconds(10))
    queues.runAll()
    #expect(journal.entries == ["u applied by contentOnly", "u applied by contentOnly"])
    #expect(members.map { text($0.items) } == ["X", "X"])
    #expect(members.allSatisfy { !$0.isCalculating })
    let next = view(of: members)
    for data in members { data.view = next }
    members[0].update(items("Y"), completion: hear("v"))
    queues.runAll()
    clock.advance(by: .milliseconds(10))
    queues.runAll()
    #expect(next.journal.entries.last == "X/X | D0.0 I0.0 | Y/X")
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `members under random updates and delays are shown legally`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let members = members(["ABC", "DEF", "GHI", "JKL"])
    let view = SimulatorView(showing: members, animating: queues.animating.queue)
    let synchronizer = CollectionDataSynchronizer(delay: .short, timer: clock.timer)
    show(members, in: view, by: synchronizer)
    queues.runAll()
    var last = members.map(\.items)
    for _ in 0..<300 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        let index = Int.random(in: 0..<4, using: &generator)
        last[index] = last[index].shuffled(using: &generator).map {
          Item(
            id: $0.uniqueID, revision: Int.random(in: 0...1, using: &generator))
        }
        if Bool.random(using: &generator), !last[index].isEmpty { last[index].removeLast() }
        last[index].append(Item(id: "n\(generator.next() % 1000)"))
        if Set(last[index].map(\.uniqueID)).count < last[index].count { last[index].removeLast() }
        members[index].update(last[index], completion: hear("u"))
      case 1: clock.advance(by: .milliseconds(5))
      case 2: queues.animating.runOne()
      default: _ = queues.calculation.runOne() || queues.delivery.runOne()
      }
    }
    while members.contains(where: \.isCalculating) {
      queues.runAll()
      clock.advance(by: .milliseconds(10))
    }
    #expect(members.map(\.items) == last, "seed \(seed)")
    #expect(view.faults == [], "seed \(seed)")
  }
}

private final class Reloader: CollectionDataAnimationDelegate {
  func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle { .reloadData }
}

/// Claims the reloads of what changes, and completes them when it is told to.
private final class ByHand: CollectionDataManualReloadDelegate {
  private let open = Journal<@Sendable () -> Void>()

  func willHandleReload(at paths: ItemPathPair) -> Bool { true }

  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {
    for path in paths { open.note { itemCompletion(path) } }
  }

  func complete() { for completion in open.take() { completion() } }
}

/// Notes what it is told.
private final class Alongside: CollectionDataAnimationDelegate {
  private let journal: Journal<String>

  init(_ journal: Journal<String>) { self.journal = journal }

  func animateAlongsideUpdate(_ phase: AnimationPhase, of group: UpdateGroup) {
    journal.note("\(phase) \(group)")
  }
}

private final class Shown: CollectionDataReusableViewVerificationDelegate {
  private let value = Locked(true)

  var isTrue: Bool {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }

  func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool { isTrue }
}
