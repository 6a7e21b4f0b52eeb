extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element for which the predicate is `false`.
  ///
  /// The elements for which it is `true` must come first.
  ///
  /// - Complexity: O(log n).
  package func partitioningIndex(front isInFront: (Int) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isInFront(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension [Range<Int>] {
  /// Combines ascending indices into ranges, merging neighbors.
  package init(ascending indices: some Sequence<Int>) {
    self = []
    for index in indices {
      if let last, last.upperBound == index {
        self[count - 1] = last.lowerBound..<index + 1
      } else {
        append(index..<index + 1)
      }
    }
  }
}
