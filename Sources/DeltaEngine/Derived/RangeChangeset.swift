/// A flat delta without moves, in ranges: for views and clients that know only inserts, deletes and
/// updates.
///
/// A moved item is deleted and inserted. Updates and deletes are in the source's indices, inserts
/// in the target's; ranges are half-open, ascend and do not touch. Apply updates, then deletes,
/// then inserts.
public struct RangeChangeset: Hashable, Codable, Sendable {
  /// Kept items with new content: ranges of the source.
  public var updated: [Range<Int>] = []
  /// Deleted items: ranges of the source.
  public var deleted: [Range<Int>] = []
  /// Inserted items: ranges of the target.
  public var inserted: [Range<Int>] = []
  /// The number of items before.
  public var countBefore: Int
  /// The number of items after.
  public var countAfter: Int

  /// A changeset; the ranges ascend and do not touch.
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

  /// The number of indices that are updated, deleted or inserted.
  public var changedIndexesCount: Int {
    (updated + deleted + inserted).reduce(0) { $0 + $1.count }
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { updated.isEmpty && deleted.isEmpty && inserted.isEmpty }

  /// Whether all items were deleted, or all are inserted: a reload then looks better.
  ///
  /// From or to an empty list is a replacement; from empty to empty is none.
  public var wasReplaced: Bool {
    (countBefore > 0 && deleted.first == 0..<countBefore)
      || (countAfter > 0 && inserted.first == 0..<countAfter)
  }

  /// The changeset without updates, for callers that apply those in another way.
  public func updatesStripped() -> RangeChangeset {
    var stripped = self
    stripped.updated = []
    return stripped
  }

  /// Where an item of the source is in the target.
  ///
  /// - Parameter index: An index of the source.
  /// - Returns: Its index in the target; `nil` when it was deleted (or moved), or is out of range.
  /// - Complexity: O(ranges).
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
  /// One section's part of the delta, without moves and in ranges.
  ///
  /// - Parameters:
  ///   - source: The section's index in the source.
  ///   - target: Its index in the target.
  /// - Returns: What happens among the items of that section; `nil` when there is no such section,
  ///   or when nothing differs at all.
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
