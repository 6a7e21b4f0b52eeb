import DeltaEngine
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// What the machine of a shard does about one event after another.
@Suite struct MachineTests {
  private let answers = MachineAnswers()
  private let a = CollectionKey(client: name("u"), name: name("a"))
  private let b = CollectionKey(client: name("u"), name: name("b"))

  /// A store with two collections of one client.
  private func filledStore() -> MachineStore {
    let bench = MachineBench()
    for (id, key) in [a, b].enumerated() {
      bench.handle(.put(UInt64(id), [key], #"[{"id":0}]"#, MachineAnswers()))
      bench.giveAll()
    }
    return bench.store
  }

  /// A machine that has the collections in memory.
  private func filledBench() -> MachineBench {
    let bench = MachineBench(filledStore())
    bench.handle(.sync(900, [a, b], since: [nil, nil], MachineAnswers()))
    bench.giveAll()
    return bench
  }

  // MARK: Loading

  @Test func `what several requests wait for is read once, and they go on in order`() {
    let bench = MachineBench(filledStore())
    #expect(bench.handle(.read(1, a, answers)) == ["read list a"])
    #expect(bench.handle(.read(2, a, answers)) == [])
    #expect(bench.handle(.put(3, [a], "[]", answers)) == [])
    #expect(bench.give() == ["answer", "answer", "commit a"])
    #expect(bench.handle(.read(4, a, answers)) == ["answer"])
    #expect([1, 2, 4].map { answers[$0] } == [[":0"], [":0"], [":0"]])
  }

  @Test func `a reader with the newest version does not have the collection read`() {
    let store = filledStore()
    let bench = MachineBench(store)
    #expect(bench.handle(.read(1, a, since: store.head(a), answers)) == ["read list a"])
    #expect(bench.give() == ["tell"])
    #expect(answers[1] == ["unchanged"])
  }

  @Test func `requests for several collections load one after the other`() {
    let bench = MachineBench(filledStore())
    #expect(bench.handle(.sync(1, [a, b], since: [nil, nil], answers)) == ["read list"])
    #expect(bench.give() == ["await turn"])
    #expect(bench.handle(.sync(2, [a, b], since: [nil, nil], answers)) == ["await turn"])
    #expect(bench.give() == ["read a"])
    #expect(bench.give() == ["read b"])
    #expect(bench.give() == ["compose 1", "end turn"])
    bench.giveAll()
    #expect(answers[1] == ["a :0, b :0"] && answers[2] == answers[1])
  }

  @Test func `a collection that left memory is loaded again for who waits for it`() {
    var limits = ServiceLimits()
    (limits.memoryBytesMax, limits.shardCount) = (1, 1)
    let store = filledStore()
    let bench = MachineBench(store, limits: limits)
    bench.handle(.read(1, a, since: store.head(a), wait: 20, answers))
    bench.giveAll()
    bench.handle(.put(2, [a], #"[{"id":7}]"#, answers))
    bench.giveAll()
    bench.handle(.evict)
    #expect(answers[2] == ["done"] && answers[1].count == 1)
    #expect(answers[1].first?.hasSuffix(":7") == true)
    #expect(bench.machine.residency.byteCount == 0)
  }

  // MARK: Writing

  @Test func `a collection is written in order of arrival, others at once`() {
    let bench = filledBench()
    #expect(bench.handle(.put(1, [a], "[]", answers)) == ["commit a"])
    #expect(bench.handle(.put(2, [a], "[1]", answers)) == [])
    #expect(bench.handle(.put(3, [b], "[]", answers)) == ["commit b"])
    #expect(bench.give() == ["withdraw", "answer writer", "commit a"])
    bench.giveAll()
    #expect([1, 2, 3].map { answers[$0] } == [["done"], ["failed"], ["done"]])
  }

  @Test func `the writer is answered, then its readers, then the next write starts`() {
    let bench = filledBench()
    let head = bench.store.head(a)
    for id in 1...2 as ClosedRange<UInt64> {
      #expect(bench.handle(.read(id, a, since: head, wait: 20, answers)) == [])
    }
    bench.handle(.put(3, [a], "[]", answers))
    bench.handle(.put(4, [a], #"[{"id":4}]"#, answers))
    #expect(bench.give() == ["withdraw", "answer writer", "answer", "answer", "commit a"])
    #expect(answers[1] == ["delta -0"] && answers[2] == answers[1])
  }

  @Test func `a request is done once, however often it is sent with its key`() {
    let bench = filledBench()
    let key = IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 2))
    for id in 1...2 as ClosedRange<UInt64> { bench.handle(.put(id, [a], "[]", key: key, answers)) }
    bench.giveAll()
    bench.handle(.put(3, [a], "[]", key: key, answers))
    bench.giveAll()
    #expect([1, 2, 3].map { answers[$0] } == [["done"], ["failed"], ["replayed"]])
  }

  @Test func `a replica whose write is not on the newest version writes again on that`() {
    let store = filledStore()
    let benches = (0..<2).map { _ in MachineBench(store, isShared: true) }
    for bench in benches {
      bench.handle(.read(9, a, answers))
      bench.giveAll()
    }
    benches[0].handle(.put(1, [a], #"[{"id":1}]"#, answers))
    benches[0].giveAll()
    #expect(benches[1].handle(.put(2, [a], #"[{"id":2}]"#, answers)) == ["commit a"])
    #expect(benches[1].give() == ["read list"])
    #expect(benches[1].give() == ["withdraw", "read list a"])
    #expect(benches[1].give() == ["commit a"])
    benches[1].giveAll()
    #expect(answers[2] == ["done"] && store.head(a)?.seq == 3)
  }

  @Test func `a list of which it is unknown whether it is older than memory is asked for again`() {
    let store = MachineStore()
    let (bench, replica) = (
      MachineBench(store, isShared: true), MachineBench(store, isShared: true, seed: 2)
    )
    bench.handle(.put(1, [a], "[]", answers))
    #expect(bench.give() == ["commit a"])
    for (id, isDeletion) in [(UInt64(2), true), (3, false)] {
      replica.handle(.put(id, [a], #"[{"id":3}]"#, isDeletion: isDeletion, answers))
      replica.giveAll()
    }
    #expect(bench.handle(.read(4, a, answers)) == ["read list"])
    #expect(bench.give() == ["answer writer"])
    #expect(bench.give() == ["read list"])
    bench.giveAll()
    #expect(answers[4] == [":3"])
  }

  @Test func `who shows a version does not rest on a first list that was asked for before it`() {
    let store = MachineStore()
    let bench = MachineBench(store, isShared: true)
    let replica = MachineBench(store, isShared: true, seed: 2)
    bench.handle(.sync(1, [a, b], since: [nil, nil], answers))
    replica.handle(.put(2, [a], #"[{"id":0}]"#, MachineAnswers()))
    replica.giveAll()
    bench.handle(.sync(3, [a, b], since: [store.head(a), nil], answers))
    bench.giveAll()
    // There is nothing new.
    #expect(answers[3] == [""])
  }

  @Test func `a stream is told of what was created again elsewhere before it knew of the deletion`()
  {
    let store = filledStore()
    let bench = MachineBench(store, isShared: true)
    let replica = MachineBench(store, isShared: true, seed: 2)
    bench.handle(.follow(1, a, since: store.head(a), answers))
    bench.giveAll()
    replica.handle(.put(2, [a], "", isDeletion: true, answers))
    replica.giveAll()
    bench.advance(by: .seconds(2))
    // The list of this reader is from after the deletion.
    #expect(bench.handle(.read(3, a, answers)) == ["read list a"])
    replica.handle(.put(4, [a], #"[{"id":4}]"#, answers))
    replica.giveAll()
    // That of the notice is from after the creation, and is asked for while memory has the first version.
    bench.handle(.othersWrote([a.client]))
    #expect(bench.give(1) == ["list u"])
    bench.giveAll()
    #expect(answers[1].first == "first" && answers[1].last == ":4")
  }

  @Test func `a collection that is created here and deleted elsewhere does not come back`() {
    let store = MachineStore()
    let bench = MachineBench(store, isShared: true)
    let replica = MachineBench(store, isShared: true, seed: 2)
    bench.handle(.put(1, [a], "[]", answers))
    #expect(bench.give() == ["commit a"])
    // Before the commit is acknowledged, a list has the new collection, and the next one has not.
    bench.handle(.read(2, a, answers))
    while bench.pending.count > 1 { bench.give(1) }
    replica.handle(.put(3, [a], "", isDeletion: true, answers))
    replica.giveAll()
    bench.advance(by: .seconds(2))
    bench.handle(.read(4, a, answers))
    while bench.pending.count > 1 { bench.give(1) }
    bench.giveAll()
    bench.handle(.read(5, a, answers))
    bench.giveAll()
    #expect([1, 2, 4, 5].map { answers[$0] } == [["done"], [":"], ["refused"], ["refused"]])
  }

  @Test func `a collection that was deleted elsewhere before its creation is known is not served`()
  {
    let store = MachineStore()
    let bench = MachineBench(store, isShared: true)
    let replica = MachineBench(store, isShared: true, seed: 2)
    bench.handle(.put(1, [a], "[]", answers))
    #expect(bench.give() == ["commit a"])
    replica.handle(.put(2, [a], "", isDeletion: true, answers))
    replica.giveAll()
    bench.advance(by: .seconds(2))
    // The list is that of before the creation.
    bench.handle(.read(3, a, answers))
    bench.give(1)
    #expect(bench.give() == ["answer writer"])
    bench.handle(.read(4, a, answers))
    bench.giveAll()
    #expect([1, 3, 4].map { answers[$0] } == [["done"], ["refused"], ["refused"]])
  }

  @Test func `a list without what was created here since it was asked for confirms nothing`() {
    let store = MachineStore()
    let bench = MachineBench(store, isShared: true)
    let replica = MachineBench(store, isShared: true, seed: 2)
    bench.handle(.put(1, [a], "[]", answers))
    #expect(bench.give() == ["commit a"])
    replica.handle(.put(2, [a], "", isDeletion: true, answers))
    replica.giveAll()
    bench.advance(by: .seconds(2))
    // The list is that of after the deletion; the creation is known before the list is.
    #expect(bench.handle(.read(3, a, answers)) == ["read list"])
    #expect(bench.give() == ["answer writer"])
    #expect(bench.give() == ["read list"])
    bench.giveAll()
    #expect([1, 3].map { answers[$0] } == [["done"], ["refused"]])
  }

  @Test func `who waits for a collection is not given one that was deleted before`() {
    let store = MachineStore()
    let bench = MachineBench(store, isShared: true)
    let replica = MachineBench(store, isShared: true, seed: 2)
    bench.handle(.put(1, [a], "[]", answers))
    bench.give()
    replica.handle(.put(2, [a], "", isDeletion: true, answers))
    replica.giveAll()
    bench.advance(by: .seconds(2))
    bench.handle(.read(3, a, wait: 20, forCollection: true, answers))
    bench.give(1)
    #expect(bench.give() == ["answer writer"])
    bench.giveAll()
    #expect(answers[1] == ["done"] && answers[3] == [])
    replica.handle(.put(4, [a], #"[{"id":4}]"#, answers))
    replica.giveAll()
    bench.handle(.othersWrote(nil))
    bench.giveAll()
    #expect(answers[3] == [":4"])
  }

  @Test func `who waits for a collection is given it though a list was from before its creation`() {
    let bench = MachineBench(MachineStore(), isShared: true)
    bench.handle(.sync(1, [a, b], since: [nil, nil], wait: 20, answers))
    bench.handle(.read(2, a, wait: 20, forCollection: true, answers))
    bench.giveAll()
    bench.handle(.othersWrote(nil))
    // The question, and then the list.
    bench.give()
    bench.handle(.put(3, [a, b], #"[{"id":3}]"#, answers))
    while !bench.pending.isEmpty { bench.give(bench.pending.count - 1) }
    #expect([1, 2, 3].map { answers[$0] } == [["a :3, b :3"], [":3"], ["done, done"]])
  }

  @Test func `who waits for what was created again elsewhere is not told of the deletion before`() {
    let store = filledStore()
    let bench = MachineBench(store, isShared: true)
    let replica = MachineBench(store, isShared: true, seed: 2)
    bench.handle(.put(1, [a], "", isDeletion: true, answers))
    #expect(bench.give() == ["commit a"])
    replica.handle(.put(2, [a], #"[{"id":2}]"#, answers))
    replica.giveAll()
    bench.advance(by: .seconds(2))
    bench.handle(.read(3, a, since: store.head(a), wait: 20, answers))
    while bench.pending.count > 1 { bench.give(1) }
    bench.giveAll()
    #expect(answers[1] == ["done"] && answers[3] == [])
  }

  @Test func `a deletion is told at once, though a list from before it came before it was known`() {
    let store = filledStore()
    let bench = MachineBench(store, isShared: true)
    bench.handle(.follow(1, a, since: store.head(a), answers))
    bench.giveAll()
    store.changeSettings(of: a)
    bench.handle(.othersWrote([a.client]))
    #expect(bench.give() == ["list u"])
    #expect(bench.handle(.put(2, [a], "", isDeletion: true, answers)) == ["commit a"])
    bench.giveAll()
    #expect(answers[2] == ["done"] && answers[1] == ["first", "deleted"])
  }

  @Test func `who waits for a collection is given it though the list with it is passed over`() {
    let store = filledStore()
    let bench = MachineBench(store, isShared: true)
    bench.handle(.put(1, [a], "", isDeletion: true, answers))
    bench.giveAll()
    bench.handle(.read(2, a, wait: 20, forCollection: true, answers))
    bench.giveAll()
    bench.handle(.othersWrote(nil))
    #expect(bench.give() == ["list u"])
    #expect(bench.handle(.put(3, [a], #"[{"id":3}]"#, answers)) == ["commit a"])
    #expect(bench.handle(.put(4, [b], "", isDeletion: true, answers)) == ["commit b"])
    // The list is from before both; then the creation is known, and the next list is asked for.
    bench.give()
    bench.give()
    #expect(bench.give(1) == ["list u"])
    // When it comes, the deletion is known, too.
    bench.giveAll()
    #expect([2, 3, 4].map { answers[$0] } == [[":3"], ["done"], ["done"]])
  }

  @Test func `a client leaves memory when a late list takes its last collection`() {
    let bench = MachineBench(MachineStore(), isShared: true)
    let replica = MachineBench(bench.store, isShared: true, seed: 2)
    replica.handle(.put(1, [a], "[]", answers))
    replica.giveAll()
    let head = bench.store.head(a)
    bench.handle(.read(2, a, since: head, wait: 20, answers))
    bench.giveAll()
    bench.advance(by: .milliseconds(900))
    #expect(bench.handle(.read(3, a, answers)) == ["read list a"])
    bench.advance(by: .milliseconds(500))
    replica.handle(.put(4, [a], "", isDeletion: true, answers))
    replica.giveAll()
    #expect(bench.handle(.read(5, a, since: head, answers)) == ["read list"])
    bench.handle(.left(2))
    // The earlier list will do for both readers; nobody waits for the later one.
    bench.give()
    #expect(answers[3] == [":"] && answers[5] == ["unchanged"])
    #expect(bench.machine.clients.count == 1)
    bench.give()
    #expect(bench.machine.clients.isEmpty && bench.machine.residency.byteCount == 0)
  }

  // MARK: Waiting

  @Test func `a reader waits for changes until its time is over`() {
    let bench = filledBench()
    let head = bench.store.head(a)
    bench.handle(.read(1, a, since: head, wait: 20, answers))
    bench.handle(.read(2, a, since: head, wait: 20, answers))
    #expect(bench.handle(.waitEnded(2)) == ["tell"])
    #expect(bench.advance(by: .seconds(17)) == [])
    #expect(bench.advance(by: .seconds(3)) == ["tell"])
    #expect(answers[1] == ["unchanged"] && answers[2] == ["unchanged"])
    #expect(bench.counters.parked.value == 0)
  }

  @Test func `a wait that ends while something is loaded ends with the load`() {
    let store = filledStore()
    let bench = MachineBench(store)
    bench.handle(.read(1, a, since: store.head(a), wait: 20, answers))
    #expect(bench.handle(.waitEnded(1)) == [])
    #expect(bench.give() == ["tell"])
    #expect(answers[1] == ["unchanged"])
  }

  /// What a reader waits for when it leaves.
  enum Stage: CaseIterable { case load, news, answer, stream }

  @Test(arguments: Stage.allCases)
  func `a reader who leaves is not answered, whatever it waits for`(stage: Stage) {
    let bench = stage == .load ? MachineBench(filledStore()) : filledBench()
    let head = bench.store.head(a)
    switch stage {
    case .load: bench.handle(.read(1, a, answers))
    case .news: bench.handle(.read(1, a, since: head, wait: 20, answers))
    case .answer: bench.handle(.sync(1, [a, b], since: [nil, nil], answers))
    case .stream: bench.handle(.follow(1, a, answers))
    }
    #expect(bench.machine.waiters[1] != nil)
    bench.handle(.left(1))
    bench.handle(.put(2, [a], "[]", MachineAnswers()))
    bench.giveAll()
    bench.advance(by: .seconds(400))
    #expect(answers[1] == [])
    #expect(bench.machine.waiters.all.isEmpty && bench.counters.parked.value == 0)
  }

  // MARK: Streams

  @Test func `a version that was lost is not unchanged in an answer about several collections`()
    throws
  {
    let bench = filledBench()
    let head = try #require(bench.store.head(a))
    let lost = VersionToken(lineage: head.lineage, seq: 9, digest: head.digest)
    bench.handle(.sync(1, [a, b], since: [lost, bench.store.head(b)], answers))
    bench.handle(.sync(2, [a, b], since: [lost, nil], wait: 20, answers))
    bench.handle(.follow(3, a, since: lost, answers))
    bench.advance(by: .milliseconds(999))
    bench.giveAll()
    #expect([1, 2, 3].allSatisfy { answers[$0].isEmpty })
    bench.advance(by: .milliseconds(1))
    bench.giveAll()
    #expect(answers[1] == ["a diverged :0"] && answers[2] == ["a diverged :0, b :0"])
    #expect(answers[3] == ["first"] && bench.machine.waiters.all.count == 1)
  }

  @Test func `a stream is sent one event for all that happened while it took nothing`() {
    let bench = filledBench()
    let takes = SharedNumber(0)
    bench.handle(.follow(1, a, since: bench.store.head(a), answers) { takes.value > 0 })
    #expect(bench.give() == ["begin 1"])
    for number in 1...3 {
      bench.handle(.put(UInt64(number + 1), [a], "[{\"id\":\(number)}]", MachineAnswers()))
      bench.giveAll()
    }
    #expect(answers[1] == ["first"])
    takes.value = 1
    #expect(bench.handle(.writable(1)) == ["compose 1"])
    #expect(bench.give() == ["send 1 news"])
    #expect(answers[1].last?.contains("+3") == true)
    #expect(bench.advance(by: .seconds(15)) == ["send 1 ping"])
    bench.handle(.release(over: .zero))
    #expect(bench.advance(by: .seconds(1)) == ["send 1 end drain"])
  }

  @Test func `a stream of a view that was told of a deletion begins anew without a reset`() throws {
    let bench = filledBench()
    let view = try ViewQuery([(name: "where", value: "/id:eq:0")])
    bench.handle(.follow(1, a, since: bench.store.head(a), view: view, answers))
    bench.giveAll()
    for (id, body) in [(UInt64(2), #"[{"id":0},{"id":2}]"#), (3, ""), (4, #"[{"id":0}]"#)] {
      bench.handle(.put(id, [a], body, isDeletion: body.isEmpty, answers))
      bench.giveAll()
    }
    #expect(answers[1] == ["first", "deleted", ":0"])
  }

  @Test func `who waits for a view is told of a deletion that happens while its answer is made`()
    throws
  {
    let bench = filledBench()
    let view = try ViewQuery([(name: "where", value: "/id:eq:0")])
    let head = bench.store.head(a)
    bench.handle(.read(1, a, since: head, wait: 20, forCollection: true, view: view, answers))
    bench.handle(.put(2, [a], #"[{"id":0},{"id":2}]"#, MachineAnswers()))
    #expect(bench.give().contains("compose 1"))
    bench.handle(.put(3, [a], "", isDeletion: true, MachineAnswers()))
    // The deletion is committed before the answer is there.
    bench.give(1)
    bench.giveAll()
    #expect(answers[1] == ["deleted"])
  }

  @Test func `a stream of what is imposed loads what its version alone does not show`() throws {
    var limits = ServiceLimits()
    (limits.memoryBytesMax, limits.shardCount) = (1, 1)
    let store = filledStore()
    let bench = MachineBench(store, limits: limits)
    let view = try ViewRestriction([(name: "where", value: "/id:eq:0")])
    // The client's list is known, and nothing else is in memory.
    bench.handle(.read(2, a, since: store.head(a), MachineAnswers()))
    bench.giveAll()
    bench.handle(.evict)
    #expect(bench.machine.residency.byteCount == 0)
    bench.handle(.follow(1, a, since: store.head(a), imposed: view, answers))
    bench.giveAll()
    #expect(answers[1].first == "first" && !answers[1].contains("deleted"))
  }

  @Test func `what changes while the first answer of a stream is made is sent after it`() {
    let bench = filledBench()
    bench.handle(.follow(1, a, since: bench.store.head(a), answers))
    bench.handle(.put(2, [a], #"[{"id":2}]"#, MachineAnswers()))
    // The commit is given before the first answer.
    bench.give(1)
    #expect(answers[1] == [])
    bench.giveAll()
    #expect(answers[1].count == 2 && answers[1].last?.contains("+2") == true)
  }
}
