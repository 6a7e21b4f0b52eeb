import SnapshotJSON
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// Whose answer is made next.
@Suite struct AnswerLinesTests {
  private static func order(
    _ client: String, _ reader: String, topic: String? = nil, _ interest: ReadInterest? = nil
  ) -> AnswerOrder {
    let client = name(client)
    let topics = topic.map {
      AnswerOrder.Topic(collection: .init(client: client, name: name($0)), view: nil)
    }
    return AnswerOrder(
      asker: .init(client: client, reader: reader), topics: topics.map { [$0] } ?? [],
      interest: interest ?? ReadInterest(asker: reader))
  }

  /// The lines, and what is being made.
  private struct Bench {
    var lines = AnswerLines()
    var running: [(job: AnswerLines.Job, worker: Int)] = []
    var resumed: [AnswerPause] = []

    mutating func add(_ order: AnswerOrder) {
      lines.append(order) { _, _ in }
      go()
    }

    mutating func go() {
      for step in lines.steps() {
        switch step {
        case .begin(let job, let worker): running.append((job, worker))
        case .resume(let pause): resumed.append(pause)
        }
      }
    }

    mutating func end(_ reader: String, costTooMuch: Bool = false) {
      guard let at = running.firstIndex(where: { $0.job.order.asker.reader == reader }) else {
        Issue.record("\(reader) is not being answered")
        return
      }
      let (job, worker) = running.remove(at: at)
      lines.end(job, worker: worker, costTooMuch: costTooMuch)
      go()
    }

    mutating func pause() -> AnswerPause {
      let pause = AnswerPause()
      lines.pause(pause)
      go()
      return pause
    }

    var readers: [String] { running.map(\.job.order.asker.reader) }
  }

  @Test func `who asks much does not have others wait for all of it`() {
    var bench = Bench()
    for _ in 0..<10 { bench.add(Self.order("a", "greedy")) }
    #expect(bench.readers == ["greedy"])
    bench.add(Self.order("b", "one"))
    bench.add(Self.order("c", "two"))
    #expect(bench.readers == ["greedy", "one"])
    bench.end("greedy")
    #expect(bench.readers == ["one", "two"])
    bench.end("two")
    #expect(bench.readers == ["one", "greedy"])
  }

  @Test func `a newcomer begins when those who are under way have had a turn`() {
    var bench = Bench()
    bench.add(Self.order("a", "1"))
    bench.add(Self.order("b", "2"))
    #expect(!bench.lines.hasOthers)
    bench.add(Self.order("c", "3"))
    #expect(bench.readers == ["1", "2"] && bench.lines.hasOthers)
    let first = bench.pause()
    #expect(bench.readers == ["1", "2", "3"] && bench.resumed.isEmpty)
    bench.end("3")
    #expect(bench.resumed.count == 1 && bench.resumed[0] === first)
    bench.add(Self.order("d", "4"))
    bench.add(Self.order("e", "5"))
    let second = bench.pause()
    #expect(bench.readers == ["1", "2", "4"])
    bench.end("4")
    // Those who came and those who had to wait take turns.
    #expect(bench.resumed.count == 2 && bench.resumed[1] === second)
    bench.end("2")
    #expect(bench.readers == ["1", "5"])
  }

  @Test func `answers of one topic are made one after the other, those of others are not held up`()
  {
    var bench = Bench()
    for reader in ["1", "2", "3"] { bench.add(Self.order("a", reader, topic: "x")) }
    bench.add(Self.order("a", "4", topic: "y"))
    #expect(bench.readers == ["1", "4"])
    bench.end("1")
    #expect(bench.readers == ["4", "2"])
    bench.end("4")
    #expect(bench.readers == ["2"])
    bench.end("2")
    #expect(bench.readers == ["3"])
  }

  @Test func `few answers of one client are under way`() {
    var bench = Bench()
    for reader in 1...6 { bench.add(Self.order("a", "\(reader)")) }
    for _ in 0..<2 * AnswerLines.underWayOfClientMax { _ = bench.pause() }
    #expect(bench.readers.count == AnswerLines.underWayOfClientMax)
    bench.add(Self.order("b", "b"))
    _ = bench.pause()
    _ = bench.pause()
    #expect(bench.readers.last == "b")
    bench.end("1")
    for _ in 0..<4 { _ = bench.pause() }
    #expect(bench.readers.contains("5"))
  }

  @Test func `what nobody waits for is not begun, and holds up nobody`() {
    var bench = Bench()
    let interest = ReadInterest(asker: "2")
    bench.add(Self.order("a", "1", topic: "x"))
    bench.add(Self.order("a", "2", topic: "x", interest))
    bench.add(Self.order("a", "2", topic: "x"))
    bench.add(Self.order("a", "3", topic: "x"))
    interest.end()
    bench.end("1")
    #expect(bench.readers == ["2"])
    bench.end("2")
    #expect(bench.readers == ["3"])
    bench.end("3")
    #expect(bench.readers.isEmpty)
  }

  @Test func `an answer is wanted as long as anybody waits for one of its topic`() {
    var bench = Bench()
    let (one, two) = (ReadInterest(asker: "1"), ReadInterest(asker: "2"))
    bench.add(Self.order("a", "1", topic: "x", one))
    bench.add(Self.order("a", "2", topic: "x", two))
    let job = bench.running[0].job
    var wanted = [bench.lines.isWanted(job)]
    for interest in [one, two] {
      interest.end()
      wanted.append(bench.lines.isWanted(job))
    }
    #expect(wanted == [true, true, false])
  }

  @Test func `what costs too much is not tried for each who waits for it`() {
    var bench = Bench()
    for reader in ["1", "2", "3"] { bench.add(Self.order("a", reader, topic: "x")) }
    bench.end("1", costTooMuch: true)
    bench.add(Self.order("a", "4", topic: "x"))
    #expect(bench.running[0].job.hasFailed)
    bench.end("2", costTooMuch: true)
    #expect(bench.running[0].job.hasFailed)
    bench.end("3", costTooMuch: true)
    // Whoever asks later has a try of its own.
    #expect(bench.readers == ["4"] && !bench.running[0].job.hasFailed)
  }

  @Test(arguments: 1...(UInt64(rounds(50))))
  func `every answer is made once, whatever the order of events`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bench = Bench()
    var (added, ended, leftCount) = (0, 0, 0)
    var left: [ReadInterest] = []
    var isPaused: [(AnswerPause, AnswerLines.Job)] = []
    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
    for step in 0..<2000 {
      switch pick(step < 1500 ? 4 : 3) {
      case 0 where !bench.running.isEmpty, 1 where !bench.running.isEmpty:
        let index = pick(bench.running.count)
        let (job, worker) = bench.running[index]
        guard !isPaused.contains(where: { $0.1.order.asker == job.order.asker }) else {
          bench.go()
          continue
        }
        bench.running.remove(at: index)
        bench.lines.end(job, worker: worker, costTooMuch: pick(4) == 0)
        ended += 1
        bench.go()
      case 2:
        let free = bench.running.filter { entry in
          !isPaused.contains { $0.1.order.asker == entry.job.order.asker }
        }
        if let (job, _) = free.first, bench.lines.hasOthers {
          let pause = AnswerPause()
          isPaused.append((pause, job))
          bench.lines.pause(pause)
          bench.go()
        }
      case 3:
        let interest = ReadInterest(asker: "")
        if pick(10) == 0 { left.append(interest) }
        bench.add(
          Self.order("c\(pick(3))", "r\(pick(6))", topic: "t\(pick(3))", interest))
        added += 1
        if pick(3) == 0, let interest = left.popLast() {
          interest.end()
          leftCount += 1
        }
      default: break
      }
      isPaused.removeAll { paused in bench.resumed.contains { $0 === paused.0 } }
      #expect(bench.running.count - isPaused.count <= AnswerLines.runningMax, "seed \(seed)")
    }
    while let (job, worker) = bench.running.first(where: { entry in
      !isPaused.contains { $0.1.order.asker == entry.job.order.asker }
    }) {
      bench.running.removeAll { $0.job.number == job.number }
      bench.lines.end(job, worker: worker, costTooMuch: false)
      ended += 1
      bench.go()
      isPaused.removeAll { paused in bench.resumed.contains { $0 === paused.0 } }
    }
    #expect(bench.running.isEmpty && isPaused.isEmpty, "seed \(seed)")
    #expect(ended <= added && ended >= added - leftCount, "seed \(seed)")
    #expect(!bench.lines.hasOthers, "seed \(seed)")
  }

  @Test
  func `the seconds after which to ask again double up to 300, and begin anew after an answer`()
    throws
  {
    let refusals = ViewRefusals()
    let key = CollectionKey(client: name("a"), name: name("c"))
    let view = try ViewQuery([("where", "/n:eq:1")]).view
    func refuse(_ now: Int, isNew: Bool = true) -> Int {
      refusals.refuse(view, of: key, at: .seconds(now), isNew: isNew)
    }
    #expect((0..<8).map { refuse($0) } == [5, 10, 20, 40, 80, 160, 300, 300])
    #expect(refuse(9, isNew: false) == 300)
    #expect(refusals.refuse(.whole, of: key, at: .seconds(9), isNew: true) == 5)
    #expect(refuse(2000) == 5)
    #expect(refuse(2001) == 10)
    refusals.forget(view, of: key)
    #expect(refuse(2002) == 5)
  }
}
