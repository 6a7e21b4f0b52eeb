extension Delta {
  /// Applies the delta to values kept alongside the source's items, such as cells, heights or
  /// views.
  ///
  /// ```swift
  /// heights = try delta.applied(to: heights) { path in height(of: wanted[path.section][path.item]) }
  /// ```
  ///
  /// - Parameters:
  ///   - rows: For each section of the source, one value per item.
  ///   - value: Returns the value of an inserted or changed item at a position in the target.
  /// - Returns: For each section of the target, one value per item.
  /// - Throws: `DeltaMismatch` if `rows` does not have the shape of the source, and any error that
  ///   `value` throws.
  /// - Complexity: O(*n* log *c*) for *n* items and *c* changes.
  public func applied<Row>(
    to rows: [[Row]], value: (ItemPath<TargetSpace>) throws -> Row
  ) throws -> [[Row]] {
    if isEmpty { return rows }
    guard rows.map({ $0.count }) == sourceItemCounts else {
      throw DeltaMismatch(
        reason: "sections of \(rows.map { $0.count }) rows, not of \(sourceItemCounts) items")
    }
    let map = indexMap
    let changed = Set(changes.reloadedItems.lazy.map { $0.target })
    return try targetItemCounts.enumerated().map { section, count in
      try (0..<count).map { item in
        let path = ItemPath<TargetSpace>(section: section, item: item)
        guard let old = map.source(of: path), !changed.contains(path) else {
          return try value(path)
        }
        return rows[old.section][old.item]
      }
    }
  }

  /// Applies the delta of a flat list to values kept alongside the source's items.
  ///
  /// - Parameters:
  ///   - rows: One value per item of the source.
  ///   - value: Returns the value of an inserted or changed item at an index in the target.
  /// - Returns: One value per item of the target.
  /// - Throws: `DeltaMismatch` if the delta is not that of a flat list with this many items, and
  ///   any error that `value` throws.
  /// - Complexity: O(*n* log *c*) for *n* items and *c* changes.
  public func applied<Row>(toItems rows: [Row], value: (Int) throws -> Row) throws -> [Row] {
    if isEmpty { return rows }
    guard targetItemCounts.count == 1 else {
      throw DeltaMismatch(reason: "a list of \(targetItemCounts.count) sections is not flat")
    }
    return try applied(to: [rows]) { try value($0.item) }[0]
  }

  /// Applies the delta to the source's items.
  ///
  /// - Parameters:
  ///   - source: The sections that the delta starts from.
  ///   - target: Returns an inserted or changed item at a position in the target.
  /// - Returns: The target's items, by section.
  /// - Throws: `DeltaMismatch` if `source` does not have the shape that the delta starts from.
  /// - Complexity: O(*n* log *c*) for *n* items and *c* changes.
  public func apply<Section: DiffableSection>(
    to source: [Section], item target: (ItemPath<TargetSpace>) throws -> Section.Item
  ) throws -> [[Section.Item]] {
    try applied(to: source.map { $0.items }, value: target)
  }
}
