import DeltaEngine
import LiveCollections
import LiveCollectionsClient
import TestSupport
import Testing

@Suite struct TextViewTests {
  @Test func `each operation is a line that names what it is about`() throws {
    let source = list("today[m1 m2 m3] earlier[m4 m5] old[]")
    var target = list("pinned[m4 m9] today.2[m6 m1 m3.2] earlier[m5]")
    target[0].items[1].json = Array(#"{"id":"m9","title":"Tickets"}"#.utf8)
    var lines: [String] = []
    let view = TextView { lines.append($0) }
    var replica = CollectionReplica()
    let snapshot = WireSnapshot(collection: "inbox", version: "v1", seq: 1, sections: source)
    try replica.apply(.snapshot(snapshot)).show(in: view)
    #expect(lines.first == "  today, 3 items")
    #expect(lines.count == 8)

    lines = []
    let delta = try Delta(from: source, to: target)
    let wire = WireDelta(delta, source: source, target: target)
    try replica.apply(.delta(wire)).show(in: view)
    #expect(
      lines == [
        "  - section 2 old", "  + section 0 pinned, 1 item", "  - [1, 1] m2", "  + [1, 0] m6",
        "  > [2, 0] to [0, 0] m4", "  ~ section 1 today", "  ~ [1, 2] m3",
      ])
  }

  @Test func `a deletion empties a view`() throws {
    let view = RecordingView()
    var replica = CollectionReplica()
    let snapshot = WireSnapshot(
      collection: "inbox", version: "v1", seq: 1, sections: list("a[1]"))
    try replica.apply(.snapshot(snapshot)).show(in: view)
    #expect(view.shown == list("a[1]"))
    try replica.apply(.deleted).show(in: view)
    #expect(view.shown.isEmpty)
  }

  @Test func `a view that performs every step ends where the replica is`() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var held = RandomList.make(&random)
    let view = RecordingView()
    view.reloadData(held)
    for round in 0..<300 {
      let target = RandomList.change(held, &random)
      var replica = CollectionReplica()
      try replica.apply(
        .snapshot(WireSnapshot(collection: "c", version: "v1", seq: 1, sections: held)))
      let wire = WireDelta(try Delta(from: held, to: target), source: held, target: target)
      try replica.apply(.delta(wire)).show(in: view)
      #expect(view.shown == target, "seed \(seed), round \(round)")
      held = target
    }
  }

  @Test func `an answer by itself is told in lines`() throws {
    let source = list("today[m1 m2] earlier[m4]")
    let target = list("today[m1.2] new[m9] earlier[m4]")
    let wire = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    let lines = DeltaAnswer.delta(wire).lines
    #expect(lines.first == "delta to v2")
    #expect(lines.contains("  + section 1 new, 1 item"))
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
}

private final class RecordingView: ReplicaView {
  private(set) var shown: [ReplicaSection] = []

  func reloadData(_ sections: [ReplicaSection]) { shown = sections }

  func perform(
    _ step: DeltaStep, showing sections: [ReplicaSection], towards target: [ReplicaSection]
  ) {
    #expect(sections.map(\.items.count) == step.itemCounts)
    shown = sections
  }
}
