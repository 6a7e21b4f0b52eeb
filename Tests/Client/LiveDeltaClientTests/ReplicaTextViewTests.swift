import DeltaEngine
import LiveCollections
import LiveDeltaAdmin
import LiveDeltaClient
import TestSupport
import Testing

@MainActor @Suite struct ReplicaTextViewTests {
  @Test func `each operation is a line that names what it is about`() async throws {
    let source = list("today[m1 m2 m3] earlier[m4 m5] old[]")
    var target = list("pinned[m4 m9] today.2[m6 m1 m3.2] earlier[m5]")
    target[0].items[1].json = Array(#"{"id":"m9","title":"Tickets"}"#.utf8)
    let lines = Locked<[String]>([])
    let presenter = ReplicaPresenter()
    let view = ReplicaTextView(presenter) { line in lines.withLock { $0.append(line) } }
    var replica = CollectionReplica()
    let snapshot = WireSnapshot(collection: "inbox", version: "v1", seq: 1, sections: source)
    await presenter.show(try replica.apply(.snapshot(snapshot)), in: view)
    #expect(lines.withLock { $0.first } == "  today, 3 items")
    #expect(lines.withLock { $0.count } == 8)

    lines.withLock { $0 = [] }
    let delta = try Delta(from: source, to: target)
    let wire = WireDelta(delta, source: source, target: target)
    await presenter.show(try replica.apply(.delta(wire)), in: view)
    #expect(
      lines.withLock { $0 } == [
        "  - section 2 old", "  + section 0 pinned, 1 item", "    + [0, 0] m9 \"Tickets\"",
        "  - [1, 1] m2", "  + [1, 0] m6",
        "  > [2, 0] to [0, 0] m4", "  ~ section 1 today", "  ~ [1, 2] m3",
      ])
  }

  @Test func `every delta can be told in lines, and a deletion empties the view`() async throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var held = RandomList.make(&random)
    let presenter = ReplicaPresenter(held)
    let lines = Locked(0)
    let view = ReplicaTextView(presenter) { _ in lines.withLock { $0 += 1 } }
    for round in 0..<300 {
      let target = RandomList.change(held, &random)
      var replica = CollectionReplica()
      try replica.apply(
        .snapshot(WireSnapshot(collection: "c", version: "v1", seq: 1, sections: held)))
      let wire = WireDelta(try Delta(from: held, to: target), source: held, target: target)
      lines.withLock { $0 = 0 }
      await presenter.show(try replica.apply(.delta(wire)), in: view)
      #expect(presenter.sections == target, "seed \(seed), round \(round)")
      #expect(view.sectionCount == target.count)
      #expect(lines.withLock { $0 } >= wire.operationCount)
      held = target
    }
    await presenter.show(.deleted, in: view)
    #expect(view.sectionCount == 0 && presenter.sections.isEmpty)
  }

  @Test func `an answer by itself is told in lines`() throws {
    let source = list("today[m1 m2] earlier[m4]")
    let target = list("today[m1.2] new[m9] earlier[m4]")
    let wire = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    let lines = DeltaAnswer.delta(wire).lines
    #expect(lines.first == "delta to v2")
    #expect(lines.contains("  + section 1 new, 1 item"))
    #expect(lines.contains("    + [1, 0] m9"))
    #expect(lines.contains("  - [0, 1]"))
    #expect(lines.last == "gone: m2")
    #expect(DeltaAnswer.unchanged(version: "v", seq: 1).lines == ["no news: v is the newest"])
    let reset = WireSnapshot(
      collection: "c", version: "v", seq: 1, sections: list("a[1]"),
      reset: .init(reason: "diverged"))
    #expect(
      DeltaAnswer.snapshot(reset).lines
        == ["snapshot v (reset: diverged)", "a, 1 item", "  1"])
  }

  @Test func `what a terminal would obey is escaped in names`() throws {
    let source = list("a[]")
    var target = list("a[1]")
    target[0].items[0].json = Array(#"{"id":"1","title":"\u001b[31m\n\u009b\u202e"}"#.utf8)
    let wire = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    #expect(
      DeltaAnswer.delta(wire).lines.last == #"  + [0, 0] 1 "\u001b[31m\u000a\u009b\u202e""#)
  }
}
