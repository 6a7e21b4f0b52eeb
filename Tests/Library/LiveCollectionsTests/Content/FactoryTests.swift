import DeltaEngine
import Dispatch
import LiveCollections
import LiveCollectionsTesting
import Testing

/// A movie, and whether it is in theaters: which the raw data does not say.
private struct Movie: UniquelyIdentifiable, Sendable {
  typealias RawType = String

  var uniqueID: String
  var isInTheaters: Bool
  var rawData: String { uniqueID }
}

private final class TheaterFactory: UniquelyIdentifiableDataFactory {
  let journal = Journal<String>()
  let buildQueue: WorkQueue?
  private let inTheaters = Locked<Set<String>>([])

  init(buildQueue: WorkQueue? = nil) { self.buildQueue = buildQueue }

  func show(_ titles: Set<String>) { inTheaters.withLock { $0 = titles } }

  func buildUniquelyIdentifiableDatum(_ rawData: String) -> Movie {
    Movie(uniqueID: rawData, isInTheaters: inTheaters.withLock { $0.contains(rawData) })
  }

  func didBeginBuildingData() { journal.note("begin") }
  func didEndBuildingData() { journal.note("end") }
}

/// Says of a movie whether it was built on the factory's queue.
private struct QueuedFactory: UniquelyIdentifiableDataFactory {
  private static let key = DispatchSpecificKey<Bool>()
  let buildQueue: DispatchQueue? = DispatchQueue(label: "building")

  init() { buildQueue?.setSpecific(key: Self.key, value: true) }

  func buildUniquelyIdentifiableDatum(_ rawData: String) -> Movie {
    Movie(
      uniqueID: rawData, isInTheaters: DispatchQueue.getSpecific(key: Self.key) ?? false)
  }
}

/// Content that is built from raw data and from what a factory knows beside.
@MainActor @Suite struct FactoryTests {
  let queues = ManualQueues()
  let journal = Journal<String>()

  @Test func `the same raw data is reloaded where what the factory knows has changed`() {
    let factory = TheaterFactory()
    let data = CollectionData(
      dataFactory: factory, rawData: ["Metropolis", "Sunrise"], queues: queues.queues)
    let view = SimulatorView(showing: [data])
    data.view = view
    queues.runAll()
    factory.show(["Sunrise"])
    let journal = journal
    data.update(["Metropolis", "Sunrise"]) { outcome in
      guard case .applied(let update) = outcome else { return }
      journal.note("\(update.delta?.changes.reloadedItems.map(\.target.item) ?? [])")
    }
    queues.runAll()
    #expect(journal.entries == ["[1]"])
    #expect(data.items.map(\.isInTheaters) == [false, true])
    factory.show(["Metropolis"])
    data.rebuild()
    queues.runAll()
    #expect(data.items.map(\.isInTheaters) == [true, false])
    #expect(view.batchCount == 2 && view.faults == [])
  }

  @Test func `each array is built as a whole, on the factory's queue`() {
    let building = ManualQueue()
    let factory = TheaterFactory(buildQueue: building.queue)
    let data = CollectionData(dataFactory: factory, rawData: ["a"], queues: queues.queues)
    #expect(factory.journal.take() == ["begin", "end"])
    data.update(["b"])
    data.append(["c", "d"])
    queues.runAll()
    #expect(factory.journal.take() == [])
    building.runAll()
    #expect(factory.journal.take() == ["begin", "end", "begin", "end"])
    queues.runAll()
    #expect(data.items.map(\.rawData) == ["b", "c", "d"])
  }

  @Test func `a dispatch queue is a factory's queue too`() async {
    let data = CollectionData(
      dataFactory: QueuedFactory(), queues: CollectionQueues(delivery: .background))
    await data.update(["a"])
    #expect(data.items.map(\.isInTheaters) == [true])
  }

  @Test func `raw data is built at once too`() throws {
    let data = CollectionData(dataFactory: TheaterFactory(), rawData: ["a"])
    #expect(try data.updateNow(["b"]).changeCount == 2)
    #expect(try data.appendNow(["a"]).changeCount == 1)
    #expect(data.items.map(\.rawData) == ["b", "a"])
  }

  @Test func `a delta can be calculated for raw data`() throws {
    let factory = TheaterFactory()
    let data = CollectionData(dataFactory: factory, rawData: ["a"], queues: queues.queues)
    let journal = journal
    data.calculateDelta(["b", "a"]) { journal.note("\((try? $0.get())?.changeCount ?? -1)") }
    queues.runAll()
    #expect(journal.entries == ["1"])
    #expect(try data.calculateDelta(["c", "b", "a"]).changeCount == 2)
    #expect(throws: DuplicateIdentifier.self) { try data.calculateDelta(["b", "b"]) }
    #expect(try data.calculateAppendDelta(["c", "b"]).changes.insertedItems.map(\.item) == [1, 2])
    #expect(throws: DuplicateIdentifier.self) { try data.calculateAppendDelta(["a"]) }
    #expect(data.count == 1)
  }

  @Test func `sections can be built too`() {
    let data = CollectionSectionData(
      dataFactory: AlphabeticFactory(), rawData: ["ab", "c"], queues: queues.queues)
    #expect(data.sections.map(\.items) == [["a", "b"], ["c"]])
    data.update(["c", "ba"])
    queues.runAll()
    #expect(data.sections.map(\.items) == [["c"], ["b", "a"]])
    data.rebuild()
    queues.runAll()
    #expect(data.sections.map(\.rawData) == ["c", "ba"])
  }
}

/// A section built from a word: its letters.
private struct Word: UniquelyIdentifiableSection, Sendable {
  typealias RawType = String

  var rawData: String
  var items: [String]
  var uniqueID: String { String(rawData.sorted()) }
  var header: String { uniqueID }
}

private struct AlphabeticFactory: UniquelyIdentifiableDataFactory {
  func buildUniquelyIdentifiableDatum(_ rawData: String) -> Word {
    Word(rawData: rawData, items: rawData.map { String($0) })
  }
}
