import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// The queue against the slow model, under random interleavings.
@MainActor @Suite struct InterleavingTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>, [false, true])
  func `every caller hears what the model says, in its order`(seed: UInt64, hasView: Bool) throws {
    var generator = SeededGenerator(seed: seed)
    let queues = ManualQueues()
    let journal = Journal<String>()
    let data = CollectionData(items("AB"), queues: queues.queues)
    let view = SimulatorView(showing: [data])
    if hasView { data.view = view }
    queues.runAll()
    var model = QueueModel(items("AB"), hasView: hasView)
    for _ in 0..<400 {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0...1:
        let wish = randomWish(&generator)
        model.submit(wish)
        submit(wish, to: data, journal)
      case 2...3:
        queues.calculation.runOne()
        model.runCalculation()
      default:
        queues.delivery.runOne()
        try model.runDelivery()
      }
      #expect(journal.entries == model.heard, "seed \(seed)")
      #expect(data.items == model.content, "seed \(seed)")
      #expect(data.isCalculating == (model.next != .nothing), "seed \(seed)")
    }
    #expect(view.faults == [], "seed \(seed)")
  }

  private func submit(
    _ wish: QueueModel.Wish, to data: CollectionData<Item>, _ journal: Journal<String>
  ) {
    let numbers = Journal<Int>()
    let hear: @Sendable (UpdateOutcome) -> Void = { outcome in
      let number = numbers.entries.first ?? 0
      if case .rejected = outcome {
        journal.note("\(number) rejected")
      } else {
        journal.note("\(number) \(outcome)")
      }
    }
    switch wish {
    case .replace(let items): numbers.note(data.update(items, completion: hear))
    case .append(let items): numbers.note(data.append(items, completion: hear))
    case .prepend(let items): numbers.note(data.prepend(items, completion: hear))
    case .dropped: break
    case .reload(let id): numbers.note(data.reload([id], completion: hear))
    case .remove(let id): numbers.note(data.delete([id], completion: hear))
    }
  }

  private func randomWish(_ generator: inout SeededGenerator) -> QueueModel.Wish {
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: return .remove("i\(Int.random(in: 0..<8, using: &generator))")
    case 1...2: return .reload("i\(Int.random(in: 0..<8, using: &generator))")
    default: break
    }
    let count = Int.random(in: 0...3, using: &generator)
    let items = (0..<count).map { _ in
      Item(
        id: "i\(Int.random(in: 0..<8, using: &generator))",
        revision: Int.random(in: 0...1, using: &generator))
    }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0...1: return .replace(items)
    case 2: return .append(items)
    default: return .prepend(items)
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `a view that is led through random updates never sees anything illegal`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let queues = ManualQueues()
    let journal = Journal<String>()
    var lists = RandomLists(seed: seed)
    let data = CollectionSectionData(lists.version(), queues: queues.queues)
    let view = SimulatorView(showing: data, animating: queues.animating.queue)
    data.view = view
    var last = data.sections
    var submitted = 0
    for _ in 0..<200 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        last = lists.edited(last, times: Int.random(in: 0...12, using: &generator))
        data.update(last) { journal.note("\($0)") }
        submitted += 1
      case 1...2: queues.calculation.runOne()
      case 3...5: queues.delivery.runOne()
      default: queues.animating.runOne()
      }
    }
    queues.runAll()
    #expect(data.sections == last, "seed \(seed)")
    #expect(view.faults == [], "seed \(seed)")
    #expect(journal.entries.count == submitted, "seed \(seed)")
    #expect(journal.entries.filter { $0.hasPrefix("rejected") } == [], "seed \(seed)")
  }
}
