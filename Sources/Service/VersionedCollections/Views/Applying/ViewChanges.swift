/// What changed between two versions, as all views of them see it.
package struct ViewChanges: Sendable {
  /// Runs of unchanged items, consecutive in both versions, in ascending target order.
  let runs: [VersionComparison.Run]
  /// The other items of the newer version, in ascending order.
  let fresh: [Int]
  /// Whether all unchanged items are where they were, in versions of the same size.
  let isInPlace: Bool
  /// Whether all unchanged items are in the same order, and in sections at the same places.
  let keepsOrder: Bool
  let itemCount: Int
  /// The values of the fresh items that views ask for.
  let columns: ItemColumns

  var byteCount: Int {
    runs.count * MemoryLayout<VersionComparison.Run>.stride
      + fresh.count * MemoryLayout<Int>.stride + columns.byteCount
  }

  /// Compares two versions.
  ///
  /// Items are unchanged if their bytes are; equal content is not enough, because equality may ignore what a term
  /// asks for.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, and in the bytes of those that both versions have in
  ///   different memory.
  package init(from older: ViewableVersion, to newer: ViewableVersion) {
    var (runs, fresh): ([VersionComparison.Run], [Int]) = ([], [])
    var (keepsOrder, last) = (true, -1)
    let isCompared: Void? =
      older.contents.withItems { old in
        newer.contents.withItems { new in
          var flat = 0
          for (index, section) in newer.sections.enumerated() {
            let oldItems = index < older.sections.count ? older.items(of: index) : 0..<0
            for item in section.items {
              if let source = older.flatIndex(of: item.uniqueID),
                Self.isKept(source, old, flat, new)
              {
                runs.add(source, flat, 1)
                keepsOrder = keepsOrder && source > last && oldItems.contains(source)
                last = source
              } else {
                fresh.append(flat)
              }
              flat += 1
            }
          }
        }
      } ?? nil
    if isCompared == nil { fresh = Array(0..<newer.itemCount) }
    (self.runs, self.fresh, self.keepsOrder) = (runs, fresh, keepsOrder)
    itemCount = newer.itemCount
    isInPlace = older.itemCount == itemCount && runs.allSatisfy { $0.source == $0.target }
    columns = ItemColumns(of: newer.contents)
  }

  /// Creates what a write changed, from what it keeps, in lists of so many items.
  ///
  /// - Complexity: O(*r*), where *r* is the number of runs and of items that are in none.
  init(
    _ runs: [VersionComparison.Run], _ counts: (older: Int, newer: Int), keepsOrder: Bool
  ) {
    self.runs = runs
    self.keepsOrder = keepsOrder
    var fresh: [Int] = []
    var end = 0
    for run in runs {
      fresh += end..<run.target
      end = run.target + run.count
    }
    self.fresh = fresh + (end..<counts.newer)
    itemCount = counts.newer
    isInPlace = counts.older == counts.newer && runs.allSatisfy { $0.source == $0.target }
    columns = ItemColumns(bytesMax: 16 << 10)
  }

  /// Joins changes that follow each other and leave all items in place.
  init(joining changes: some Collection<ViewChanges>) {
    let itemCount = changes.first?.itemCount ?? 0
    var runs: [VersionComparison.Run] = []
    var end = 0
    for item in Set(changes.lazy.flatMap(\.fresh)).sorted() + [itemCount] {
      if item > end { runs.add(end, end, item - end) }
      end = item + 1
    }
    self.init(
      runs, (itemCount, itemCount), keepsOrder: changes.allSatisfy(\.keepsOrder))
  }

  private static func isKept(
    _ source: Int, _ old: Contents.Items, _ target: Int, _ new: Contents.Items
  ) -> Bool {
    guard source < old.count, target < new.count else { return false }
    return old.byteCount(source) > 0 && old.isSame(source, as: new, target)
  }

  /// Returns where the unchanged ones of some items of the older version are, which has so many items.
  func kept(_ items: [UInt32], of itemCount: Int) -> [UInt32] {
    if isInPlace, fresh.isEmpty { return items }
    var targets = [UInt32](repeating: .max, count: itemCount)
    for run in runs {
      for offset in 0..<run.count { targets[run.source + offset] = UInt32(run.target + offset) }
    }
    return items.lazy.map { targets[Int($0)] }.filter { $0 != .max }
  }
}
