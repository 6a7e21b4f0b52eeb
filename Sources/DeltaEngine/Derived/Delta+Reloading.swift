extension Delta {
  /// The same delta with some items reloaded although their content is equal.
  ///
  /// - Parameter targets: Places in the target; those of items that are new or changed anyway are
  ///   ignored. An empty delta has no counts: give them to `init(reloading:itemCounts:)` instead.
  /// - Returns: A delta that reloads these items too.
  public func reloading(_ targets: some Sequence<ItemPath<Target>>) -> Delta {
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

  /// A delta between equal versions that only reloads items.
  ///
  /// - Parameters:
  ///   - paths: The items' places.
  ///   - itemCounts: The number of items in each section.
  public init(reloading paths: some Sequence<ItemPath<Target>>, itemCounts: [Int]) {
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
