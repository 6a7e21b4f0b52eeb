import DeltaEngine
import LiveCollectionsClient
import Testing

@Suite struct TextViewTests {
  @Test func `each operation is a line that names what it is about`() throws {
    let source = list("today[m1 m2 m3] earlier[m4 m5] old[]")
    var target = list("pinned[m4 m9] today.2[m6 m1 m3.2] earlier[m5]")
    target[0].items[1].json = Array(#"{"id":"m9","title":"Tickets"}"#.utf8)
    var replica = CollectionReplica()
    try replica.apply(
      .snapshot(WireSnapshot(collection: "inbox", version: "v1", seq: 1, sections: source)))
    let delta = try Delta(from: source, to: target)
    let change = try replica.apply(.delta(WireDelta(delta, source: source, target: target)))
    let lines = TextView().lines(change, of: replica)
    #expect(lines.first == "delta to 2, \(delta.steps.count) steps: 3 sections, 6 items")
    #expect(lines.contains(#"  + section 0 pinned, 1 item"#))
    #expect(lines.contains(#"  - section 2 old"#))
    #expect(lines.contains { $0.hasPrefix("  > [2, 0] to [0, 0] m4") })
    #expect(lines.contains { $0.hasSuffix("m2") && $0.hasPrefix("  - [1, 1]") })
    #expect(lines.contains { $0.hasSuffix("m6") && $0.hasPrefix("  + [1, 0]") })
    #expect(lines.suffix(2) == ["  ~ section 1 today", "  ~ [1, 2] m3"])
    #expect(TextView().outline(target).contains(#"  m9 "Tickets""#))
  }

  @Test func `the other answers are a line each`() throws {
    var replica = CollectionReplica()
    let change = try replica.apply(
      .snapshot(
        WireSnapshot(
          collection: "inbox", version: "v1", seq: 1, sections: list("a[1]"),
          reset: .init(reason: "diverged"))))
    #expect(
      TextView().lines(change, of: replica) == ["snapshot 1 (reset: diverged): 1 section, 1 item"])
    #expect(TextView().lines(.unchanged, of: replica) == ["no news since 1"])
    #expect(TextView().lines(.deleted, of: replica) == ["deleted"])
  }
}
