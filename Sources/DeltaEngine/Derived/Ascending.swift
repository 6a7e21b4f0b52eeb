extension RandomAccessCollection where Index == Int {
  /// The index of the first element for which the predicate is false; those for which it is true
  /// come first.
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
  /// Ascending indices as ranges, neighbours merged.
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
