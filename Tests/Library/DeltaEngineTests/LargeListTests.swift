import DeltaEngine
import TestSupport
import Testing

/// Lists long enough for every way in which the engine lines lists up: blocks that come and go far
/// away, replacements in place, whole shuffles, and all of it at once.
@Suite struct LargeListTests {
  @Test(arguments: [1, 2, 3, 2026], [(0...900, 60), (32_000...50_000, 3)])
  func `long flat lists have lawful deltas`(
    seed: UInt64, lists: (lengths: ClosedRange<Int>, count: Int)
  ) throws {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<lists.count {
      let count = Int.random(in: lists.lengths, using: &generator)
      let source = (0..<count).map { Numbered(id: $0 * 7919) }
      var target = source
      for _ in 0..<Int.random(in: 0...4, using: &generator) { edit(&target, round, &generator) }
      let delta = try Delta(fromItems: source, toItems: target)
      try expectLawful(delta, [source], [target], "seed \(seed), round \(round)")
    }
  }

  @Test(arguments: [4, 5, 6])
  func `lists of long sections have lawful deltas`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<40 {
      let source = (0..<5).map { section in (0..<150).map { Numbered(id: section * 1000 + $0) } }
      var target = source
      for section in target.indices where Bool.random(using: &generator) {
        edit(&target[section], round * 10 + section, &generator)
      }
      for _ in 0..<Int.random(in: 0...30, using: &generator) { exchange(&target, &generator) }
      let delta = try Delta(
        from: numbered(source), to: numbered(target), uniqueness: .promised)
      try expectLawful(delta, source, target, "seed \(seed), round \(round)")
    }
  }

  private func expectLawful(
    _ delta: Delta, _ source: [[Numbered]], _ target: [[Numbered]], _ place: String
  ) throws {
    do {
      try Simulator.check(delta, from: numbered(source), to: numbered(target))
    } catch {
      Issue.record("\(place): \(error)")
    }
  }

  private func numbered(_ lists: [[Numbered]]) -> [NumberedSection] {
    lists.enumerated().map { NumberedSection(diffID: $0, items: $1) }
  }

  /// One large edit out of eight.
  private func edit(
    _ list: inout [Numbered], _ round: Int, _ generator: inout SeededGenerator
  ) {
    let low = Int.random(in: 0...list.count, using: &generator)
    let high = Int.random(in: low...list.count, using: &generator)
    let fresh = (0..<Int.random(in: 0...300, using: &generator)).map {
      Numbered(id: -1 - round * 100_000 - low * 317 - high * 1_000_003 - $0 * 7)
    }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: list.removeSubrange(low..<high)
    case 1: list.insert(contentsOf: unique(fresh, list), at: low)
    case 2: list[low..<high].shuffle(using: &generator)
    case 3: list[low..<high].reverse()
    case 4: for index in low..<high where index % 3 == 0 { list[index].revision += 1 }
    case 5:
      let block = Array(list[low..<high])
      list.removeSubrange(low..<high)
      list.insert(contentsOf: block, at: Int.random(in: 0...list.count, using: &generator))
    case 6:
      let replacements = unique(fresh, list)
      for (index, item) in zip(list.indices, replacements) where index % 2 == 0 {
        list[index] = item
      }
    default:
      for _ in 0..<10 where !list.isEmpty {
        let item = list.remove(at: Int.random(in: list.indices, using: &generator))
        list.insert(item, at: Int.random(in: 0...list.count, using: &generator))
      }
    }
  }

  private func unique(_ fresh: [Numbered], _ list: [Numbered]) -> [Numbered] {
    var seen = Set(list.map(\.id))
    return fresh.filter { seen.insert($0.id).inserted }
  }

  /// Moves an item to another section.
  private func exchange(_ lists: inout [[Numbered]], _ generator: inout SeededGenerator) {
    let from = Int.random(in: lists.indices, using: &generator)
    let to = Int.random(in: lists.indices, using: &generator)
    guard let index = lists[from].indices.randomElement(using: &generator) else { return }
    let item = lists[from].remove(at: index)
    lists[to].insert(item, at: Int.random(in: 0...lists[to].count, using: &generator))
  }
}

/// An item with a number for an id.
struct Numbered: Diffable {
  var id: Int
  var revision = 0
  var diffID: Int { id }
  func hasSameContent(as other: Numbered) -> Bool { revision == other.revision }
}

/// A section of numbered items.
struct NumberedSection: DiffableSection {
  var diffID: Int
  var items: [Numbered]
  func hasSameContent(as other: NumberedSection) -> Bool { true }
}
