/// A delta that does not fit the list it is applied to.
public struct DeltaMismatch: Error, Hashable, Sendable {
  /// What does not fit, and where.
  public var reason: String

  /// A mismatch.
  public init(reason: String) { self.reason = reason }
}

extension Delta {
  /// Applies the delta to values kept beside the source's items: cells, heights, views.
  ///
  /// ```swift
  /// heights = try delta.applied(to: heights) { path in height(of: wanted[path]) }
  /// ```
  ///
  /// - Parameters:
  ///   - rows: Per section of the source, one value an item.
  ///   - value: The value of a new or changed item, by its place in the target.
  /// - Returns: Per section of the target, one value an item.
  /// - Throws: `DeltaMismatch` when `rows` has not the shape of the source, and what `value`
  ///   throws.
  /// - Complexity: O(n log c) for n items and c changes.
  public func applied<Row>(
    to rows: [[Row]], value: (ItemPath<Target>) throws -> Row
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
        let path = ItemPath<Target>(section: section, item: item)
        guard let old = map.source(of: path), !changed.contains(path) else {
          return try value(path)
        }
        return rows[old.section][old.item]
      }
    }
  }

  /// Applies the delta of a flat list to values kept beside the source's items.
  ///
  /// - Parameters:
  ///   - rows: One value an item of the source.
  ///   - value: The value of a new or changed item, by its index in the target.
  /// - Returns: One value an item of the target.
  /// - Throws: `DeltaMismatch` when the delta is not of a flat list with so many items, and what
  ///   `value` throws.
  /// - Complexity: O(n log c) for n items and c changes.
  public func applied<Row>(toItems rows: [Row], value: (Int) throws -> Row) throws -> [Row] {
    if isEmpty { return rows }
    guard targetItemCounts.count == 1 else {
      throw DeltaMismatch(reason: "a list of \(targetItemCounts.count) sections is not flat")
    }
    return try applied(to: [rows]) { try value($0.item) }[0]
  }

  /// Applies the delta to the source itself.
  ///
  /// - Parameters:
  ///   - source: The items that the delta starts from, section after section.
  ///   - target: A new or changed item, by its place in the target.
  /// - Returns: The target's items, section after section.
  /// - Throws: `DeltaMismatch` when `source` has not the shape that the delta starts from.
  /// - Complexity: O(n log c) for n items and c changes.
  public func apply<Section: DiffableSection>(
    to source: [Section], item target: (ItemPath<Target>) throws -> Section.Item
  ) throws -> [[Section.Item]] {
    try applied(to: source.map { $0.items }, value: target)
  }
}
