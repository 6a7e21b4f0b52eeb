/// One of the sequential operations equivalent to a delta, for flat lists in views without batch
/// updates, such as `RecyclerView`.
///
/// Indices refer to the list after all preceding operations.
public enum SequentialOperation: Hashable, Sendable {
  /// Removes items.
  case remove(at: Int, count: Int)
  /// Inserts items of the target.
  case insert(at: Int, targets: Range<Int>)
  /// Moves an item; the destination index is that after its removal.
  case move(from: Int, to: Int)
  /// Replaces items with those of the target.
  case change(at: Int, targets: Range<Int>)
}

extension Delta {
  /// Returns the delta of a flat list as sequential operations.
  ///
  /// Removals come first, from the end; then moves, as many as the delta has; then insertions and
  /// changes, ascending, whose indices are those in the target.
  ///
  /// - Returns: The operations; `targets` are indices of the target's items.
  /// - Throws: `DeltaMismatch` unless the delta is that of a flat list, with one section in both
  ///   versions.
  /// - Complexity: O(*n* + *m* log *n*) for *n* items and *m* moves.
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
    let moves = MoveSequence(
      changes.movedItems.map { ($0.source.item, $0.target.item) }, removed: removed,
      added: changes.insertedItems.map { $0.item }, sourceCount: sourceCount)
    operations += moves.operations().map { .move(from: $0.from, to: $0.to) }
    operations += [Range<Int>](ascending: changes.insertedItems.map { $0.item }).map {
      .insert(at: $0.lowerBound, targets: $0)
    }
    operations += [Range<Int>](ascending: changes.reloadedItems.map { $0.target.item }).map {
      .change(at: $0.lowerBound, targets: $0)
    }
    return operations
  }
}

extension DeltaStep {
  /// The moves of a flat list's step, for views that take them one after the other: between its
  /// deletions and its insertions, each with the indices after the preceding ones.
  ///
  /// - Parameter itemCount: The number of items before the step, which must fit it.
  /// - Returns: The moves.
  /// - Complexity: As `Delta.sequentialOperations()`.
  package func sequentialMoves(itemCount: Int) -> [(from: Int, to: Int)] {
    MoveSequence(
      move.items.map { ($0.from.item, $0.to.item) }, removed: delete.items.map(\.item),
      added: insert.items.map(\.at.item), sourceCount: itemCount
    ).operations()
  }
}

/// Converts the moves of a flat delta, each with the indices after the preceding ones.
///
/// All positions that items ever have are laid out in one row. An unmoved item has one position; a
/// moved item has two, its old and its new one, placed between the same unmoved neighbors as in
/// the lists. A move empties one position and fills the other, and its indices are the numbers of
/// filled positions before them, kept in a Fenwick tree.
private struct MoveSequence {
  /// For each move, the positions in the row that it empties and fills.
  private var moves: [(from: Int, to: Int)] = []
  private var filled: FenwickTree

  /// - Parameters:
  ///   - moved: The indices in the source and in the target, ascending by that in the target.
  ///   - removed: The indices in the source of deleted items.
  ///   - added: The indices in the target of inserted items, ascending.
  ///   - sourceCount: The number of items in the source.
  init(
    _ moved: [(source: Int, target: Int)], removed: [Int], added: [Int], sourceCount: Int
  ) {
    if moved.isEmpty {
      filled = FenwickTree(count: 0)
      return
    }
    var isRemoved = [Bool](repeating: false, count: sourceCount)
    for item in removed { isRemoved[item] = true }
    var moveOfSource = [Int: Int](minimumCapacity: moved.count)
    for (number, pair) in moved.enumerated() { moveOfSource[pair.source] = number }
    moves = moved.map { _ in (0, 0) }
    // The number of unmoved survivors that precede each moved item in the target.
    var destinations = moved.enumerated().map { number, pair in
      (pair.target - number - added.partitioningIndex { added[$0] < pair.target }, number)
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

  /// The moves, each with the indices after the preceding ones.
  func operations() -> [(from: Int, to: Int)] {
    var filled = filled
    return moves.map { move in
      let from = filled.sum(below: move.from)
      filled.add(-1, at: move.from)
      let to = filled.sum(below: move.to)
      filled.add(1, at: move.to)
      return (from, to)
    }
  }
}
