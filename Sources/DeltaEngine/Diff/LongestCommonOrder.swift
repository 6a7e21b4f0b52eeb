/// Marks a longest increasing subsequence: what can stay while the rest moves.
///
/// Patience sorting with binary search (Schensted 1961; Fredman 1975 shows that
/// n log n − n log log n comparisons are needed). `values` are distinct.
///
/// - Returns: per position, whether it belongs to the subsequence.
/// - Complexity: O(n log n) time, O(n) space.
func longestIncreasingSubsequence(of values: [Int32]) -> [Bool] {
  var tails: [Int32] = []  // tails[k]: position that ends the best run of length k + 1
  var previous = [Int32](repeating: -1, count: values.count)
  for position in values.indices {
    let length = lowerBound(of: values[position], in: tails, valuesAt: values)
    previous[position] = length == 0 ? -1 : tails[length - 1]
    if length == tails.count {
      tails.append(Int32(position))
    } else {
      tails[length] = Int32(position)
    }
  }
  var stays = [Bool](repeating: false, count: values.count)
  var position = tails.last ?? -1
  while position >= 0 {
    stays[Int(position)] = true
    position = previous[Int(position)]
  }
  return stays
}

/// The first index of `tails` whose value is not below `value`.
private func lowerBound(of value: Int32, in tails: [Int32], valuesAt values: [Int32]) -> Int {
  var low = 0
  var high = tails.count
  while low < high {
    let middle = (low + high) / 2
    if values[Int(tails[middle])] < value { low = middle + 1 } else { high = middle }
  }
  return low
}
