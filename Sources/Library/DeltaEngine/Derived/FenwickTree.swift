/// A list of numbers with O(log *n*) updates and prefix sums (Fenwick 1994).
package struct FenwickTree: Sendable {
  private var sums: [Int]

  /// Creates a list of zeros.
  package init(count: Int) { sums = [Int](repeating: 0, count: count + 1) }

  /// Adds to the number at an index.
  package mutating func add(_ value: Int, at index: Int) {
    var node = index + 1
    while node < sums.count {
      sums[node] += value
      node += node & -node
    }
  }

  /// Returns the sum of the numbers before an index.
  package func sum(below index: Int) -> Int {
    var node = index
    var sum = 0
    while node > 0 {
      sum += sums[node]
      node -= node & -node
    }
    return sum
  }
}
