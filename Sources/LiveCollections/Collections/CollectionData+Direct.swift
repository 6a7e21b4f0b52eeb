public import DeltaEngine

// Updates at once, for collections without a view.

extension CollectionData {
  /// What would change if these were the items, as section 0; nothing is changed.
  ///
  /// - Parameter new: The items wanted.
  /// - Returns: The minimal delta from the items held.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions.
  /// - Complexity: As `Delta.init(fromItems:toItems:)`.
  @inlinable
  public func calculateDelta(_ new: [ItemType]) throws(DuplicateIdentifier) -> Delta {
    try Delta(fromItems: items, toItems: new)
  }

  /// What would change if these items were added behind those held; nothing is changed.
  ///
  /// - Parameter items: The items to add.
  /// - Returns: Insertions, and nothing else.
  /// - Throws: `DuplicateIdentifier` when an id stands twice.
  /// - Complexity: O(n), n the number of all items: their ids are checked.
  @inlinable
  public func calculateAppendDelta(_ items: [ItemType]) throws(DuplicateIdentifier) -> Delta {
    let held = self.items
    return try Delta(fromItems: held, toItems: held + items)
  }

  /// Replaces the items at once.
  ///
  /// Updates from several threads take place one after the other, in some order. With a view, or
  /// while an update is under way, the items are replaced in their turn, as by
  /// `update(_:completion:)`, and the delta is the one from the items held now.
  ///
  /// - Parameter new: The items wanted.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions; nothing is
  ///   changed then.
  /// - Complexity: As `Delta.init(fromItems:toItems:)`.
  @inlinable @discardableResult
  public func update(_ new: [ItemType]) throws(DuplicateIdentifier) -> Delta {
    try changeAtOnce(replacesAll: true) { _ in new }
  }

  /// Adds items behind those held, at once or in their turn, as `update(_:)` does.
  ///
  /// - Parameter items: The items to add; their ids are all new.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id stands twice; nothing is changed then.
  /// - Complexity: As `update(_:)`.
  @inlinable @discardableResult
  public func append(_ items: [ItemType]) throws(DuplicateIdentifier) -> Delta {
    try changeAtOnce(replacesAll: false) { $0 + items }
  }

  /// Computes an update without applying it.
  ///
  /// - Parameter new: The items wanted.
  /// - Returns: The update, to be given to `commit(_:)` or dropped.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions.
  /// - Complexity: As `Delta.init(fromItems:toItems:)`.
  @inlinable
  public func prepareUpdate(
    _ new: [ItemType]
  ) throws(DuplicateIdentifier) -> PreparedUpdate<ItemType> {
    try prepareUpdate { _ in new }
  }

  /// Applies a prepared update, unless the items changed since it was prepared.
  ///
  /// With a view it is shown as any other update is.
  ///
  /// - Parameter prepared: An update that this collection prepared.
  /// - Returns: `false` when nothing was done because the items changed in between, or because an
  ///   update is under way.
  /// - Complexity: O(1).
  @discardableResult
  public func commit(_ prepared: PreparedUpdate<ItemType>) -> Bool {
    pipeline.commit(prepared) == .done
  }
}

// MARK: - Below

extension CollectionData {
  @usableFromInline
  var current: (content: [ItemType], revision: UInt64) { pipeline.store.current }

  @inlinable
  func prepareUpdate(
    _ next: ([ItemType]) -> [ItemType]
  ) throws(DuplicateIdentifier) -> PreparedUpdate<ItemType> {
    let (held, revision) = current
    let new = next(held)
    let delta = try Delta(fromItems: held, toItems: new)
    return PreparedUpdate(delta: delta, content: new, base: revision)
  }

  @inlinable
  func changeAtOnce(
    replacesAll: Bool, _ next: @escaping @Sendable ([ItemType]) -> [ItemType]
  ) throws(DuplicateIdentifier) -> Delta {
    while true {
      let prepared = try prepareUpdate(next)
      if isSettled(prepared, replacesAll: replacesAll, next) { return prepared.delta }
    }
  }

  /// Commits, or puts the change in the line when an update is under way.
  ///
  /// - Returns: `false` when the items changed since the update was prepared.
  @usableFromInline
  func isSettled(
    _ prepared: PreparedUpdate<ItemType>, replacesAll: Bool,
    _ next: @escaping @Sendable ([ItemType]) -> [ItemType]
  ) -> Bool {
    switch pipeline.commit(prepared) {
    case .done: return true
    case .stale: return false
    case .busy:
      _ = pipeline.add(replacesAll ? .replace(next) : .edit { Edited(next($0)) }, completion: nil)
      return true
    }
  }
}
