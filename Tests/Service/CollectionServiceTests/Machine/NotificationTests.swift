import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct NotificationTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `readers are told in the order of their first event, once, of the latest`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let client = ClientState(name: name("u"), number: 1)
    let readers = (0..<20).map { Reader.waiting(UInt64($0), client, for: []) }
    var waiters = Waiters()
    for reader in readers {
      waiters.register(reader)
      client.waiters[name("\(reader.id)")] = [reader.id]
    }
    var expected: [(id: UInt64, isWritable: Bool)] = []
    for _ in 0..<1000 {
      if Bool.random(using: &generator) {
        let reader = readers[Int.random(in: 0..<20, using: &generator)]
        let isWritable = Bool.random(using: &generator)
        waiters.notify(
          client, name("\(reader.id)"), isWritable ? .writable : .changed, at: .zero)
        if let index = expected.firstIndex(where: { $0.id == reader.id }) {
          expected[index].isWritable = isWritable
        } else {
          expected.append((reader.id, isWritable))
        }
      } else {
        let next = waiters.nextNotification()
        #expect(next?.reader.id == expected.first?.id)
        if let next {
          let isWritable = if case .writable = next.event { true } else { false }
          #expect(isWritable == expected.removeFirst().isWritable)
        }
      }
      #expect(waiters.hasNotifications != expected.isEmpty)
    }
  }
}
