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
  private let keys = (0..<20_000).map { CollectionKey(client: name("u"), name: name("c\($0)")) }

  @Test func `a use is recorded once in an interval, and known for one more`() {
    var uses = Uses()
    let isFirst = uses.renew(at: 100, seconds: 10)
    for key in keys.prefix(127) + keys.prefix(127) { uses.insert(key) }
    let areFew = !uses.areMany
    uses.insert(keys[127])
    let areMany = uses.areMany
    #expect(isFirst && areFew && areMany)
    #expect(uses.takePending() == Array(keys.prefix(128)))
    uses.insert(keys[0])
    let rests = [uses.renew(at: 109, seconds: 10), uses.renew(at: 110, seconds: 10)]
    #expect(rests == [false, true])
    #expect(uses.takePending() == [] && uses.contains(keys[0]))
    uses.insert(keys[0])
    let isNext = uses.renew(at: 130, seconds: 10)
    #expect(isNext && uses.takePending() == [keys[0]])
    #expect(uses.contains(keys[0]) && !uses.contains(keys[1]))
  }

  @Test func `with very many collections an interval ends early`() {
    var uses = Uses()
    for key in keys { uses.insert(key) }
    #expect(uses.contains(keys[0]) && uses.takePending() == keys)
    for key in keys.prefix(16_000) { uses.insert(key) }
    #expect(!uses.contains(keys[16_001]) && uses.contains(keys[15_999]))
  }
}
