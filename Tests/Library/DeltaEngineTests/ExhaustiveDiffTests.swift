import DeltaEngine
import ListTestSupport
import TestSupport
import Testing

/// All pairs of small lists: each delta is legal, exact and minimal.
@Suite struct ExhaustiveDiffTests {
  @Test func `every pair of flat lists of up to 5 items has a lawful delta`() throws {
    let lists = arrangements(of: ["A", "B", "C", "D", "E"]).map { $0.map { Item(id: $0) } }
    var pairs = 0
    for source in lists {
      for target in lists {
        try judge(source, target)
        pairs += 1
      }
    }
    #expect(pairs == 326 * 326)
  }

  @Test func `every change of content in flat lists of up to 3 items is reloaded`() throws {
    let lists = arrangements(of: ["A", "B", "C"])
    for source in lists {
      for target in lists {
        for mask in 0..<8 {
          let changed = target.enumerated().map { Item(id: $1, revision: mask >> $0 & 1) }
          try judge(source.map { Item(id: $0) }, changed)
        }
      }
    }
  }

  @Test func `every pair of lists of up to 3 sections and 2 items has a lawful delta`() throws {
    let lists = sectionedLists(sections: ["x", "y", "z"], items: ["A", "B"])
    #expect(try judgePairs(of: lists) == 196 * 196)
  }

  @Test func `every pair of lists of up to 2 sections and 3 items has a lawful delta`() throws {
    let lists = sectionedLists(sections: ["x", "y"], items: ["A", "B", "C"])
    #expect(try judgePairs(of: lists) == 131 * 131)
  }

  /// Judges the delta between each list and each other, revised; returns the number of pairs.
  private func judgePairs(of lists: [[Section]]) throws -> Int {
    var pairs = 0
    for source in lists {
      for target in lists {
        try judge(source, revised(target, seed: pairs))
        pairs += 1
      }
    }
    return pairs
  }

  /// The target with some headers and items of new content, another choice for each seed.
  private func revised(_ target: [Section], seed: Int) -> [Section] {
    var generator = SeededGenerator(seed: UInt64(seed))
    return target.map { section in
      var section = section
      section.revision = Int.random(in: 0..<8, using: &generator) == 0 ? 1 : 0
      section.items = section.items.map {
        Item(id: $0.id, revision: Int.random(in: 0..<3, using: &generator) == 0 ? 1 : 0)
      }
      return section
    }
  }
}

/// Makes the delta, has the simulator judge it, and counts its moves against brute force.
func judge(_ source: [Item], _ target: [Item]) throws {
  try judge([Section(id: "", items: source)], [Section(id: "", items: target)])
}

/// Makes the delta, has the simulator judge it, and counts its moves against brute force.
func judge(_ source: [Section], _ target: [Section]) throws {
  let delta = try Delta(from: source, to: target)
  do {
    try Simulator.check(delta, from: source, to: target)
  } catch {
    Issue.record("\(source) → \(target): \(error)\n\(delta)")
    return
  }
  #expect(delta.steps.count <= 4)
  #expect(delta.isEmpty == (source == target))
  let least = leastMovesByBruteForce(source, target)
  if delta.changes.movedItems.count != least {
    Issue.record("\(source) → \(target): \(delta.changes.movedItems.count) moves, least \(least)")
  }
}

/// The least number of item moves, by trying every subset of every section.
private func leastMovesByBruteForce(_ source: [Section], _ target: [Section]) -> Int {
  let homes = Dictionary(
    uniqueKeysWithValues: source.flatMap { section in
      section.items.map { ($0.id, section.id) }
    })
  var moves = 0
  for section in target {
    let kept = section.items.map(\.id).filter { homes[$0] == section.id }
    let before = source.first { $0.id == section.id }?.items.map(\.id) ?? []
    moves += section.items.count { homes[$0.id] != nil && homes[$0.id] != section.id }
    moves += kept.count - longestCommonOrderByBruteForce(kept, before)
  }
  return moves
}
