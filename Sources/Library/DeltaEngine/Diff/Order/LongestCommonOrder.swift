/// Determines which elements that stay in a list move in it: all except a longest common order.
///
/// With the positions in the source in the order of the target this is a longest increasing
/// subsequence (Schensted 1961). It is searched for among runs: no other element is between two of a
/// run, so an order with one of them can have all of them, and a heaviest subsequence of runs is a
/// longest one of elements.
///
/// The heaviest order that ends below a position is kept in a Fenwick tree of maxima (Fenwick 1994).
@usableFromInline struct LongestCommonOrder {
  /// For each node, the weight of the heaviest order that ends in its part, in the upper 32 bits, and
  /// the index of its last run in the lower ones; 0 if there is none.
  private var tree: [Int]

  /// Finds the runs of a target list that stay in their places.
  ///
  /// - Parameters:
  ///   - runs: The runs of the target list.
  ///   - section: The section's index in the source; elements of other sections do not stay.
  ///   - count: The number of elements that it has there.
  /// - Returns: For each run, whether it stays; `nil` if all those of the section do.
  /// - Complexity: O(*k* log *n*) for *k* runs and *n* elements.
  @usableFromInline static func staying(
    _ runs: ArraySlice<Run>, of section: Int, count: Int
  ) -> [Bool]? {
    var (last, isAscending) = (-1, true)
    for run in runs where run.source.section == section {
      isAscending = isAscending && run.source.item > last
      last = run.source.item
    }
    if isAscending { return nil }
    var order = LongestCommonOrder(tree: [Int](repeating: 0, count: count + 1))
    var previous = [Int](repeating: 0, count: runs.count)
    for (index, run) in runs.enumerated() where run.source.section == section {
      previous[index] = order.heaviest(below: run.source.item)
      order.insert((previous[index] >> 32 + run.count) << 32 | index, at: run.source.item)
    }
    var stays = [Bool](repeating: false, count: runs.count)
    var heaviest = order.heaviest(below: count)
    while heaviest > 0 {
      let index = heaviest & 0xFFFF_FFFF
      stays[index] = true
      heaviest = previous[index]
    }
    return stays
  }

  private mutating func insert(_ order: Int, at place: Int) {
    var node = place + 1
    while node < tree.count {
      tree[node] = max(tree[node], order)
      node += node & -node
    }
  }

  private func heaviest(below place: Int) -> Int {
    var (node, heaviest) = (place, 0)
    while node > 0 {
      heaviest = max(heaviest, tree[node])
      node &= node - 1
    }
    return heaviest
  }
}
