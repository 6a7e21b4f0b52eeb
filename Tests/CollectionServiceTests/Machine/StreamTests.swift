import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// When streams ping and end, and when they can be written to.
@Suite struct StreamTests {
  private func stream(isWritable: Bool = true) -> Stream {
    Stream(
      .collections { _ in true }, isWritable: isWritable, ping: .seconds(15),
      lifetime: .seconds(100), now: .zero)
  }

  @Test func `a stream is pinged when nothing was sent for as long as it asked for`() {
    var stream = stream()
    let early = stream.pings(at: .seconds(14))
    stream.postponePing(.seconds(14))
    let postponed = stream.pings(at: .seconds(15))
    let due = stream.pings(at: .seconds(29))
    #expect([early, postponed, due] == [false, false, true])
    #expect(stream.deadline == .seconds(44))
  }

  @Test func `while an event is made or the connection takes nothing, nothing is sent`() {
    var stream = stream()
    stream.beginSending()
    #expect(!stream.canSend && stream.isBusy)
    let whileBusy = stream.pings(at: .seconds(20))
    stream.endSending(isWritable: false)
    #expect(!stream.canSend && !stream.isBusy)
    let reason = stream.receive(.writable, at: .seconds(20), isReleasing: false)
    #expect(stream.canSend && reason == nil && !whileBusy)
  }

  @Test func `a ping that is due while an event is made is sent if nothing comes of it`() {
    var stream = stream()
    stream.beginSending()
    let whileBusy = stream.pings(at: .seconds(20))
    #expect(!whileBusy && stream.deadline == .seconds(35))
    stream.endSending(isWritable: true)
    let due = stream.pings(at: .seconds(20))
    #expect(due && stream.isBusy)
  }

  @Test func `a stream ends when it is old, when nothing can be loaded, and in the window`() {
    let rows: [(ReaderEvent, Int, Bool, EndReason?)] = [
      (.changed, 99, false, nil), (.changed, 100, false, .rotate), (.deadline, 1, false, nil),
      (.deadline, 1, true, .drain), (.changed, 1, true, nil),
      (.failed(.tooLarge(limit: 1)), 1, false, .overload),
    ]
    for (event, seconds, isReleasing, expected) in rows {
      var stream = stream()
      let reason = stream.receive(event, at: .seconds(seconds), isReleasing: isReleasing)
      #expect(reason == expected, "\(event) after \(seconds) seconds")
    }
  }
}

/// Which collections are known to be in use.
@Suite struct UsesTests {
  private let keys = (0..<5000).map { CollectionKey(client: name("u"), name: name("c\($0)")) }

  @Test func `many uses are recorded early, and are kept if that fails`() {
    var uses = Uses()
    uses.insert(keys.prefix(4095))
    let few = uses.beginRecording()
    uses.insert(keys)
    let many = uses.beginRecording()
    let again = uses.beginRecording()
    #expect(few == nil && many.map(Set.init) == Set(keys) && again == nil)
    #expect(!uses.contains(keys[0]))
    uses.endRecording(false)
    #expect(uses.contains(keys[0]))
  }

  @Test func `a search gets all uses, those being recorded too, and nothing is recorded meanwhile`()
  {
    var uses = Uses()
    uses.insert(keys.prefix(4096))
    _ = uses.beginRecording()
    uses.insert([keys[4999]])
    let found = uses.beginSearch()
    #expect(Set(found) == Set(keys.prefix(4096) + [keys[4999]]))
    uses.insert(keys)
    uses.endRecording(true)
    let during = uses.beginRecording()
    uses.isSearching = false
    let after = uses.beginRecording()
    #expect(during == nil && after?.count == keys.count)
  }
}
