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
    let client = ClientState(name: name("u"), number: 1)
    var waiters = Waiters()
    var deadlines: [UInt64: Duration] = [:]
    var notified: [UInt64] = []
    var now = Duration.zero
    for id in 0..<UInt64(400) {
      let known = deadlines.keys.sorted().randomElement(using: &generator)
      let deadline = now + .seconds(Int.random(in: 1...50, using: &generator))
      switch (Int.random(in: 0..<6, using: &generator), known) {
      case (0, let known?):
        guard let reader = waiters[known] else { break }
        // A reader may leave when it is gone already.
        for _ in 0..<2 { waiters.remove(reader) }
        #expect(waiters[known] == nil)
        deadlines[known] = nil
        notified.removeAll { $0 == known }
      case (1, let known?):
        guard let reader = waiters[known] else { break }
        waiters.setDeadline(of: reader, deadline)
        deadlines[known] = deadline
      case (2, _):
        let changed = names[Int.random(in: 0..<3, using: &generator)]
        waiters.notify(client, changed, .changed, at: .zero)
        for reader in waiters.all where reader.entries.contains(where: { $0.name == changed }) {
          if !notified.contains(reader.id) { notified.append(reader.id) }
        }
      case (3, _):
        let next = waiters.nextNotification()
        #expect(next.map { notified.contains($0.reader.id) } ?? notified.isEmpty)
        notified.removeAll { $0 == next?.reader.id }
      case (4, _):
        now += .seconds(10)
        var due: Set<UInt64> = []
        while let reader = waiters.nextDue(now) { due.insert(reader.id) }
        #expect(due == Set(deadlines.filter { $0.value <= now }.keys))
        for id in due {
          guard let reader = waiters[id] else { continue }
          waiters.setDeadline(of: reader, deadline)
          deadlines[id] = deadline
        }
      default:
        let mine = names.filter { _ in Bool.random(using: &generator) }
        let reader = Reader.waiting(id, client, for: mine)
        waiters.register(reader)
        waiters.setDeadline(of: reader, deadline)
        deadlines[id] = deadline
      }
      waiters.checkInvariants()
      #expect(waiters.deadlineCount == deadlines.count)
      // A deadline that moved away may come up early, never late.
      if let first = deadlines.values.min() {
        #expect(waiters.earliestDeadline.map { $0 <= first } == true)
      }
    }
    for reader in Array(waiters.all) { waiters.remove(reader) }
    #expect(client.waiters.isEmpty && waiters.earliestDeadline == nil)
  }
}

extension Reader {
  /// A reader that waits for changes to collections.
  static func waiting(
    _ id: UInt64, _ client: ClientState, for names: [ResourceName]
  ) -> Reader {
    let entries = names.map { SyncRequest.Entry(.everything, name: $0, since: nil) }
    let request = SyncRequest(entries: entries, form: .plain)
    let reader = Reader(
      ReaderRequest(
        id: id, client: client.name,
        kind: .poll(request) { _, _ in }), client)
    reader.phase = .waiting
    return reader
  }
}
