import TestSupport
import Testing

@testable import VersionedCollections

/// Sets of items as bits, against arrays of them.
@Suite struct ItemBitsTests {
  @Test(arguments: 1...(UInt64(rounds(300)))) func `counts are those of the elements`(seed: UInt64)
  {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...1500, using: &generator)
    let share = Int.random(in: 0...100, using: &generator)
    let elements = (0..<count).filter { _ in Int.random(in: 0..<100, using: &generator) < share }
    let bits = set(elements, of: count)
    #expect(bits.count == elements.count)
    var rank = 0
    for item in 0...count {
      #expect(bits.rank(item) == rank, "seed \(seed)")
      guard item < count, rank < elements.count, elements[rank] == item else { continue }
      #expect(bits.contains(item))
      #expect(bits.element(rank) == item, "seed \(seed)")
      rank += 1
    }
  }

  @Test(arguments: 1...(UInt64(rounds(300)))) func `runs are moved whole`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...500, using: &generator)
    let elements = (0..<count).filter { _ in Bool.random(using: &generator) }
    let bits = set(elements, of: count)
    // Cuts the items into pieces and puts them together in another order.
    let cuts = Set((0..<5).map { _ in Int.random(in: 0...count, using: &generator) } + [0, count])
      .sorted()
    let pieces = zip(cuts, cuts.dropFirst()).map { $0..<$1 }.shuffled(using: &generator)
    let gap = Int.random(in: 0...70, using: &generator)
    var moved = ItemBits(itemCount: count + gap)
    var expected: [Int] = []
    var start = gap
    for piece in pieces {
      moved.insert(piece, of: bits, at: start)
      expected += elements.filter(piece.contains).map { $0 - piece.lowerBound + start }
      start += piece.count
    }
    moved.seal()
    #expect(moved == set(expected, of: count + gap), "seed \(seed)")
  }

  private func set(_ elements: [Int], of count: Int) -> ItemBits {
    var bits = ItemBits(itemCount: count)
    for element in elements { bits.insert(element) }
    bits.seal()
    return bits
  }
}
