/// A flat delta without moves, as ranges, for views and clients that support only inserts, deletes
/// and updates.
///
/// A moved item is deleted and inserted. Updates and deletes are in source indices, inserts in
/// target indices; ranges are half-open, ascending and not adjacent. Apply updates, then deletes,
/// then inserts.
public struct RangeChangeset: Hashable, Codable, Sendable {
  /// Ranges of the source whose items are kept with new content.
  public var updated: [Range<Int>] = []
  /// Ranges of the source whose items are deleted.
  public var deleted: [Range<Int>] = []
  /// Ranges of the target whose items are inserted.
  public var inserted: [Range<Int>] = []
  /// The number of items in the source.
  public var countBefore: Int
  /// The number of items in the target.
  public var countAfter: Int

  /// Creates a changeset; the ranges must ascend and not be adjacent.
  public init(
    updated: [Range<Int>] = [], deleted: [Range<Int>] = [], inserted: [Range<Int>] = [],
    countBefore: Int, countAfter: Int
  ) {
    self.updated = updated
    self.deleted = deleted
    self.inserted = inserted
    self.countBefore = countBefore
    self.countAfter = countAfter
  }

  /// The number of updated, deleted and inserted indices.
  public var changedIndexesCount: Int {
    (updated + deleted + inserted).reduce(0) { $0 + $1.count }
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { updated.isEmpty && deleted.isEmpty && inserted.isEmpty }

  /// Whether all items are deleted, or all are inserted, so that a reload may look better.
  ///
  /// A change from or to an empty list is a replacement, but not one from empty to empty.
  public var wasReplaced: Bool {
    (countBefore > 0 && deleted.first == 0..<countBefore)
      || (countAfter > 0 && inserted.first == 0..<countAfter)
  }

  /// Returns the index in the target of an item of the source.
  ///
  /// - Parameter index: An index in the source.
  /// - Returns: The index in the target; `nil` if the item is deleted (or moved), or the index is
  ///   out of range.
  /// - Complexity: O(*r*), where *r* is the number of ranges.
  public func afterIndex(forBeforeIndex index: Int) -> Int? {
    guard (0..<countBefore).contains(index) else { return nil }
    var after = index
    for range in deleted {
      if range.contains(index) { return nil }
      if range.upperBound <= index { after -= range.count }
    }
    for range in inserted where range.lowerBound <= after { after += range.count }
    return after
  }
}

extension Delta {
  /// Returns the part of the delta in one section, as ranges without moves.
  ///
  /// - Parameters:
  ///   - source: The section's index in the source.
  ///   - target: The section's index in the target.
  /// - Returns: The changes to that section's items; `nil` if there is no such section or the delta
  ///   is empty.
  public func rangeChangeset(
    fromSection source: Int = 0, toSection target: Int = 0
  ) -> RangeChangeset? {
    guard sourceItemCounts.indices.contains(source), targetItemCounts.indices.contains(target)
    else { return nil }
    var changeset = RangeChangeset(
      countBefore: sourceItemCounts[source], countAfter: targetItemCounts[target])
    let movedOut = changes.movedItems.lazy.filter { $0.source.section == source }
      .map { $0.source.item }
    let movedIn = changes.movedItems.lazy.filter { $0.target.section == target }
      .map { $0.target.item }
    let removed = changes.deletedItems.lazy.filter { $0.section == source }.map { $0.item }
    let added = changes.insertedItems.lazy.filter { $0.section == target }.map { $0.item }
    let gone = Set(movedOut)
    let changed = changes.reloadedItems.lazy
      .filter { $0.source.section == source && !gone.contains($0.source.item) }
      .map { $0.source.item }
    changeset.deleted = [Range<Int>](ascending: (Array(removed) + Array(movedOut)).sorted())
    changeset.inserted = [Range<Int>](ascending: (Array(added) + Array(movedIn)).sorted())
    changeset.updated = [Range<Int>](ascending: changed.sorted())
    return changeset
  }
}
