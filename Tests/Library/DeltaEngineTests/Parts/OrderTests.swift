import TestSupport
import Testing

@testable import DeltaEngine

/// The part that decides what stays, against the quadratic textbook way.
@Suite struct OrderTests {
  @Test(arguments: 0..<60)
  func `what stays is a heaviest order`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...300, using: &generator)
    let counts = (0..<count).map { _ in
      seed % 2 == 0 ? 1 : Int.random(in: 1...9, using: &generator)
    }
    // Every tenth run comes from another section.
    let starts = counts.indices.map { counts[..<$0].reduce(0, +) }
    var (runs, target) = ([Run](), 0)
    for index in shuffled(count, &generator) {
      runs.append(
        Run(
          source: ItemPath(section: index % 10 == 9 ? 2 : 1, item: starts[index]),
          target: ItemPath(section: 0, item: target), count: counts[index]))
      target += counts[index]
    }
    let own = runs.filter { $0.source.section == 1 }
    let stays = LongestCommonOrder.staying(runs[...], of: 1, count: counts.reduce(0, +))
    guard let stays else {
      #expect(own.map(\.source) == own.map(\.source).sorted())
      return
    }
    let kept = zip(runs, stays).filter(\.1).map(\.0)
    #expect(kept.allSatisfy { $0.source.section == 1 })
    #expect(kept.map(\.source) == kept.map(\.source).sorted())
    #expect(kept.reduce(0) { $0 + $1.count } == heaviest(own))
  }

  private func shuffled(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
    var keys = Array(0..<count)
    for _ in 0..<Int.random(in: 0...count, using: &generator) {
      let place = Int.random(in: 0..<count, using: &generator)
      keys.insert(keys.remove(at: place), at: Int.random(in: 0..<count, using: &generator))
    }
    return keys
  }

  private func heaviest(_ runs: [Run]) -> Int {
    var totals: [Int] = []
    for (index, run) in runs.enumerated() {
      let before =
        (0..<index).filter { runs[$0].source < run.source }.map { totals[$0] }.max() ?? 0
      totals.append(before + run.count)
    }
    return totals.max() ?? 0
  }
}
