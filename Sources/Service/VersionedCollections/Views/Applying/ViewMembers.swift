/// Which items of a version a view shows, and in which order.
package struct ViewMembers: Hashable, Sendable {
  /// The items that the reader may see; nil if these are all.
  let allowed: ItemBits?
  /// The items in the view; nil if these are all.
  let shown: ItemBits?
  /// The flat indices of the items in the view, in its order; nil if that is the version's.
  let order: [UInt32]?
  let itemCount: Int

  package var total: Int { shown?.count ?? itemCount }

  func isAllowed(_ flat: Int) -> Bool { allowed?.contains(flat) ?? true }

  func isShown(_ flat: Int) -> Bool { shown?.contains(flat) ?? true }

  /// The number of items in the view that are before a flat index in the version.
  func rank(_ flat: Int) -> Int { shown?.rank(flat) ?? flat }

  /// The flat index of the item that has a number of others in the view before it in the version.
  func element(_ rank: Int) -> Int { shown?.element(rank) ?? rank }

  /// The flat index of the item at a position in the view.
  func flatIndex(at position: Int) -> Int { order.map { Int($0[position]) } ?? element(position) }

  /// The position in the view of the item at a flat index, which must be in it.
  ///
  /// - Complexity: O(*n*) in the number of items in the view if it has an order of its own.
  func position(of flat: Int) -> Int {
    order?.firstIndex(of: UInt32(flat)) ?? rank(flat)
  }

  /// The same items of a newer version, where all others are not in the view; without an order.
  func kept(by changes: ViewChanges) -> ViewMembers {
    func moved(_ bits: ItemBits?) -> ItemBits? {
      var moved = bits?.kept(by: changes)
      moved?.seal()
      return moved
    }
    return ViewMembers(
      allowed: moved(allowed), shown: moved(shown), order: nil, itemCount: changes.itemCount)
  }

  package var byteCount: Int {
    64 + (allowed?.byteCount ?? 0) + (shown?.byteCount ?? 0) + 4 * (order?.count ?? 0)
  }
}
