import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// The simulator view notices what a list view would crash on.
@MainActor @Suite struct SimulatorViewTests {
  /// A data source that the test changes.
  private final class Content: Sendable {
    private let structure = Locked(ListStructure(sections: []))

    var current: ListStructure {
      get { structure.withLock { $0 } }
      set { structure.withLock { $0 = newValue } }
    }

    /// `AB/C`: sections of items, numbered by their letters; digits are contents.
    func show(_ text: String) {
      current = ListStructure(
        sections: text.split(separator: "/", omittingEmptySubsequences: false).enumerated().map {
          ListStructure.Section(
            id: $0, content: ContentHash(high: 0, low: 0), items: items(String($1)).map(outlined))
        })
    }

    private func outlined(_ item: Item) -> ListStructure.Item {
      ListStructure.Item(
        id: Int(item.uniqueID.unicodeScalars.first?.value ?? 0),
        content: ContentHash(high: 0, low: UInt64(item.revision)))
    }
  }

  private let content = Content()

  private func faults(
    _ before: String, _ after: String, isDivided: Bool = true, counts: [Int: Int] = [:],
    _ edit: (inout DeltaStep) -> Void
  ) -> [ViewFault] {
    content.show(before)
    let view = SimulatorView(isDivided: isDivided) { [content] in content.current }
    view.reloadData()
    var step = DeltaStep()
    edit(&step)
    let batch = UpdateBatch(step: step, itemCounts: counts) { [content] in content.show(after) }
    view.perform(batch) { _ in }
    return view.faults
  }

  private func law(_ faults: [ViewFault]) -> Int? {
    guard faults.count == 1, case .law(let violation) = faults.first else { return nil }
    return violation.law
  }

  @Test func `a batch that says what happens is let through`() {
    let faults = faults("AB/C", "B1/CD", counts: [0: 1, 1: 2]) { step in
      step.delete.items = [ItemPath(section: 0, item: 0)]
      step.reload.items = [
        ItemReload(at: ItemPath(section: 0, item: 1), target: ItemPath(section: 0, item: 0))
      ]
      step.insert.items = [
        ItemInsert(at: ItemPath(section: 1, item: 1), target: ItemPath(section: 1, item: 1))
      ]
    }
    #expect(faults == [])
  }

  @Test func `a missing operation is noticed`() {
    #expect(law(faults("AB", "A") { _ in }) == 4)
    #expect(law(faults("AB", "A1B") { _ in }) == 5)
    #expect(law(faults("AB", "BA") { _ in }) == 5)
  }

  @Test func `an operation out of range or in two roles is noticed`() {
    let path = ItemPath<BeforeSpace>(section: 0, item: 0)
    #expect(law(faults("A", "") { $0.delete.items = [ItemPath(section: 0, item: 1)] }) == 1)
    #expect(
      law(
        faults("A", "") {
          $0.delete.items = [path]
          $0.reload.items = [ItemReload(at: path, target: ItemPath(section: 0, item: 0))]
        }) == 1)
  }

  @Test func `a reload beside a move in its section is noticed`() {
    let faults = faults("ABC", "CA1B") { step in
      step.move.items = [
        ItemMove(from: ItemPath(section: 0, item: 2), to: ItemPath(section: 0, item: 0))
      ]
      step.reload.items = [
        ItemReload(at: ItemPath(section: 0, item: 0), target: ItemPath(section: 0, item: 1))
      ]
    }
    #expect(law(faults) == 2)
  }

  @Test func `a batch is judged whole: a reload is noticed beside another section's move`() {
    let move = ItemMove(from: ItemPath(section: 1, item: 1), to: ItemPath(section: 1, item: 0))
    let moved = faults("A/BC", "A1/CB") { step in
      step.move.items = [move]
      step.reload.items = [
        ItemReload(at: ItemPath(section: 0, item: 0), target: ItemPath(section: 0, item: 0))
      ]
    }
    #expect(law(moved) == 2)
    #expect(
      law(
        faults("A/BC", "X/CB") {
          $0.move.items = [move]
          $0.reload.sections = [reload(0)]
        }) == 2)
    // Each section has ids of its own, so that none moves to another.
    #expect(faults("A/AB", "A/BA") { $0.move.items = [move] } == [])
    #expect(
      law(
        faults("AB/C", "A/BC") {
          $0.move.items = [
            ItemMove(from: ItemPath(section: 0, item: 1), to: ItemPath(section: 1, item: 0))
          ]
        }) != nil)
  }

  @Test func `a reloaded section may change as it will, but has no operations beside`() {
    #expect(faults("AB/C", "X/C") { $0.reload.sections = [reload(0)] } == [])
    #expect(
      law(
        faults("AB/C", "B/C") {
          $0.reload.sections = [reload(0)]
          $0.delete.items = [ItemPath(section: 0, item: 0)]
        }) == 2)
    #expect(law(faults("A", "B", isDivided: false) { $0.reload.sections = [reload(1)] }) == 1)
  }

  @Test func `sections of several collections do not come or go`() {
    #expect(law(faults("A/B", "A") { $0.delete.sections = [SectionIndex(1)] }) == 3)
    #expect(faults("A/B", "A", isDivided: false) { $0.delete.sections = [SectionIndex(1)] } == [])
  }

  @Test func `wrong counts, early contents and overlaps are noticed`() {
    #expect(faults("A", "A", counts: [0: 2]) { _ in } == [.counts(batch: 0)])
    let queue = ManualQueue()
    content.show("A")
    let view = SimulatorView(isDivided: true, animating: queue.queue) { [content] in
      content.current
    }
    view.perform(UpdateBatch(step: DeltaStep(), itemCounts: [0: 1]) {}) { _ in }
    #expect(view.faults == [.notLoaded])
    view.reloadData()
    content.show("AB")
    view.perform(UpdateBatch(step: DeltaStep(), itemCounts: [0: 2]) {}) { _ in }
    #expect(
      view.faults.dropFirst() == [.overlap(sections: [0]), .changedOutsideOfBatch(batch: 1)])
  }

  @Test func `a reload inside a batch is noticed, one between batches is not`() {
    content.show("A")
    let view = SimulatorView(isDivided: true) { [content] in content.current }
    view.reloadData()
    view.perform(UpdateBatch(step: DeltaStep(), itemCounts: [0: 1]) { view.reloadData() }) { _ in
      MainActor.assumeIsolated { view.reloadData() }
    }
    #expect(view.faults == [.reloadInsideBatch(batch: 0)])
  }

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func `whatever a batch says, the judge does not trap`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func number() -> Int { Int.random(in: 0..<4, using: &generator) }
    func path<Space>() -> ItemPath<Space> { ItemPath(section: number(), item: number()) }
    func some<Value>(_ make: () -> Value) -> [Value] {
      (0..<Int.random(in: 0...2, using: &generator)).map { _ in make() }
    }
    for isDivided in [false, true] {
      let (before, after) = (
        ["AB/C", "", "A", "/"][number()], ["BA/D", "C", "", "AB//C"][number()]
      )
      _ = faults(before, after, isDivided: isDivided) { step in
        step.delete.items = some(path)
        step.delete.sections = some { SectionIndex(number()) }
        step.insert.items = some { ItemInsert(at: path(), target: path()) }
        step.insert.sections = some {
          SectionInsert(
            at: SectionIndex(number()), target: SectionIndex(number()), items: some(number))
        }
        step.move.items = some { ItemMove(from: path(), to: path()) }
        step.move.sections = some {
          SectionMove(from: SectionIndex(number()), to: SectionIndex(number()))
        }
        step.reload.items = some { ItemReload(at: path(), target: path()) }
        step.reload.sections = some {
          SectionReload(at: SectionIndex(number()), target: SectionIndex(number()))
        }
        step.headers = some { SectionIndex(number()) }
        step.itemCounts = some(number)
      }
    }
  }

  private func reload(_ section: Int) -> SectionReload {
    SectionReload(at: SectionIndex(section), target: SectionIndex(section))
  }
}
