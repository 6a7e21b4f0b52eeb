extension Delta {
  /// Returns the delta with additional reloads of items whose contents are equal.
  ///
  /// - Parameter targets: Positions in the target; those of inserted or changed items are ignored.
  ///   An empty delta has no counts: use `init(reloading:itemCounts:)` instead.
  /// - Returns: A delta that also reloads these items.
  public func reloading(_ targets: some Sequence<ItemPath<TargetSpace>>) -> Delta {
    let map = indexMap
    var all = changes
    let changed = Set(changes.reloadedItems.lazy.map { $0.target })
    for target in Set(targets) where !changed.contains(target) {
      if let source = map.source(of: target) {
        all.reloadedItems.append(ItemPathPair(source: source, target: target))
      }
    }
    all.reloadedItems.sort { $0.target < $1.target }
    return Delta(
      staging: all, sourceItemCounts: sourceItemCounts, targetItemCounts: targetItemCounts)
  }

  /// Creates a delta between equal versions that only reloads items.
  ///
  /// - Parameters:
  ///   - paths: The positions of the items.
  ///   - itemCounts: The number of items in each section.
  public init(reloading paths: some Sequence<ItemPath<TargetSpace>>, itemCounts: [Int]) {
    var changes = DeltaChanges()
    changes.reloadedItems = Set(paths)
      .filter { itemCounts.indices.contains($0.section) && $0.item < itemCounts[$0.section] }
      .sorted()
      .map {
        ItemPathPair(source: ItemPath(section: $0.section, item: $0.item), target: $0)
      }
    self.init(
      staging: changes,
      sourceItemCounts: itemCounts, targetItemCounts: itemCounts)
  }
}
