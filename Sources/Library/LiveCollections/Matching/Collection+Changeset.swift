public import DeltaEngine

extension RandomAccessCollection where Element: Matchable {
  /// What differs from another list, without moves and in ranges, by pairwise matching.
  ///
  /// An element with the same identity and another value is an update. An element may occur more
  /// than once. Of the elements in both lists, as many as possible are kept.
  ///
  /// ```swift
  /// let changeset = old.changeset(to: new)
  /// view.performUpdates(changeset) { store.songs = new }
  /// ```
  ///
  /// - Parameter target: The list wanted; indices count from 0, whatever the collection's own are.
  /// - Returns: Updates and deletions in this list, insertions in the other.
  /// - Complexity: O((n + m) · d) matches for d deletions and insertions; O(n + m) memory.
  public func changeset(to target: some RandomAccessCollection<Element>) -> RangeChangeset {
    let (source, target) = (Array(self), Array(target))
    return RangeChangeset(source.count, target.count) {
      source[$0].match(target[$1])
    }
  }
}

extension RandomAccessCollection where Element: UniquelyIdentifiable {
  /// What differs from another list, without moves and in ranges, by `uniqueID` and content.
  ///
  /// Unlike a delta it allows ids that occur more than once, and has deletions and insertions for
  /// moves.
  ///
  /// - Parameter target: The list wanted; indices count from 0, whatever the collection's own are.
  /// - Returns: Updates and deletions in this list, insertions in the other.
  /// - Complexity: O((n + m) · d) comparisons for d deletions and insertions; O(n + m) memory.
  @_disfavoredOverload
  public func changeset(to target: some RandomAccessCollection<Element>) -> RangeChangeset {
    let (source, target) = (Array(self), Array(target))
    return RangeChangeset(source.count, target.count) { before, after in
      guard source[before].uniqueID == target[after].uniqueID else { return .differentIdentity }
      return target[after].hasSameContent(as: source[before])
        ? .sameIdentityEqualValue : .sameIdentityInequalValue
    }
  }
}

extension RandomAccessCollection where Element: Equatable {
  /// What differs from another list, without moves and in ranges, by equality.
  ///
  /// There are no updates: unequal elements are deleted and inserted.
  ///
  /// - Parameter target: The list wanted; indices count from 0, whatever the collection's own are.
  /// - Returns: Deletions in this list, insertions in the other.
  /// - Complexity: O((n + m) · d) comparisons for d deletions and insertions; O(n + m) memory.
  @_disfavoredOverload
  public func changeset(to target: some RandomAccessCollection<Element>) -> RangeChangeset {
    let (source, target) = (Array(self), Array(target))
    return RangeChangeset(source.count, target.count) {
      .noIdentityCompare(source[$0], target[$1])
    }
  }
}

extension RangeChangeset {
  /// Matches two lists of these lengths.
  fileprivate init(
    _ sourceCount: Int, _ targetCount: Int, match: (Int, Int) -> MatchResult
  ) {
    self.init(countBefore: sourceCount, countAfter: targetCount)
    let pairs = withoutActuallyEscaping(match) { match in
      PairwiseOrder(sourceCount, targetCount) { match($0, $1) != .differentIdentity }.pairs
    }
    var source = 0
    var target = 0
    for pair in pairs + [(sourceCount, targetCount)] {
      if source < pair.source { deleted.append(source..<pair.source) }
      if target < pair.target { inserted.append(target..<pair.target) }
      source = pair.source + 1
      target = pair.target + 1
    }
    updated = [Range](
      ascending: pairs.filter { match($0.source, $0.target) == .sameIdentityInequalValue }
        .map(\.source))
  }
}
