import CollectionService
import TestSupport
import Testing
import VersionedCollections

@Suite struct FollowTests {
  @Test func `a follower is pinged when nothing happens, and let go when it is old`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    let log = EventLog()
    bench.follow(since: head, log)
    #expect(try await log.wait(1) == ["bookmark"])
    bench.clock.advance(by: .seconds(15))
    #expect(try await log.wait(2).last == "ping")
    bench.clock.advance(by: .seconds(14))
    _ = try await bench.put(#"[{"id":1}]"#)
    #expect(try await log.wait(3).last == #"delta +1{"id":1}"#)
    bench.clock.advance(by: .seconds(14))
    _ = try await bench.put("[]")
    #expect(try await log.wait(4).last == "delta -1")
    bench.clock.advance(by: .seconds(15))
    #expect(try await log.wait(5).last == "ping")
    bench.clock.advance(by: .seconds(300))
    #expect(try await log.wait(6).last == "end rotate")
    try await bench.untilParked(0)
  }

  @Test func `a follower that takes nothing gets one delta when it does again`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    let log = EventLog()
    log.takes = 1
    let ticket = bench.follow(since: head, log)
    #expect(try await log.wait(1) == ["bookmark"])
    for number in 1...5 { _ = try await bench.put("[{\"id\":\(number)}]") }
    #expect(try await log.wait(1) == ["bookmark"])
    bench.clock.advance(by: .seconds(60))
    log.takes = 2
    ticket.resume()
    #expect(try await log.wait(2).last == #"delta +5{"id":5}"#)
    log.takes = 9
    _ = try await bench.put("[]")
    #expect(log.events.count == 2)
    ticket.resume()
    #expect(try await log.wait(3).last == "delta -5")
  }

  @Test func `a follower ahead of the head is told that it diverged`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    let log = EventLog()
    bench.follow(
      since: VersionToken(lineage: head.lineage, seq: 7, digest: head.digest), log)
    try await bench.untilParked()
    bench.clock.advance(by: .seconds(1))
    #expect(try await log.wait(1) == ["diverged :"])
  }

  @Test func `a follower that was ahead of the head and takes nothing does not occupy the queue`()
    async throws
  {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    let log = EventLog()
    log.takes = 1
    let ticket = bench.follow(
      since: VersionToken(lineage: head.lineage, seq: 7, digest: head.digest), log)
    try await bench.untilParked()
    bench.clock.advance(by: .seconds(2))
    #expect(try await log.wait(1) == ["diverged :"])
    _ = try await bench.put(#"[{"id":1}]"#)
    log.takes = 9
    ticket.resume()
    #expect(try await log.wait(2).last == #"delta +1{"id":1}"#)
  }

  @Test func `news to followers that live long leave nothing behind`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    let logs = (0..<20).map { _ in EventLog() }
    for log in logs { bench.follow(since: head, log) }
    try await bench.untilParked(20)
    for number in 1...500 {
      bench.clock.advance(by: .milliseconds(10))
      _ = try await bench.put("[{\"id\":\(number)}]")
    }
    for log in logs { #expect(try await log.wait(501).count == 501) }
    #expect(bench.service.deadlineCount == 20)
  }

  @Test func `when the service stops all are let go within the window`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    let log = EventLog()
    bench.follow(since: head, log)
    async let waiting = bench.delta(since: head, wait: 55)
    try await bench.untilParked(2)
    bench.service.releaseWaiters(over: .seconds(15))
    _ = try await bench.put("[]")
    bench.clock.advance(by: .seconds(15))
    #expect(try await waiting.text == "unchanged")
    #expect(try await log.wait(2).last == "end drain")
  }

  @Test(.timeLimit(.minutes(10)))
  func `news while the service stops keep no follower past the window`() async throws {
    let bench = ServiceBench()
    let head = try await bench.put("[]").version
    let log = EventLog()
    bench.follow(since: head, log)
    try await bench.untilParked()
    bench.service.releaseWaiters(over: .seconds(10))
    _ = try await bench.put(#"[{"id":1}]"#)
    #expect(try await log.wait(2).last == #"delta +1{"id":1}"#)
    bench.clock.advance(by: .seconds(10))
    #expect(try await log.wait(3).last == "end drain")
  }
}
