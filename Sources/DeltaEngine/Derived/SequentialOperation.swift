/// An operation of a delta in sequential form, for flat lists in views without batches, as
/// `RecyclerView`.
///
/// Each index is that of the list after the operations before it.
public enum SequentialOperation: Hashable, Sendable {
  /// Removes items.
  case remove(at: Int, count: Int)
  /// Inserts items of the target.
  case insert(at: Int, targets: Range<Int>)
  /// Moves an item; the destination is counted without it.
  case move(from: Int, to: Int)
  /// Replaces items by those of the target.
  case change(at: Int, targets: Range<Int>)
}

extension Delta {
  /// The delta of a flat list as sequential operations.
  ///
  /// Removals come first, from the end; then moves, as many as the delta has; then insertions and
  /// changes, ascending, whose indices are those of the target.
  ///
  /// - Returns: The operations; `targets` are indices of the target's items.
  /// - Throws: `DeltaMismatch` when the delta is not of a flat list: one section, in both versions.
  /// - Complexity: O(n + m log n) for n items and m moves.
  public func sequentialOperations() throws(DeltaMismatch) -> [SequentialOperation] {
    if isEmpty { return [] }
    guard sourceItemCounts.count == 1, targetItemCounts.count == 1 else {
      throw DeltaMismatch(
        reason:
          "from \(sourceItemCounts.count) sections to \(targetItemCounts.count): operations one "
          + "after the other are for flat lists")
    }
    let sourceCount = sourceItemCounts[0]
    let removed = changes.deletedItems.map { $0.item }
    var operations: [SequentialOperation] = [Range<Int>](ascending: removed).reversed().map {
      .remove(at: $0.lowerBound, count: $0.count)
    }
    operations += MoveSequence(changes, sourceCount: sourceCount).operations()
    operations += [Range<Int>](ascending: changes.insertedItems.map { $0.item }).map {
      .insert(at: $0.lowerBound, targets: $0)
    }
    operations += [Range<Int>](ascending: changes.reloadedItems.map { $0.target.item }).map {
      .change(at: $0.lowerBound, targets: $0)
    }
    return operations
  }
}

/// The moves of a flat delta, each with the indices after those before it.
///
/// All places that an item ever has are laid out in one row: an unmoved item has one, a moved one
/// has two, where it was and where it will be, between the same unmoved neighbours as in either
/// list. A move frees the one and fills the other, and its indices are the numbers of filled places
/// before them, kept in a Fenwick tree (Fenwick 1994).
private struct MoveSequence {
  /// Per move: the row's place that it frees and the one it fills.
  private var moves: [(from: Int, to: Int)] = []
  private var filled: FenwickTree

  init(_ changes: DeltaChanges, sourceCount: Int) {
    let moved = changes.movedItems
    if moved.isEmpty {
      filled = FenwickTree(count: 0)
      return
    }
    var isRemoved = [Bool](repeating: false, count: sourceCount)
    for path in changes.deletedItems { isRemoved[path.item] = true }
    var moveOfSource = [Int: Int](minimumCapacity: moved.count)
    for (number, pair) in moved.enumerated() { moveOfSource[pair.source.item] = number }
    moves = moved.map { _ in (0, 0) }
    // Survivors in the target that stand before a moved one, and are not moved themselves.
    let added = changes.insertedItems.map { $0.item }
    var destinations = moved.enumerated().map { number, pair in
      (pair.target.item - number - added.partitioningIndex { added[$0] < pair.target.item }, number)
    }[...]
    var places: [Bool] = []
    var unmoved = 0
    for source in 0..<sourceCount where !isRemoved[source] {
      while let (before, number) = destinations.first, before <= unmoved {
        moves[number].to = places.count
        places.append(false)
        destinations.removeFirst()
      }
      if let number = moveOfSource[source] {
        moves[number].from = places.count
      } else {
        unmoved += 1
      }
      places.append(true)
    }
    for (_, number) in destinations {
      moves[number].to = places.count
      places.append(false)
    }
    filled = FenwickTree(count: places.count)
    for (place, isFilled) in places.enumerated() where isFilled { filled.add(1, at: place) }
  }

  func operations() -> [SequentialOperation] {
    var filled = filled
    return moves.map { move in
      let from = filled.sum(below: move.from)
      filled.add(-1, at: move.from)
      let to = filled.sum(below: move.to)
      filled.add(1, at: move.to)
      return .move(from: from, to: to)
    }
  }
}
