/// A heaviest increasing subsequence: what can stay while the rest moves.
///
/// Keys come in the target's order and are places in the source; each has a weight, the number of
/// elements that it stands for. The *front* holds the keys at which the best total rises: a key's
/// best total is its weight plus that of its predecessor in the front; it then pushes out the
/// successors that do not exceed it. With weights of 1 this is patience sorting (Schensted 1961;
/// Fredman 1975 gives the bound on comparisons), the piles' tops being the front; weights are the
/// same argument with more than one element a key. The front is a bitmap, so a step costs a few
/// instructions instead of a binary search.
///
/// Complexity: O(k log₆₄ n) for k keys below n.
struct WeightedSubsequence {
  private let front: OrderedBits
  private let links: ScratchBuffer<Int32>
  private let totals: ScratchBuffer<Int32>

  /// Keys are below `count`.
  init(count: Int, in arena: inout Arena) {
    front = OrderedBits(count: count, in: &arena)
    links = arena.allocate(count)
    totals = arena.allocate(count)
  }

  /// Puts the next key; weights are at least 1.
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

  /// Enters the keys of the subsequence.
  func collect(into stays: Bits) {
    var key = front.last
    while key >= 0 {
      stays.insert(key)
      key = Int(links[key])
    }
  }
}
