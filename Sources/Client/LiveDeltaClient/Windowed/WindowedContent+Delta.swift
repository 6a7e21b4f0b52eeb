import DeltaEngine

// A row is what a position shows: an item, or a placeholder. What is known of two versions are the items in their
// windows; so the delta is built from the outside in. Items in both windows that keep their order are fixed points.
// Between two of them everything is known, and the rows of the one version are deleted, those of the other inserted.
// Before the first and after the last fixed point there are placeholders: there the rows of both versions are paired
// from the fixed point outwards, where the user looks, and what one version has more is inserted or deleted at the
// far end. A placeholder and an item may be one row, which is reloaded; two different items never are. So a window
// that moves over a list that stays the same only reloads rows, and no batch depends on what nobody has told.

extension WindowedContent {
  /// Returns the change of the rows from this list to another: at most two steps, of which the last one reloads.
  ///
  /// - Parameters:
  ///   - target: The list after the change.
  ///   - gone: The ids of items that are known to be deleted.
  /// - Returns: The delta, whose paths are rows of section 0.
  /// - Throws: `DuplicateIdentifier` if an id is in one window twice.
  /// - Complexity: O(*w* log *w* + *d*), where *w* is the size of the windows and *d* the difference of the totals.
  func delta(
    to target: WindowedContent, gone: Set<ReplicaID> = []
  ) throws(DuplicateIdentifier) -> Delta {
    let changes = try Delta(fromItems: items, toItems: target.items).changes
    var pairing = RowPairing(self, target, changes, gone)
    pairing.pairAll()
    return pairing.delta
  }
}

private struct RowPairing {
  private let source: WindowedContent
  private let target: WindowedContent
  private let gone: Set<ReplicaID>
  /// The positions of items that move, in both versions.
  private let moves: [(source: Int, target: Int)]
  private let moved: (sources: Set<Int>, targets: Set<Int>)
  /// The positions of items that stay, in both versions, ascending.
  private let fixed: [(source: Int, target: Int)]
  private var deleted: [Int] = []
  private var inserted: [Int] = []
  private var reloaded: [(source: Int, target: Int)] = []

  init(
    _ source: WindowedContent, _ target: WindowedContent, _ changes: DeltaChanges,
    _ gone: Set<ReplicaID>
  ) {
    (self.source, self.target, self.gone) = (source, target, gone)
    moves = changes.movedItems.map {
      (source.start + $0.source.item, target.start + $0.target.item)
    }
    moved = (Set(moves.map(\.source)), Set(moves.map(\.target)))
    // What is neither deleted nor inserted nor moved is in the same order in both.
    let left = Set(changes.deletedItems.map { source.start + $0.item }).union(moved.sources)
    let come = Set(changes.insertedItems.map { target.start + $0.item }).union(moved.targets)
    fixed = zip(
      source.known.lazy.filter { !left.contains($0) },
      target.known.lazy.filter { !come.contains($0) }
    ).map { ($0, $1) }
    reloaded = changes.reloadedItems.map {
      (source.start + $0.source.item, target.start + $0.target.item)
    }
  }

  mutating func pairAll() {
    guard let first = fixed.first, let last = fixed.last else {
      return pair(0..<source.total, 0..<target.total, fromEnd: false)
    }
    pair(0..<first.source, 0..<first.target, fromEnd: true)
    for (one, next) in zip(fixed, fixed.dropFirst()) {
      deleted += (one.source + 1..<next.source).filter { !moved.sources.contains($0) }
      inserted += (one.target + 1..<next.target).filter { !moved.targets.contains($0) }
    }
    pair(last.source + 1..<source.total, last.target + 1..<target.total, fromEnd: false)
  }

  /// Pairs the rows of two ranges from one end, and deletes or inserts what one of them has more.
  private mutating func pair(_ old: Range<Int>, _ new: Range<Int>, fromEnd: Bool) {
    let isGone = { [self] (row: Int) in source[row].map { gone.contains($0.id) } ?? false }
    deleted += old.clamped(to: source.known).filter { isGone($0) && !moved.sources.contains($0) }
    let old = Rows(
      old,
      without: old.clamped(to: source.known).filter {
        moved.sources.contains($0) || isGone($0)
      })
    let new = Rows(new, without: new.clamped(to: target.known).filter(moved.targets.contains))
    let count = min(old.count, new.count)
    let (oldStart, newStart) = fromEnd ? (old.count - count, new.count - count) : (0, 0)
    // Two placeholders are one row that stays as it is.
    for offset in old.offsets(of: source.known, from: oldStart, count)
      .union(new.offsets(of: target.known, from: newStart, count))
    {
      let (row, next) = (old[oldStart + offset], new[newStart + offset])
      if source[row] != nil && target[next] != nil {
        deleted.append(row)
        inserted.append(next)
      } else {
        reloaded.append((row, next))
      }
    }
    let (rest, more) =
      fromEnd ? (0..<oldStart, 0..<newStart) : (count..<old.count, count..<new.count)
    deleted += rest.map { old[$0] }
    inserted += more.map { new[$0] }
  }

  var delta: Delta {
    func source(_ row: Int) -> ItemPath<SourceSpace> { ItemPath(section: 0, item: row) }
    func target(_ row: Int) -> ItemPath<TargetSpace> { ItemPath(section: 0, item: row) }
    var changes = DeltaChanges()
    changes.deletedItems = deleted.sorted().map(source)
    changes.insertedItems = inserted.sorted().map(target)
    func pairs(_ rows: [(source: Int, target: Int)]) -> [ItemPathPair] {
      rows.sorted { $0.target < $1.target }
        .map { ItemPathPair(source: source($0.source), target: target($0.target)) }
    }
    changes.movedItems = pairs(moves)
    changes.reloadedItems = pairs(reloaded)
    guard !changes.isEmpty else { return .empty }
    return Delta(
      changes: changes, steps: steps(changes), sourceItemCounts: [self.source.total],
      targetItemCounts: [self.target.total])
  }

  /// Rows that move allow no reloads in the same step.
  private func steps(_ changes: DeltaChanges) -> [DeltaStep] {
    var (step, reload) = (DeltaStep(), DeltaStep())
    (step.itemCounts, reload.itemCounts) = ([target.total], [target.total])
    step.delete.items = changes.deletedItems.map { ItemPath(section: 0, item: $0.item) }
    step.insert.items = changes.insertedItems.map {
      ItemInsert(at: ItemPath(section: 0, item: $0.item), target: $0)
    }
    step.move.items = changes.movedItems.map {
      ItemMove(
        from: ItemPath(section: 0, item: $0.source.item),
        to: ItemPath(section: 0, item: $0.target.item))
    }
    let isOne = moves.isEmpty
    let reloads = changes.reloadedItems.map {
      ItemReload(
        at: ItemPath(section: 0, item: (isOne ? $0.source.item : $0.target.item)), target: $0.target
      )
    }.sorted { $0.at < $1.at }
    if isOne {
      step.reload.items = reloads
      return [step]
    }
    reload.reload.items = reloads
    return reloads.isEmpty ? [step] : [step, reload]
  }
}

/// A range of rows without some of them.
private struct Rows {
  private let range: Range<Int>
  /// The rows that are left out, ascending.
  private let holes: [Int]

  init(_ range: Range<Int>, without holes: [Int]) { (self.range, self.holes) = (range, holes) }

  var count: Int { range.count - holes.count }

  subscript(offset: Int) -> Int {
    var row = range.lowerBound + offset
    for hole in holes where hole <= row { row += 1 }
    return row
  }

  /// The offsets, from one on, of the rows that are in another range.
  func offsets(of known: Range<Int>, from start: Int, _ count: Int) -> Set<Int> {
    let rows = range.clamped(to: known)
    var offset = rows.lowerBound - range.lowerBound - holes.count { $0 < rows.lowerBound }
    var offsets: Set<Int> = []
    for row in rows where !holes.contains(row) {
      if (start..<start + count).contains(offset) { offsets.insert(offset - start) }
      offset += 1
    }
    return offsets
  }
}
