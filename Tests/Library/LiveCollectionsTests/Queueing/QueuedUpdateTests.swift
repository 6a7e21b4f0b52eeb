import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// Updates that wait their turn, on queues that the test runs.
@MainActor @Suite struct QueuedUpdateTests: Hearing {
  let queues = ManualQueues()
  let journal = Journal<String>()

  @Test func `an update is shown in batches and its caller hears once`() {
    let data = CollectionSectionData(list("x:AB y:C"), queues: queues.queues)
    let view = SimulatorView(showing: data, animating: queues.animating.queue)
    data.view = view
    #expect(data.update(list("y:C1A x:B z:D"), completion: hear("u")) == 1)
    #expect(data.isCalculating)
    queues.runAll()
    #expect(journal.entries == ["u applied by batches"])
    #expect(text(data.sections) == "y:C1A x:B z:D")
    #expect(view.faults == [])
    #expect(view.batchCount == 3)
    #expect(view.reloadCount == 1)
    #expect(!data.isCalculating)
  }

  @Test func `of updates that come while one is under way only the last is shown`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    let view = SimulatorView(showing: [data], animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    data.update(items("AB"), completion: hear("1"))
    queues.calculation.runAll()
    for (name, content) in [("2", "B"), ("3", "BC")] {
      data.update(items(content), completion: hear(name))
    }
    data.append(items("D"), completion: hear("4"))
    data.append(items("E"), completion: hear("5"))
    queues.runAll()
    #expect(
      journal.entries == [
        "1 applied by batches", "2 merged into 5", "3 merged into 5", "4 merged into 5",
        "5 applied by batches",
      ])
    #expect(text(data.items) == "BCDE")
    #expect(view.batchCount == 2)
    #expect(view.faults == [])
  }

  @Test func `an update that cannot be is rejected and takes no other with it`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    data.update(items("B"), completion: hear("1"))
    data.append(items("B"), completion: hear("2"))
    data.append(items("C"), completion: hear("3"))
    data.update(items("XX"), completion: hear("4"))
    queues.runAll()
    #expect(
      journal.entries == [
        "1 merged into 3", "2 rejected: target item id \"B\" occurs at [0, 0] and again at [0, 1]",
        "3 applied by contentOnly",
        "4 rejected: target item id \"X\" occurs at [0, 0] and again at [0, 1]",
      ])
    #expect(text(data.items) == "BC")
  }

  @Test func `what waits is bounded, and still every caller hears`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    for number in 1...40 { data.update(items("BB"), completion: hear("\(number)")) }
    queues.runAll()
    #expect(journal.entries.count == 40)
    #expect(journal.entries.filter { $0.contains("took its place") }.count == 24)
    #expect(text(data.items) == "A")
  }

  @Test func `an edit behind many updates is made of what it was meant for`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    data.update(items("Z"), completion: hear("first"))
    queues.calculation.runOne()
    data.update(items("B"), completion: hear("B"))
    data.append(items("Z"), completion: hear("Z"))
    for number in 1...14 { data.update(items("C"), completion: hear("\(number)")) }
    data.update(items("DD"), completion: hear("DD"))
    queues.runAll()
    #expect(text(data.items) == "C")
    #expect(journal.entries.count == 18)
    #expect(journal.entries[1...2] == ["B merged into 17", "Z merged into 17"])
    #expect(journal.entries.filter { $0.contains("rejected") }.count == 1)
  }

  @Test func `what was dropped is not merged into an edit of something else`() {
    let data = CollectionData(items("A"), queues: queues.queues)
    data.update(items("B"), completion: hear("B"))
    for number in 1...16 { data.update(items("CC"), completion: hear("\(number)")) }
    data.append(items("D"), completion: hear("D"))
    queues.runAll()
    #expect(text(data.items) == "AD")
    #expect(journal.entries.first == "B rejected: update 2 took its place, and was rejected")
    #expect(journal.entries.last == "D applied by contentOnly")
  }

  @Test func `an edit may throw what it likes, and changes nothing then`() {
    struct Mistake: Error {}
    let data = CollectionData(items("AB"), queues: queues.queues)
    data.edit(
      {
        try $0.delete(["A"])
        throw Mistake()
      }, completion: hear("1"))
    data.edit(
      {
        try $0.delete(["B"])
        try $0.delete(["B"])
      }, completion: hear("2"))
    data.delete(["B"], completion: hear("3"))
    queues.runAll()
    #expect(text(data.items) == "A")
    #expect(
      journal.entries == [
        "1 rejected: Mistake()", "2 rejected: there is no item \"B\"", "3 applied by contentOnly",
      ])
  }

  @Test func `consecutive edits look at the ids of the whole content once`() {
    let data = CollectionData((0..<1_000).map { CountedItem($0) }, queues: queues.queues)
    data.update((0..<1_000).map { CountedItem($0) })
    queues.runAll()
    for id in 0..<100 { data.delete([CountedItem.ID(id * 9)], completion: hear("u")) }
    CountedItem.ID.hashCount.withLock { $0 = 0 }
    queues.runAll()
    #expect(data.count == 900)
    #expect(journal.entries.count == 100 && journal.entries.last == "u applied by contentOnly")
    // One editor and one delta; a hundred would be a hundred thousand.
    #expect(CountedItem.ID.hashCount.withLock { $0 } < 10_000)
  }

  @Test func `an equal update leaves the view alone`() {
    let data = CollectionSectionData(list("x:AB"), queues: queues.queues)
    let view = SimulatorView(showing: data)
    data.view = view
    data.update(list("x:AB"), completion: hear("u"))
    queues.runAll()
    #expect(journal.entries == ["u applied by nothing"])
    #expect(view.batchCount == 0 && view.reloadCount == 1)
  }

  @Test func `a content with a duplicate from the start can be mended`() {
    let data = CollectionData(items("AA"), queues: queues.queues)
    let view = SimulatorView(showing: [data])
    data.view = view
    data.update(items("AB"), completion: hear("u"))
    queues.runAll()
    #expect(journal.entries == ["u applied by batches"])
    #expect(text(data.items) == "AB")
    #expect(view.faults == [])
  }

  @Test func `updates at once take their turn when a view is shown`() throws {
    let data = CollectionData(items("A"), queues: queues.queues)
    let view = SimulatorView(showing: [data], animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    try data.updateNow(items("AB"))
    #expect(text(data.items) == "A")
    try data.appendNow(items("C"))
    try data.updateNow(items("CA"))
    #expect(data.commit(try data.prepareUpdate(items("X"))) == false)
    queues.runAll()
    #expect(text(data.items) == "CA")
    #expect(view.batchCount == 2)
    #expect(view.faults == [])
  }

  @Test func `what an update leads to can be read while it is under way`() throws {
    let data = CollectionSectionData(list("x:A"), queues: queues.queues)
    let view = SimulatorView(showing: data, animating: queues.animating.queue)
    data.view = view
    queues.runAll()
    #expect(data.calculatingSections == nil)
    data.update(list("x:AB"))
    queues.calculation.runAll()
    data.update(list("x:C"))
    #expect(text(data.calculatingSections ?? []) == "x:AB")
    queues.runAll()
    #expect(data.calculatingSections == nil)
    try data.updateNow(list("x:D"))
    #expect(text(data.calculatingSections ?? []) == "x:D")
    data.update(list("x:EE"))
    while queues.delivery.runOne() || queues.animating.runOne() {}
    #expect(data.calculatingSections == nil)
    queues.runAll()
    let flat = CollectionData(items("A"), queues: queues.queues)
    flat.update(items("AA"))
    queues.calculation.runAll()
    #expect(flat.isCalculating && flat.calculatingItems == nil)
    queues.runAll()
  }

  @Test func `what is shown can be waited for`() async {
    let queues = CollectionQueues(delivery: .background)
    let data = CollectionData(["a"], queues: queues)
    #expect(await data.update(["b", "a"]).description == "applied by contentOnly")
    #expect(data.items == ["b", "a"])
    let sections = CollectionSectionData(list("x:A"), queues: queues)
    #expect(await sections.update(list("x:BB")).description.hasPrefix("rejected"))
  }

  @Test func `what appending would change is insertions, if the ids are new`() throws {
    let data = CollectionData(items("AB"), queues: queues.queues)
    #expect(try data.calculateDelta(items("ABCD")).steps.map(notation) == ["I0.2 I0.3"])
    #expect(try data.calculateDelta(data.items).isEmpty)
    #expect(throws: DuplicateIdentifier.self) { try data.calculateDelta(items("ABCB")) }
    let sections = CollectionSectionData(list("x:A"), queues: queues.queues)
    #expect(try sections.calculateDelta(list("x:A y:B")).steps.map(notation) == ["IS1"])
    #expect(throws: DuplicateIdentifier.self) { try sections.calculateDelta(list("x:A y:A")) }
  }

  @Test func `a delta can be calculated on the calculation queue`() {
    let data = CollectionSectionData(list("x:AB"), queues: queues.queues)
    let journal = journal
    data.calculateDelta(list("x:B")) { result in
      journal.note("\((try? result.get())?.changeCount ?? -1)")
    }
    data.calculateDelta(list("x:BB")) { result in
      if case .failure(let duplicate) = result { journal.note(duplicate.id) }
    }
    queues.runAll()
    #expect(journal.entries == ["1", "B"])
    #expect(text(data.sections) == "x:AB")
  }
}

/// An item whose id counts how often it is hashed.
private struct CountedItem: UniquelyIdentifiable, Sendable {
  struct ID: Hashable, Sendable {
    static let hashCount = Locked(0)
    var number: Int

    init(_ number: Int) { self.number = number }

    func hash(into hasher: inout Hasher) {
      Self.hashCount.withLock { $0 += 1 }
      hasher.combine(number)
    }
  }

  var uniqueID: ID

  init(_ number: Int) { uniqueID = ID(number) }
}
