/// A heaviest increasing subsequence: what can stay while the rest moves.
///
/// Keys are positions in the source and arrive in the target's order; each has a weight, the number
/// of elements it represents. The *front* holds the keys at which the best total increases: a key's
/// best total is its weight plus that of its predecessor in the front, and it then removes the
/// successors whose totals do not exceed its own. With all weights 1 this is patience sorting
/// (Schensted 1961; Fredman 1975 for the bound on comparisons), with the piles' tops as the front;
/// weights generalize the same argument to several elements per key. The front is a bitmap, so a
/// step takes a few instructions instead of a binary search.
///
/// - Complexity: O(*k* log₆₄ *n*) for *k* keys below *n*.
struct WeightedSubsequence {
  private let front: OrderedBits
  private let links: ScratchBuffer<Int32>
  private let totals: ScratchBuffer<Int32>

  /// Creates an empty sequence for keys below `count`.
  init(count: Int, in arena: inout Arena) {
    front = OrderedBits(count: count, in: &arena)
    links = arena.allocate(count)
    totals = arena.allocate(count)
  }

  /// Adds the next key, with a weight of at least 1.
  @inline(__always) func put(_ key: Int, weight: Int32) {
    let before = front.predecessor(of: key)
    let total = weight + (before < 0 ? 0 : totals[before])
    links[key] = Int32(truncatingIfNeeded: before)
    totals[key] = total
    var after = front.successor(of: key)
    while after >= 0, totals[after] <= total {
      front.remove(after)
      after = front.successor(of: key)
    }
    front.insert(key)
  }

  /// Inserts the keys of the subsequence into a set.
  func collect(into stays: Bits) {
    var key = front.last
    while key >= 0 {
      stays.insert(key)
      key = Int(links[key])
    }
  }
}
