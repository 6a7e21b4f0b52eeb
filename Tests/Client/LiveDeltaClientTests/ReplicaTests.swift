import DeltaEngine
import LiveCollections
import LiveCollectionsTesting
import LiveDeltaClient
import TestSupport
import Testing

@Suite struct ReplicaTests {
  @Test func `the protocol's example goes from one list to the other`() throws {
    let source = list("today[m1 m2 m3] earlier[m4 m5]")
    let target = list("pinned[m4 m9] today[m6 m1 m3.2] earlier[m5]")
    var delta = WireDelta(collection: "inbox", from: "v1", to: "v2", seq: 44)
    var sections = WireStep()
    sections.insertedSections = [.init(at: SectionIndex(0), id: "pinned", items: ["m9"])]
    sections.counts = [1, 3, 2]
    var items = WireStep()
    items.deletedItems = [ItemPath(section: 1, item: 1)]
    items.insertedItems = [.init(at: ItemPath(section: 1, item: 0), id: "m6")]
    items.movedItems = [
      ItemMove(from: ItemPath(section: 2, item: 0), to: ItemPath(section: 0, item: 0))
    ]
    items.counts = [2, 3, 1]
    var reloads = WireStep()
    reloads.reloadedItems = [.init(at: ItemPath(section: 1, item: 2), id: "m3")]
    reloads.counts = [2, 3, 1]
    delta.steps = [sections, items, reloads]
    delta.items = [
      "m3": target[1].items[2], "m6": target[1].items[0], "m9": target[0].items[1],
    ]
    delta.sections = ["pinned": ReplicaSection(target[0], items: [])]
    delta.deleted = ["m2"]

    var replica = try replica(holding: source)
    guard case .updated(let update) = try replica.apply(.delta(delta)) else {
      Issue.record("not updated")
      return
    }
    #expect(replica.sections == target)
    #expect(replica.version == "v2")
    #expect(replica.seq == 44)
    #expect(update.stages.map { $0.map(\.items.count) } == [[1, 3, 2], [2, 3, 1], [2, 3, 1]])
    #expect(update.delta == (try Delta(from: source, to: target)))
    try Simulator.check(update.delta, from: source, to: target)
  }

  @Test func `every delta of the engine arrives as it left`() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<rounds(3000) {
      let source = RandomList.make(&random)
      let target = RandomList.change(source, &random)
      let delta = try Delta(from: source, to: target)
      var replica = try replica(holding: source)
      let change = try replica.apply(.delta(WireDelta(delta, source: source, target: target)))
      guard case .updated(let update) = change else {
        Issue.record("seed \(seed), round \(round): not updated")
        return
      }
      #expect(replica.sections == target, "seed \(seed), round \(round)")
      #expect(update.delta == delta, "seed \(seed), round \(round)")
    }
  }

  @Test func `a corrupted delta is refused by the replica or by the simulator`() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for round in 0..<rounds(3000) {
      let source = RandomList.make(&random)
      let target = RandomList.change(source, &random)
      let delta = try Delta(from: source, to: target)
      if delta.isEmpty { continue }
      let sound = WireDelta(delta, source: source, target: target)
      var wire = sound
      wire.corrupt(&random)
      if wire == sound { continue }
      var replica = try replica(holding: source)
      do {
        guard case .updated(let update) = try replica.apply(.delta(wire)) else { continue }
        #expect(throws: LawViolation.self, "seed \(seed), round \(round)") {
          try Simulator.check(update.delta, from: source, to: target)
        }
      } catch {
        refused += 1
        #expect(replica.sections == source, "seed \(seed), round \(round)")
        #expect(replica.version == "v1", "seed \(seed), round \(round)")
      }
    }
    #expect(refused > rounds(3000) / 3, "seed \(seed)")
  }

  @Test func `a delta from another version is dropped`() throws {
    var replica = try replica(holding: list("a[1]"))
    let delta = WireDelta(collection: "inbox", from: "v0", to: "v2", seq: 2)
    #expect(throws: ReplicaError.wrongBase(held: "v1", from: "v0")) {
      try replica.apply(.delta(delta))
    }
    #expect(throws: ReplicaError.wrongBase(held: nil, from: "v0")) {
      var empty = CollectionReplica()
      try empty.apply(.delta(delta))
    }
  }

  @Test func `a later version that shows the same in a view is held afterwards`() throws {
    var replica = CollectionReplica()
    try replica.apply(
      .snapshot(WireSnapshot(collection: "inbox", version: "l.1.a", seq: 1, sections: [])))
    try replica.apply(.unchanged(version: "l.3.c", seq: 3))
    #expect(replica.version == "l.3.c" && replica.seq == 3)
    for (version, seq) in [("l.2.b", 2), ("k.4.d", 4)] {
      #expect(throws: ReplicaError.wrongBase(held: "l.3.c", from: version)) {
        try replica.apply(.unchanged(version: version, seq: seq))
      }
    }
  }

  @Test func `no news of a version that is not held is dropped`() throws {
    var replica = try replica(holding: list("a[1]"))
    #expect(throws: ReplicaError.wrongBase(held: "v1", from: "v2")) {
      try replica.apply(.unchanged(version: "v2", seq: 2))
    }
    guard case .unchanged = try replica.apply(.unchanged(version: "v1", seq: 1)) else {
      Issue.record("changed")
      return
    }
  }

  @Test func `a snapshot replaces everything and says why`() throws {
    var replica = try replica(holding: list("a[1]"))
    let reset = WireSnapshot.Reset(reason: "diverged", since: "v1")
    let snapshot = WireSnapshot(
      collection: "inbox", version: "x9", seq: 9, sections: list("b[2]"), reset: reset)
    guard case .replaced(let sections, let why) = try replica.apply(.snapshot(snapshot)) else {
      Issue.record("not replaced")
      return
    }
    #expect(sections == list("b[2]"))
    #expect(why == reset)
    #expect(replica.sections == list("b[2]"))
    #expect(replica.version == "x9")
  }

  @Test func `a deleted collection leaves nothing`() throws {
    var replica = try replica(holding: list("a[1]"))
    try replica.apply(.deleted)
    #expect(replica.version == nil)
    #expect(replica.sections.isEmpty)
  }

  @Test func `a delta changes and removes the collection's own content`() throws {
    var replica = try replica(holding: [])
    var delta = WireDelta(collection: "inbox", from: "v1", to: "v2", seq: 2)
    delta.meta = .changed(Array("1".utf8))
    try replica.apply(.delta(delta))
    #expect(replica.meta == Array("1".utf8))
    try replica.apply(.delta(WireDelta(collection: "inbox", from: "v2", to: "v3", seq: 3)))
    #expect(replica.meta == Array("1".utf8))
    delta = WireDelta(collection: "inbox", from: "v3", to: "v4", seq: 4)
    delta.meta = .removed
    try replica.apply(.delta(delta))
    #expect(replica.meta == nil)
  }

  @Test func `ids are the same only if their bytes are`() throws {
    let source = list("s[\u{E9} e\u{301} 7 -0 0]")
    let target = list("s[e\u{301}.2 7 0 -0] \u{E9}[\u{E9}] e\u{301}[K \u{212A}]")
    let delta = try Delta(from: source, to: target)
    #expect(delta.changes.insertedItems.count == 2)
    #expect(delta.changes.reloadedItems.count == 1)
    var replica = try replica(holding: source)
    try replica.apply(.delta(WireDelta(delta, source: source, target: target)))
    #expect(replica.sections == target)
    #expect(replica.sections != list("s[\u{E9}.2 7 0 -0] \u{E9}[\u{E9}] e\u{301}[K \u{212A}]"))
  }

  @Test func `content that no step brings is refused, and a deletion that none does`() throws {
    let source = list("s[1 2]")
    var step = WireStep()
    step.insertedItems = [.init(at: ItemPath(section: 0, item: 0), id: "3")]
    step.counts = [3]
    var sound = WireDelta(collection: "inbox", from: "v1", to: "v2", seq: 2)
    sound.steps = [step]
    sound.items = ["3": item("3")]
    var deltas = [WireDelta](repeating: sound, count: 4)
    deltas[0].items["1"] = item("1.2")
    deltas[1].items["4"] = item("4")
    deltas[2].sections["s"] = section("s.2")
    deltas[3].deleted = ["2"]
    for delta in deltas {
      var replica = try replica(holding: source)
      #expect(throws: ReplicaError.self) { try replica.apply(.delta(delta)) }
      #expect(replica.sections == source)
    }
    var replica = try replica(holding: source)
    try replica.apply(.delta(sound))
    #expect(replica.sections == list("s[3 1 2]"))
  }

  @Test func `a step whose counts are wrong is refused`() throws {
    var replica = try replica(holding: list("a[1]"))
    var delta = WireDelta(collection: "inbox", from: "v1", to: "v2", seq: 2)
    var step = WireStep()
    step.deletedItems = [ItemPath(section: 0, item: 0)]
    step.counts = [1]
    delta.steps = [step]
    delta.deleted = ["1"]
    #expect(
      throws: ReplicaError.badDelta(
        step: 0, reason: "a step leads to [0] items, not to [1]")
    ) {
      try replica.apply(.delta(delta))
    }
  }

  private func replica(holding sections: [ReplicaSection]) throws -> CollectionReplica {
    var replica = CollectionReplica()
    try replica.apply(
      .snapshot(WireSnapshot(collection: "inbox", version: "v1", seq: 1, sections: sections)))
    return replica
  }
}

extension ReplicaSection {
  fileprivate init(_ section: ReplicaSection, items: [ReplicaItem]) {
    self = section
    self.items = items
  }
}
