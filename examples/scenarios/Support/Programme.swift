import LiveCollections

/// How much of a list an update changes.
public enum ChangeSize: String, Sendable, CaseIterable {
  /// At most one movie goes, one comes, one moves.
  case small
  /// Up to three of each, and some seats are taken.
  case moderate
  /// Another list altogether.
  case massive
}

/// Makes programmes out of the archive; the same for the same seed.
public struct Programme: Sendable {
  private var state: UInt64
  private let archive: [Movie]

  /// Makes programmes from a seed.
  public init(seed: UInt64, archive: [Movie] = Movie.archive) {
    state = seed
    self.archive = archive
  }

  /// A list of movies that are not among others.
  public mutating func movies(_ count: Int, without others: [Movie] = []) -> [Movie] {
    let taken = Set(others.map(\.uniqueID))
    return Array(shuffled(archive.filter { !taken.contains($0.uniqueID) }).prefix(count))
  }

  /// A list after a change.
  ///
  /// - Parameters:
  ///   - movies: The list.
  ///   - size: How much changes.
  ///   - others: Movies that must not come.
  /// - Returns: The list wanted.
  public mutating func changed(
    _ movies: [Movie], _ size: ChangeSize, without others: [Movie] = []
  ) -> [Movie] {
    if size == .massive { return self.movies(max(3, movies.count), without: others) }
    let most = size == .small ? 1 : 3
    var list = movies
    for _ in 0..<number(to: most) where list.count > 2 { list.remove(at: index(in: list)) }
    for movie in self.movies(number(to: most), without: movies + others) {
      list.insert(movie, at: number(to: list.count))
    }
    for _ in 0..<number(to: most) {
      let movie = list.remove(at: index(in: list))
      list.insert(movie, at: number(to: list.count))
    }
    if size == .moderate { list[index(in: list)].seats -= 1 + number(to: 5) }
    return list
  }

  /// A number from 0 to another.
  public mutating func number(to last: Int) -> Int { Int(next() % UInt64(last + 1)) }

  /// A list in another order.
  public mutating func shuffled<Element>(_ list: [Element]) -> [Element] {
    var list = list
    for end in list.indices.reversed() { list.swapAt(end, number(to: end)) }
    return list
  }

  private mutating func index(in list: [Movie]) -> Int { number(to: list.count - 1) }

  /// SplitMix64.
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
