/// A longest common subsequence of two lists whose elements can only be compared pairwise.
///
/// Myers 1986, "An O(ND) difference algorithm", with the linear space refinement: paths from both
/// ends meet on a shortest edit script, which splits the lists in two. O((n + m) · d) comparisons
/// for d deletions and insertions, O(n + m) memory. A common prefix and suffix are matched
/// first.
struct PairwiseOrder {
  private let isSame: (_ source: Int, _ target: Int) -> Bool
  /// Matched pairs; ascending in both lists once `match` is done.
  private(set) var pairs: [(source: Int, target: Int)] = []

  /// Matches two lists of these lengths.
  init(_ sourceCount: Int, _ targetCount: Int, isSame: @escaping (Int, Int) -> Bool) {
    self.isSame = isSame
    match(0..<sourceCount, 0..<targetCount)
  }

  private mutating func match(_ source: Range<Int>, _ target: Range<Int>) {
    var (source, target) = (source, target)
    while let first = source.first, let other = target.first, isSame(first, other) {
      pairs.append((first, other))
      source = source.dropFirst()
      target = target.dropFirst()
    }
    var tail: [(source: Int, target: Int)] = []
    while let last = source.last, let other = target.last, isSame(last, other) {
      tail.append((last, other))
      source = source.dropLast()
      target = target.dropLast()
    }
    if !source.isEmpty && !target.isEmpty {
      let (x, y) = middle(source, target)
      match(source.lowerBound..<x, target.lowerBound..<y)
      match(x..<source.upperBound, y..<target.upperBound)
    }
    pairs += tail.reversed()
  }

  /// A place on a shortest edit script, about in its middle.
  ///
  /// A path of d edits from the start and one of d or d - 1 from the end meet where, on one
  /// diagonal (source - target), they have gone past each other.
  private func middle(_ source: Range<Int>, _ target: Range<Int>) -> (source: Int, target: Int) {
    let (n, m) = (source.count, target.count)
    var forward = Frontier(n, m)
    var backward = Frontier(n, m)
    for d in 0...(n + m + 1) / 2 {
      for k in stride(from: -d, through: d, by: 2) {
        let reached = forward.advance(k, edits: d) { x, y in
          isSame(source.lowerBound + x, target.lowerBound + y)
        }
        if let x = reached, let other = backward.reach(n - m - k, edits: d - 1), x + other >= n {
          return (source.lowerBound + x, target.lowerBound + x - k)
        }
      }
      for k in stride(from: -d, through: d, by: 2) {
        let reached = backward.advance(k, edits: d) { x, y in
          isSame(source.upperBound - 1 - x, target.upperBound - 1 - y)
        }
        if let x = reached, let other = forward.reach(n - m - k, edits: d), x + other >= n {
          return (source.upperBound - x, target.upperBound - x + k)
        }
      }
    }
    return (source.lowerBound, target.upperBound)
  }
}

/// How far into the source paths of a number of edits get on each diagonal.
private struct Frontier {
  private let n: Int
  private let m: Int
  private let offset: Int
  /// Per diagonal, the latest path: how far it gets, and its edits; -1 where there is none.
  private var paths: [(x: Int, edits: Int)]

  init(_ n: Int, _ m: Int) {
    self.n = n
    self.m = m
    offset = (n + m + 1) / 2 + 1
    paths = [(x: Int, edits: Int)](repeating: (-1, -1), count: 2 * offset + 1)
  }

  /// How far the path of so many edits gets on a diagonal, if there is one.
  func reach(_ diagonal: Int, edits: Int) -> Int? {
    guard edits >= 0, paths.indices.contains(offset + diagonal) else { return nil }
    let path = paths[offset + diagonal]
    return path.edits == edits ? path.x : nil
  }

  /// Takes the better of the paths beside a diagonal one edit further, onto it and along all that
  /// is the same.
  ///
  /// - Returns: How far it gets; `nil` when both would leave the lists.
  mutating func advance(
    _ k: Int, edits d: Int, isSame: (_ x: Int, _ y: Int) -> Bool
  ) -> Int? {
    var x = d == 0 ? 0 : -1
    if let across = reach(k - 1, edits: d - 1), across < n { x = across + 1 }
    if let down = reach(k + 1, edits: d - 1), down - k <= m { x = max(x, down) }
    guard x >= 0 else {
      paths[offset + k] = (-1, -1)
      return nil
    }
    while x < n, x - k < m, isSame(x, x - k) { x += 1 }
    paths[offset + k] = (x, d)
    return x
  }
}
