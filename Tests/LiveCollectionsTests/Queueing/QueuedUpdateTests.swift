import DeltaEngine
import ListTestSupport
import LiveCollections
import Testing

/// Updates that wait their turn, on queues that the test runs.
@Suite struct QueuedUpdateTests: Hearing {
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
    try data.update(items("AB"))
    #expect(text(data.items) == "A")
    try data.append(items("C"))
    try data.update(items("CA"))
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
    data.update(list("x:AB"), completion: nil)
    queues.calculation.runAll()
    data.update(list("x:C"), completion: nil)
    #expect(text(data.calculatingSections ?? []) == "x:AB")
    queues.runAll()
    #expect(data.calculatingSections == nil)
    try data.update(list("x:D"))
    #expect(text(data.calculatingSections ?? []) == "x:D")
    data.update(list("x:EE"), completion: nil)
    while queues.delivery.runOne() || queues.animating.runOne() {}
    #expect(data.calculatingSections == nil)
    queues.runAll()
    let flat = CollectionData(items("A"), queues: queues.queues)
    flat.update(items("AA"), completion: nil)
    queues.calculation.runAll()
    #expect(flat.isCalculating && flat.calculatingItems == nil)
    queues.runAll()
  }

  @Test func `what is shown can be waited for`() async {
    let queues = CollectionQueues(delivery: .background)
    let data = CollectionData(["a"], queues: queues)
    #expect(await data.show(["b", "a"]).description == "applied by contentOnly")
    #expect(data.items == ["b", "a"])
    let sections = CollectionSectionData(list("x:A"), queues: queues)
    #expect(await sections.show(list("x:BB")).description.hasPrefix("rejected"))
  }

  @Test func `what appending would change is insertions, if the ids are new`() throws {
    let data = CollectionData(items("AB"), queues: queues.queues)
    #expect(try data.calculateAppendDelta(items("CD")).steps.map(notation) == ["I0.2 I0.3"])
    #expect(try data.calculateAppendDelta([]).isEmpty)
    #expect(throws: DuplicateIdentifier.self) { try data.calculateAppendDelta(items("CB")) }
    let sections = CollectionSectionData(list("x:A"), queues: queues.queues)
    #expect(try sections.calculateAppendDelta(list("y:B")).steps.map(notation) == ["IS1"])
    #expect(throws: DuplicateIdentifier.self) { try sections.calculateAppendDelta(list("y:A")) }
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
