/// An order of items: by one or several keys, the first that differs counting.
///
/// Items that no key tells apart keep their order, so that sorting twice never moves anything;
/// `ArrangedItems` orders those by their ids where ids can be compared.
///
/// ```swift
/// let order = SortRule<Song>(\.album).then(\.track).then(\.title, descending: true)
/// ```
public struct SortRule<ItemType> {
  /// Compares two items: -1, 0 or 1.
  private let compare: (ItemType, ItemType) -> Int

  private init(compare: @escaping (ItemType, ItemType) -> Int) {
    self.compare = compare
  }

  /// Orders by a strict weak order.
  public init(by areInIncreasingOrder: @escaping (ItemType, ItemType) -> Bool) {
    compare = { lhs, rhs in
      areInIncreasingOrder(lhs, rhs) ? -1 : areInIncreasingOrder(rhs, lhs) ? 1 : 0
    }
  }

  /// Orders by a key.
  public init<Key: Comparable>(
    _ key: @escaping (ItemType) -> Key, descending: Bool = false
  ) {
    self.init { lhs, rhs in
      descending ? key(rhs) < key(lhs) : key(lhs) < key(rhs)
    }
  }

  /// Orders what is equal so far by another key.
  public func then<Key: Comparable>(
    _ key: @escaping (ItemType) -> Key, descending: Bool = false
  ) -> SortRule { then(SortRule(key, descending: descending)) }

  /// Orders what is equal so far by another rule.
  public func then(_ next: SortRule) -> SortRule {
    SortRule { [compare] lhs, rhs in
      let order = compare(lhs, rhs)
      return order == 0 ? next.compare(lhs, rhs) : order
    }
  }

  /// The reverse order; equal items keep their order.
  public var reversed: SortRule { SortRule { [compare] in compare($1, $0) } }

  /// The items in this order; those that no key tells apart stay as they stand.
  ///
  /// - Complexity: O(n log n).
  public func sorted(_ items: [ItemType]) -> [ItemType] {
    // The standard library does not promise that its sort is stable.
    items.enumerated().sorted { lhs, rhs in
      let order = compare(lhs.element, rhs.element)
      return order == 0 ? lhs.offset < rhs.offset : order < 0
    }.map(\.element)
  }
}

extension SortRule where ItemType: UniquelyIdentifiable, ItemType.UniqueIDType: Comparable {
  /// Orders by a key, and by the id what no key tells apart.
  public static func byKey<Key: Comparable>(
    _ key: @escaping (ItemType) -> Key, descending: Bool = false
  ) -> SortRule { SortRule(key, descending: descending).then(\.uniqueID) }
}
