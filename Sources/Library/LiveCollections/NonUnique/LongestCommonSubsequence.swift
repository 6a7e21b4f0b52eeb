import DeltaEngine

/// A longest common subsequence of two lists whose elements can be hashed and may occur more than
/// once; `PairwiseOrder` does it for elements that can only be compared.
///
/// Hunt and Szymanski 1977: every pair of equal elements is a point; a longest chain of points that
/// ascends in both lists is found by patience sorting, O(r log n) for r points. A common prefix and
/// suffix are matched first. With more than `pairsMax` points, equal elements are matched by their
/// order alone.
struct LongestCommonSubsequence<ID: Hashable> {
  /// The most pairs of equal elements that are considered.
  static var pairsMax: Int { 4_000_000 }

  private let source: [ID]
  private let target: [ID]

  init(_ source: [ID], _ target: [ID]) {
    self.source = source
    self.target = target
  }

  /// Per element of the target, the index of the one in the source that it is; ascending.
  func matches() -> [Int?] {
    var matches = [Int?](repeating: nil, count: target.count)
    var start = 0
    while start < source.count, start < target.count, source[start] == target[start] {
      matches[start] = start
      start += 1
    }
    var sourceEnd = source.count
    var targetEnd = target.count
    while sourceEnd > start, targetEnd > start, source[sourceEnd - 1] == target[targetEnd - 1] {
      sourceEnd -= 1
      targetEnd -= 1
      matches[targetEnd] = sourceEnd
    }
    for (target, source) in chain(start..<sourceEnd, start..<targetEnd) {
      matches[target] = source
    }
    return matches
  }

  /// A longest chain of equal pairs between two ranges.
  private func chain(_ sources: Range<Int>, _ targets: Range<Int>) -> [(target: Int, source: Int)] {
    var places: [ID: [Int]] = [:]
    for index in sources.reversed() { places[source[index], default: []].append(index) }
    let pairs = targets.reduce(0) { $0 + (places[target[$1]]?.count ?? 0) }
    guard pairs <= Self.pairsMax else { return [] }

    var points: [(target: Int, source: Int, previous: Int)] = []
    var tails: [Int] = []  // tails[k]: the point with the least source that ends a chain of k + 1
    for index in targets {
      // Descending, so that no chain takes two sources for one target.
      for place in places[target[index]] ?? [] {
        let length = tails.partitioningIndex { points[tails[$0]].source < place }
        if length < tails.count, points[tails[length]].source == place { continue }
        points.append((index, place, length == 0 ? -1 : tails[length - 1]))
        if length == tails.count {
          tails.append(points.count - 1)
        } else {
          tails[length] = points.count - 1
        }
      }
    }
    var chain: [(target: Int, source: Int)] = []
    var point = tails.last ?? -1
    while point >= 0 {
      chain.append((points[point].target, points[point].source))
      point = points[point].previous
    }
    return chain
  }
}
