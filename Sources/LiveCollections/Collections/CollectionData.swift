public import DeltaEngine

/// The items that one section of a screen shows, followed from version to version.
///
/// Ids are unique among the items. Every member can be used from any thread; what is read one call
/// after another may stem from two versions, so take `items` once where several values must fit
/// each other.
///
/// ```swift
/// let data = CollectionData(movies)
/// let delta = try data.update(newMovies)
/// ```
public final class CollectionData<ItemType>: Sendable
where ItemType: UniquelyIdentifiable & Sendable {
  let store: ContentStore<ItemType>

  /// A collection that holds these items; their ids are checked by the first update.
  public init(_ items: [ItemType] = []) {
    store = ContentStore(items)
  }
}

// MARK: - Reading

extension CollectionData {
  /// The items, in order.
  public var items: [ItemType] { store.content }

  /// The number of items.
  public var count: Int { items.count }

  /// Whether there are no items.
  public var isEmpty: Bool { items.isEmpty }

  /// The item at an index.
  ///
  /// - Parameter index: `0..<count`; anything else is a caller's bug and traps.
  public subscript(index: Int) -> ItemType {
    let items = items
    precondition(items.indices.contains(index), "item \(index) of \(items.count)")
    return items[index]
  }

  /// The item at an index, or `nil` when there is none.
  ///
  /// For callers on another thread than the one that updates: the place may be gone.
  public func item(at index: Int) -> ItemType? {
    let items = items
    return items.indices.contains(index) ? items[index] : nil
  }
}

// MARK: - Updating

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

  /// Replaces the items at once.
  ///
  /// Updates from several threads take place one after the other, in some order.
  ///
  /// - Parameter new: The items wanted.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions; nothing is
  ///   changed then.
  /// - Complexity: As `Delta.init(fromItems:toItems:)`.
  @inlinable @discardableResult
  public func update(_ new: [ItemType]) throws(DuplicateIdentifier) -> Delta {
    while true {
      let prepared = try prepareUpdate(new)
      if commit(prepared) { return prepared.delta }
    }
  }

  /// Adds items behind those held, at once.
  ///
  /// - Parameter items: The items to add; their ids are all new.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id stands twice; nothing is changed then.
  /// - Complexity: As `update(_:)`.
  @inlinable @discardableResult
  public func append(_ items: [ItemType]) throws(DuplicateIdentifier) -> Delta {
    while true {
      let prepared = try prepareUpdate { $0 + items }
      if commit(prepared) { return prepared.delta }
    }
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

  /// Applies a prepared update, unless the items were changed since it was prepared.
  ///
  /// - Parameter prepared: An update that this collection prepared.
  /// - Returns: `false` when nothing was done because the items were changed in between.
  /// - Complexity: O(1).
  @discardableResult
  public func commit(_ prepared: PreparedUpdate<ItemType>) -> Bool {
    store.replace(by: prepared.content, at: prepared.base)
  }

  @usableFromInline
  var current: (content: [ItemType], revision: UInt64) { store.current }

  @inlinable
  func prepareUpdate(
    _ next: ([ItemType]) -> [ItemType]
  ) throws(DuplicateIdentifier) -> PreparedUpdate<ItemType> {
    let (held, revision) = current
    let new = next(held)
    let delta = try Delta(fromItems: held, toItems: new)
    return PreparedUpdate(delta: delta, content: new, base: revision)
  }
}
