import HTTPTestSupport
import TestSupport
import Testing

/// A judge that finds nothing must be one who would have found it.
@Suite struct JudgeTests {
  private let one = "aaaaaaaa.1.AAAAAAAAAAAAAAAA"
  private let two = "aaaaaaaa.2.AAAAAAAAAAAAAAAA"

  private func content(_ text: String) throws -> KnownContent {
    KnownContent(try HeldList(written: JSONTree(parsing: Array(text.utf8))))
  }

  private func event(_ start: Int, _ end: Int, _ what: Event.What) -> Event {
    Event(collection: "c", actor: "test", start: start, end: end, what: what)
  }

  private func wrote(_ version: String, _ previous: String? = nil) -> Event.What {
    .wrote(version: version, previous: previous, isChange: true)
  }

  private func read(
    _ version: String, _ asked: Event.Reading.Asked = .nothing, kind: String = "snapshot",
    reset: String? = nil, showing text: String? = nil
  ) throws -> Event.What {
    .read(
      Event.Reading(
        asked: asked, kind: kind, reset: reset, version: version, content: try text.map(content)))
  }

  private func faults(_ events: [Event]) -> Int {
    var judge = Judge(unruly: [])
    judge.judge(events)
    return judge.faults.count
  }

  @Test func `what is right is no fault`() throws {
    let events = [
      event(1, 2, wrote(one)), event(3, 6, wrote(two, one)),
      event(4, 5, try read(one, showing: "[]")),
      event(7, 8, try read(two, .held(one), kind: "delta", showing: "[]")),
      event(9, 10, .deleted(version: two, isAcknowledged: true)), event(11, 12, .missing),
      event(13, 14, wrote("bbbbbbbb.1.AAAAAAAAAAAAAAAA")),
      event(
        15, 16,
        try read("bbbbbbbb.1.AAAAAAAAAAAAAAAA", .held(two), reset: "lineage-changed", showing: "[]")
      ),
    ]
    #expect(faults(events) == 0)
  }

  @Test func `each law that is broken is found`() throws {
    let forged = Event.Reading.Asked.forged("aaaaaaaa.1.BBBBBBBBBBBBBBBB")
    let broken: [(String, [Event])] = [
      ("older than what was told", [event(4, 5, try read(one))]),
      ("a fork", [event(4, 5, wrote("aaaaaaaa.2.BBBBBBBBBBBBBBBB", one))]),
      ("a gap", [event(4, 5, wrote("aaaaaaaa.4.AAAAAAAAAAAAAAAA"))]),
      ("a version of nothing", [event(4, 5, try read("aaaaaaaa.3.AAAAAAAAAAAAAAAA"))]),
      ("lost", [event(4, 5, .missing)]),
      ("another lineage", [event(4, 5, wrote("bbbbbbbb.1.AAAAAAAAAAAAAAAA"))]),
      ("not what was before", [event(4, 5, wrote("aaaaaaaa.3.AAAAAAAAAAAAAAAA", one))]),
      (
        "two contents",
        [
          event(4, 5, try read(two, showing: #"[{"id":1}]"#)),
          event(6, 7, try read(two, showing: "[]")),
        ]
      ),
      ("diverged for no reason", [event(4, 5, try read(two, .held(one), reset: "diverged"))]),
      ("compacted too soon", [event(4, 5, try read(two, .held(one), reset: "history-compacted"))]),
      ("a snapshot for no reason", [event(4, 5, try read(two, .held(one)))]),
      ("a forgery taken", [event(4, 5, try read(two, forged, kind: "delta"))]),
      ("half a batch", [event(4, 5, .pair(1, 2))]),
      ("a refused batch", [event(3, 4, .refusedPair(1)), event(4, 5, .pair(1, 1))]),
      (
        "back from the dead",
        [event(4, 5, .deleted(version: two, isAcknowledged: true)), event(6, 7, try read(two))]
      ),
    ]
    for (name, events) in broken {
      let start = [event(0, 1, wrote(one)), event(2, 3, wrote(two, one))]
      #expect(faults(start) == 0)
      #expect(faults(start + events) > 0, "\(name)")
    }
  }
}
