import TestSupport
import Testing

@testable import DeltaEngine

/// The parts that decide what stays, against the quadratic textbook way.
@Suite struct OrderTests {
  @Test(arguments: 0..<60)
  func `piles find a longest increasing subsequence`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let keys = shuffled(.random(in: 0...600, using: &generator), &generator)
    let kept = Arena.with { arena in
      var piles = Piles(keyCount: keys.count, in: &arena)
      for key in keys { piles.put(key) }
      let staying = bits(keys.count, in: &arena)
      piles.collect(into: staying)
      return keys.filter { staying[$0] }
    }
    #expect(kept == kept.sorted())
    #expect(kept.count == heaviest(keys.map { ($0, 1) }))
  }

  @Test(arguments: 0..<60)
  func `a weighted subsequence is a heaviest one`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let keys = shuffled(.random(in: 0...300, using: &generator), &generator)
    let weights = keys.map { _ in Int32.random(in: 1...9, using: &generator) }
    let (kept, weight) = Arena.with { arena in
      let order = WeightedSubsequence(count: keys.count, in: &arena)
      for (key, weight) in zip(keys, weights) { order.put(key, weight: weight) }
      let staying = bits(keys.count, in: &arena)
      order.collect(into: staying)
      let weight = zip(keys, weights).reduce(0) { $0 + (staying[$1.0] ? Int($1.1) : 0) }
      return (keys.filter { staying[$0] }, weight)
    }
    #expect(kept == kept.sorted())
    #expect(weight == heaviest(zip(keys, weights).map { ($0, Int($1)) }))
  }

  @Test(arguments: [1, 64, 65, 4096, 300_000])
  func `ordered bits know their neighbors`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    Arena.with { arena in
      let set = OrderedBits(count: count, in: &arena)
      var model: Set<Int> = []
      for _ in 0..<200 {
        let number = Int.random(in: 0..<count, using: &generator)
        if model.remove(number) == nil {
          set.insert(number)
          model.insert(number)
        } else {
          set.remove(number)
        }
        let probe = Int.random(in: 0..<count, using: &generator)
        #expect(set.predecessor(of: probe) == model.filter { $0 < probe }.max() ?? -1)
        #expect(set.successor(of: probe) == model.filter { $0 > probe }.min() ?? -1)
        #expect(set.last == model.max() ?? -1)
      }
    }
  }

  private func shuffled(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
    var keys = Array(0..<count)
    for _ in 0..<Int.random(in: 0...count, using: &generator) {
      let place = Int.random(in: 0..<count, using: &generator)
      keys.insert(keys.remove(at: place), at: Int.random(in: 0..<count, using: &generator))
    }
    return keys
  }

  private func bits(_ count: Int, in arena: inout Arena) -> Bits {
    let bits = Bits(words: arena.allocate(Bits.wordCount(count)))
    bits.clear(count)
    return bits
  }

  private func heaviest(_ keys: [(key: Int, weight: Int)]) -> Int {
    var totals: [Int] = []
    for (index, key) in keys.enumerated() {
      let before = (0..<index).filter { keys[$0].key < key.key }.map { totals[$0] }.max() ?? 0
      totals.append(before + key.weight)
    }
    return totals.max() ?? 0
  }
}
