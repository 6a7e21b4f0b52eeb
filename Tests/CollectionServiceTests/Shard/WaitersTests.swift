import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct WaitersTests {
  private let names = ["a", "b", "c"].map { name($0) }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `each waiter is evaluated when it is due, or when a collection of its changes`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let client = ClientState(name: name("u"))
    var waiters = Waiters()
    var deadlines: [UInt64: Duration] = [:]
    var notified: [UInt64] = []
    var now = Duration.zero
    for id in 0..<UInt64(400) {
      let known = deadlines.keys.sorted().randomElement(using: &generator)
      let deadline = now + .seconds(Int.random(in: 1...50, using: &generator))
      switch (Int.random(in: 0..<6, using: &generator), known) {
      case (0, let known?):
        guard let waiter = waiters[known] else { break }
        let (isRemoved, isRemovedAgain) = (waiters.remove(waiter), waiters.remove(waiter))
        #expect(isRemoved && !isRemovedAgain)
        deadlines[known] = nil
        notified.removeAll { $0 == known }
      case (1, let known?):
        guard let waiter = waiters[known] else { break }
        waiters.setDeadline(of: waiter, deadline)
        deadlines[known] = deadline
      case (2, _):
        let changed = names[Int.random(in: 0..<3, using: &generator)]
        waiters.notify(client, changed, .changed, at: .zero)
        for waiter in waiters.all where waiter.names.contains(changed) {
          if !notified.contains(waiter.id) { notified.append(waiter.id) }
        }
      case (3, _):
        let next = waiters.nextNotification()
        #expect(next.map { notified.contains($0.waiter.id) } ?? notified.isEmpty)
        notified.removeAll { $0 == next?.waiter.id }
      case (4, _):
        now += .seconds(10)
        var due: Set<UInt64> = []
        while let waiter = waiters.nextDue(now) { due.insert(waiter.id) }
        #expect(due == Set(deadlines.filter { $0.value <= now }.keys))
        for id in due {
          guard let waiter = waiters[id] else { continue }
          waiters.setDeadline(of: waiter, deadline)
          deadlines[id] = deadline
        }
      default:
        let mine = names.filter { _ in Bool.random(using: &generator) }
        waiters.insert(Waiter(id: id, client, names: mine) { _ in .done }, until: deadline)
        deadlines[id] = deadline
      }
      waiters.checkInvariants()
      #expect(waiters.deadlineCount == deadlines.count)
      // A deadline that moved away may come up early, never late.
      if let first = deadlines.values.min() {
        #expect(waiters.earliestDeadline.map { $0 <= first } == true)
      }
    }
    for waiter in Array(waiters.all) {
      let isRemoved = waiters.remove(waiter)
      #expect(isRemoved)
    }
    #expect(client.waiters.isEmpty && waiters.earliestDeadline == nil)
  }
}
