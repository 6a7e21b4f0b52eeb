/// An order of items by one or several keys: the first key that differs decides.
///
/// Sorting is stable: items that no key tells apart keep their order. `ArrangedItems` orders those
/// by their ids where ids can be compared.
///
/// ```swift
/// let order = ItemOrder<Song>(\.album).then(\.track).then(\.title, descending: true)
/// ```
public struct ItemOrder<ItemType>: Sendable {
  private let precedes: @Sendable (ItemType, ItemType) -> Bool

  /// Orders by a strict weak ordering.
  public init(by areInIncreasingOrder: @escaping @Sendable (ItemType, ItemType) -> Bool) {
    precedes = areInIncreasingOrder
  }

  /// Orders by a key.
  public init<Key: Comparable & SendableMetatype>(
    _ key: @escaping @Sendable (ItemType) -> Key, descending: Bool = false
  ) {
    precedes = { descending ? key($1) < key($0) : key($0) < key($1) }
  }

  /// Orders items that are equal so far by another key.
  public func then<Key: Comparable & SendableMetatype>(
    _ key: @escaping @Sendable (ItemType) -> Key, descending: Bool = false
  ) -> ItemOrder { then(ItemOrder(key, descending: descending)) }

  /// Orders items that are equal so far by another order.
  public func then(_ next: ItemOrder) -> ItemOrder {
    ItemOrder { [precedes] in precedes($0, $1) || !precedes($1, $0) && next.precedes($0, $1) }
  }

  /// The reverse order; equal items keep their order.
  public var reversed: ItemOrder { ItemOrder { [precedes] in precedes($1, $0) } }

  /// The items in this order.
  ///
  /// - Complexity: O(n log n).
  public func sorted(_ items: [ItemType]) -> [ItemType] {
    // The standard library does not promise that its sort is stable.
    items.enumerated().sorted { lhs, rhs in
      precedes(lhs.element, rhs.element)
        || lhs.offset < rhs.offset && !precedes(rhs.element, lhs.element)
    }.map(\.element)
  }
}
