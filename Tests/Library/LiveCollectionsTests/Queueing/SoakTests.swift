import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// Random updates from several threads, on real queues, with the simulator attached.
///
/// `scripts/test collections` makes 100,000.
@MainActor @Suite struct SoakTests {
  nonisolated static let updateCount = rounds(20_000)

  @Test func `sectioned updates from several threads are all legal and all heard`() async throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    let data = CollectionSectionData<Section>()
    let view = SimulatorView(showing: data, animating: .main)
    data.view = view
    let heard = Journal<UpdateOutcome>()
    let writers = 4
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          var lists = SoakLists(seed: seed &+ UInt64(writer))
          for update in 0..<Self.updateCount / writers {
            await Self.submit(lists.next(), number: update, to: data, heard)
            if update.isMultiple(of: 64) { _ = data.count + data.items.count }
          }
        }
      }
    }
    try await Self.settle { data.isCalculating }
    #expect(heard.entries.count == Self.updateCount / writers * writers, "seed \(seed)")
    #expect(view.batchCount > Self.updateCount / 100, "seed \(seed)")
    #expect(view.faults == [], "seed \(seed)")
    #expect(view.structure?.sections.map(\.items.count) == data.sections.map(\.items.count))
  }

  /// Hands an update over; waits for every eighth, so that not all are merged away.
  private static func submit(
    _ sections: [Section], number: Int, to data: CollectionSectionData<Section>,
    _ heard: Journal<UpdateOutcome>
  ) async {
    guard number.isMultiple(of: 8) else {
      data.update(sections) { heard.note($0) }
      return
    }
    await withCheckedContinuation { continuation in
      data.update(sections) {
        heard.note($0)
        continuation.resume()
      }
    }
  }

  @Test func `synchronized members from several threads are all legal and all heard`() async throws
  {
    let seed = UInt64.random(in: 1...UInt64.max)
    let members = (0..<4).map { CollectionData<Item>(section: $0) }
    let view = SimulatorView(showing: members, animating: .main)
    let synchronizer = CollectionDataSynchronizer(delay: .custom(.microseconds(200)))
    for data in members {
      data.view = view
      data.synchronizer = synchronizer
    }
    let heard = Journal<UpdateOutcome>()
    let count = Self.updateCount / 4 / members.count
    await withTaskGroup(of: Void.self) { group in
      for (index, data) in members.enumerated() {
        group.addTask {
          var lists = SoakLists(seed: seed &+ UInt64(index))
          for update in 0..<count {
            let items = lists.next().flatMap(\.items)
            if update.isMultiple(of: 4) {
              await withCheckedContinuation { continuation in
                data.update(items) {
                  heard.note($0)
                  continuation.resume()
                }
              }
            } else {
              data.update(items) { heard.note($0) }
            }
          }
        }
      }
    }
    try await Self.settle { members.contains(where: \.isCalculating) }
    #expect(heard.entries.count == count * members.count, "seed \(seed)")
    #expect(view.faults == [], "seed \(seed)")
  }

  @Test func `updates at once, edits and queued ones mix without losing any`() async throws {
    let data = CollectionData<Int>()
    let view = SimulatorView(showing: [data], animating: .main)
    let heard = Journal<UpdateOutcome>()
    let count = min(Self.updateCount / 8, 1_000)
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          for number in 0..<count {
            let id = writer * count + number
            switch writer {
            case 0: _ = try? data.appendNow([id])
            case 1: data.append([id]) { heard.note($0) }
            default: data.prepend([id]) { heard.note($0) }
            }
            if id == count / 2 { data.view = view }
          }
        }
      }
    }
    try await Self.settle { data.isCalculating }
    #expect(data.items.sorted() == Array(0..<3 * count))
    #expect(heard.entries.count == 2 * count)
    #expect(view.faults == [])
  }

  private static func settle(_ isBusy: @Sendable () -> Bool) async throws {
    try await until { !isBusy() }
  }
}

/// What an app does to its lists: small changes, moderate ones, and now and then all of it.
private struct SoakLists {
  private var lists: RandomLists
  private var generator: SeededGenerator
  private var held: [Section] = []

  init(seed: UInt64) {
    lists = RandomLists(seed: seed)
    generator = SeededGenerator(seed: ~seed)
    held = lists.version()
  }

  mutating func next() -> [Section] {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: held = lists.version()
    case 1...2: held = lists.edited(held, times: Int.random(in: 0...15, using: &generator))
    default: held = lists.edited(held, times: Int.random(in: 0...2, using: &generator))
    }
    // Sections hidden by the flip of a coin, and shuffled.
    guard Int.random(in: 0..<6, using: &generator) == 0 else { return held }
    return held.shuffled(using: &generator).filter { _ in Bool.random(using: &generator) }
  }
}
