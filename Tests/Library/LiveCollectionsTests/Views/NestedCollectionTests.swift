import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// A row of a table that holds a collection of its own.
private struct Row: UniquelyIdentifiable, Sendable {
  var uniqueID: String
  var items: [Item]
}

private struct RowSection: UniquelyIdentifiableSection, Sendable {
  var uniqueID: String
  var items: [Row]

  static func == (lhs: RowSection, rhs: RowSection) -> Bool {
    lhs.uniqueID == rhs.uniqueID && lhs.items == rhs.items
  }
}

/// Keeps a collection for each row, and reloads rows by updating their collections.
private final class Carousels: CollectionDataManualReloadDelegate,
  CollectionDataDeletionNotificationDelegate
{
  typealias DataType = Row

  let queues: CollectionQueues
  private let children = Locked<[String: CollectionData<Item>]>([:])
  private let row: @Sendable (ItemPath<TargetSpace>) -> Row

  init(queues: CollectionQueues, row: @escaping @Sendable (ItemPath<TargetSpace>) -> Row) {
    self.queues = queues
    self.row = row
  }

  func child(of row: Row) -> CollectionData<Item> {
    children.withLock { children in
      if let child = children[row.uniqueID] { return child }
      let child = CollectionData(row.items, queues: queues)
      children[row.uniqueID] = child
      return child
    }
  }

  func didDeleteItems(_ rows: [Row]) {
    children.withLock { children in
      for row in rows { children[row.uniqueID] = nil }
    }
  }

  func willHandleReload(at paths: ItemPathPair) -> Bool { true }

  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {
    for path in paths {
      let row = row(path)
      child(of: row).update(row.items) { _ in itemCompletion(path) }
    }
  }
}

/// Collections within collections: a parent's update is over when all its children's are.
@MainActor @Suite struct NestedCollectionTests {
  let queues = ManualQueues()

  private func sections(_ text: String) -> [RowSection] {
    // `x:aAB,bC y:cD`: section x with row a that holds A and B…
    text.split(separator: " ").map { part in
      let sides = part.split(separator: ":", omittingEmptySubsequences: false)
      let rows = sides[1].split(separator: ",").map {
        Row(uniqueID: String($0.prefix(1)), items: items(String($0.dropFirst())))
      }
      return RowSection(uniqueID: String(sides[0]), items: rows)
    }
  }

  @Test func `a parent completes when its children have, and a row takes its child along`() {
    let data = CollectionSectionData(sections("x:aAB,bC y:cD"), queues: queues.queues)
    let carousels = Carousels(queues: queues.queues) { [data] in data[$0] }
    let outer = SimulatorView(showing: data)
    data.view = outer
    data.reloadDelegate = carousels
    let childOfA = carousels.child(of: data[0, 0])
    let inner = SimulatorView(showing: [childOfA], animating: queues.animating.queue)
    childOfA.view = inner
    queues.runAll()
    let journal = Journal<String>()
    data.update(sections("x:bCE y:cD,aBA")) { journal.note("outer \($0)") }
    while queues.animating.isEmpty { _ = queues.calculation.runOne() || queues.delivery.runOne() }
    #expect(journal.entries == [])
    #expect(data[1, 1].uniqueID == "a")
    queues.runAll()
    #expect(journal.entries == ["outer applied by batches"])
    #expect(text(childOfA.items) == "BA")
    #expect(text(carousels.child(of: data[0, 0]).items) == "CE")
    #expect(inner.batchCount == 1 && inner.faults == [])
    #expect(outer.batchCount == 1)
  }

  @Test func `a child's update that is merged away still completes the parent`() {
    let data = CollectionSectionData(sections("x:aA"), queues: queues.queues)
    let carousels = Carousels(queues: queues.queues) { [data] in data[$0] }
    data.view = nil
    let outer = SimulatorView(showing: data)
    data.view = outer
    data.reloadDelegate = carousels
    let child = carousels.child(of: data[0, 0])
    let journal = Journal<String>()
    data.update(sections("x:aB")) { journal.note("outer \($0)") }
    child.update(items("C")) { journal.note("inner \($0)") }
    queues.calculation.runOne()
    while !queues.delivery.isEmpty || !queues.calculation.isEmpty {
      queues.delivery.runOne()
      child.update(items("Z"))
      queues.runAll()
    }
    #expect(journal.entries.contains("outer applied by batches"))
    #expect(!data.isCalculating && !child.isCalculating)
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `parents and children under random updates end where they should`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let data = CollectionSectionData(sections("x:aAB,bC y:cD"), queues: queues.queues)
    let carousels = Carousels(queues: queues.queues) { [data] in data[$0] }
    let outer = SimulatorView(
      showing: data, comparesContents: false, animating: queues.animating.queue)
    data.view = outer
    data.reloadDelegate = carousels
    data.deletionDelegate = carousels
    let journal = Journal<String>()
    var inner: [(child: CollectionData<Item>, view: SimulatorView)] = []
    let contents = ["", "A", "AB", "BA1", "CAB", "D"]
    for number in 0..<40 {
      let rows = ["a", "b", "c", "d"].shuffled(using: &generator).prefix(
        Int.random(in: 1...4, using: &generator))
      let cut = Int.random(in: 0...rows.count, using: &generator)
      let words = rows.map { $0 + (contents.randomElement(using: &generator) ?? "") }
      data.update(
        sections(
          "x:\(words[..<cut].joined(separator: ",")) y:\(words[cut...].joined(separator: ","))")
      ) { journal.note("\(number) \($0)") }
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        for row in data.sections.flatMap(\.items) {
          let child = carousels.child(of: row)
          if inner.contains(where: { $0.child === child }) { continue }
          let view = SimulatorView(showing: [child], animating: queues.animating.queue)
          child.view = view
          inner.append((child, view))
        }
        let queue = [queues.calculation, queues.delivery, queues.animating]
          .randomElement(using: &generator)
        _ = queue?.runOne()
      }
    }
    queues.runAll()
    #expect(journal.entries.count == 40, "seed \(seed)")
    for row in data.sections.flatMap(\.items) {
      #expect(text(carousels.child(of: row).items) == text(row.items), "seed \(seed)")
    }
    #expect(outer.faults == [] && inner.allSatisfy { $0.view.faults == [] }, "seed \(seed)")
    #expect(!data.isCalculating, "seed \(seed)")
  }

  @Test func `a recycled view is left to the collection that has it now`() {
    let first = CollectionData(items("A"), queues: queues.queues)
    let second = CollectionData(items("B"), queues: queues.queues)
    let view = RecordingView(showing: first)
    let owner = Owner(second)
    for data in [first, second] {
      data.view = view
      data.validationDelegate = owner.verifier(of: data)
    }
    queues.runAll()
    _ = view.journal.take()
    first.update(items("AC"))
    queues.runAll()
    #expect(view.journal.entries == [])
    second.update(items("BD"))
    queues.runAll()
    #expect(view.journal.entries.count == 1)
    #expect(text(first.items) == "AC")
  }
}

/// Knows which collection a view shows now.
@MainActor private final class Owner {
  final class Verifier: CollectionDataReusableViewVerificationDelegate {
    let isOwner: Bool

    init(isOwner: Bool) { self.isOwner = isOwner }

    func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool { isOwner }
  }

  private let current: CollectionData<Item>
  private var kept: [Verifier] = []

  init(_ current: CollectionData<Item>) { self.current = current }

  func verifier(of data: CollectionData<Item>) -> Verifier {
    let verifier = Verifier(isOwner: data === current)
    kept.append(verifier)
    return verifier
  }
}
