import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct DeadlineQueueTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `waiters come up in the order of their deadlines, each once`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = DeadlineQueue()
    var expected: [UInt64: Duration] = [:]
    for _ in 0..<2000 {
      let waiter = UInt64.random(in: 0..<50, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        queue.remove(waiter)
        expected[waiter] = nil
      case 1:
        let now = Duration.milliseconds(Int.random(in: 0..<1000, using: &generator))
        let popped = queue.pop(until: now)
        #expect((popped == nil) == !expected.values.contains { $0 <= now })
        if let popped {
          #expect(expected[popped] == expected.values.min())
          expected[popped] = nil
        }
      default:
        let deadline = Duration.milliseconds(Int.random(in: 0..<1000, using: &generator))
        queue.set(waiter, deadline)
        expected[waiter] = deadline
      }
      queue.checkInvariants()
      #expect(queue.count == expected.count)
      #expect(queue.earliest == expected.values.min())
      #expect(queue[waiter] == expected[waiter])
    }
  }
}
