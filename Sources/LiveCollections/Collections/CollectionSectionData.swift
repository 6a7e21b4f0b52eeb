public import DeltaEngine

/// The sections and items that a screen shows, followed from version to version.
///
/// Ids are unique: those of sections among the sections, those of items among the items of all
/// sections, so that an item can move from one section to another. Every member can be used from
/// any thread; what is read one call after another may stem from two versions, so take `sections`
/// once where several values must fit each other.
///
/// ```swift
/// let data = CollectionSectionData(sections)
/// let delta = try data.update(newSections)
/// ```
public final class CollectionSectionData<SectionType>: Sendable
where SectionType: UniquelyIdentifiableSection & Sendable {
  let store: ContentStore<SectionType>

  /// A collection that holds these sections; their ids are checked by the first update.
  public init(_ sections: [SectionType] = []) {
    store = ContentStore(sections)
  }
}

// MARK: - Updating

extension CollectionSectionData {
  /// What would change if these were the sections; nothing is changed.
  ///
  /// - Parameter new: The sections wanted.
  /// - Returns: The minimal delta from the sections held.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions.
  /// - Complexity: As `Delta.init(from:to:)`.
  @inlinable
  public func calculateDelta(_ new: [SectionType]) throws(DuplicateIdentifier) -> Delta {
    try Delta(from: sections, to: new)
  }

  /// Replaces the sections at once.
  ///
  /// Updates from several threads take place one after the other, in some order.
  ///
  /// - Parameter new: The sections wanted.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions; nothing is
  ///   changed then.
  /// - Complexity: As `Delta.init(from:to:)`.
  @inlinable @discardableResult
  public func update(_ new: [SectionType]) throws(DuplicateIdentifier) -> Delta {
    while true {
      let prepared = try prepareUpdate(new)
      if commit(prepared) { return prepared.delta }
    }
  }

  /// Adds sections behind those held, at once.
  ///
  /// - Parameter sections: The sections to add; their ids and their items' ids are all new.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id stands twice; nothing is changed then.
  /// - Complexity: As `update(_:)`.
  @inlinable @discardableResult
  public func append(_ sections: [SectionType]) throws(DuplicateIdentifier) -> Delta {
    while true {
      let prepared = try prepareUpdate { $0 + sections }
      if commit(prepared) { return prepared.delta }
    }
  }

  /// Computes an update without applying it.
  ///
  /// - Parameter new: The sections wanted.
  /// - Returns: The update, to be given to `commit(_:)` or dropped.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions.
  /// - Complexity: As `Delta.init(from:to:)`.
  @inlinable
  public func prepareUpdate(
    _ new: [SectionType]
  ) throws(DuplicateIdentifier) -> PreparedUpdate<SectionType> {
    try prepareUpdate { _ in new }
  }

  /// Applies a prepared update, unless the sections were changed since it was prepared.
  ///
  /// - Parameter prepared: An update that this collection prepared.
  /// - Returns: `false` when nothing was done because the sections were changed in between.
  /// - Complexity: O(1).
  @discardableResult
  public func commit(_ prepared: PreparedUpdate<SectionType>) -> Bool {
    store.replace(by: prepared.content, at: prepared.base)
  }

  @usableFromInline
  var current: (content: [SectionType], revision: UInt64) { store.current }

  @inlinable
  func prepareUpdate(
    _ next: ([SectionType]) -> [SectionType]
  ) throws(DuplicateIdentifier) -> PreparedUpdate<SectionType> {
    let (held, revision) = current
    let new = next(held)
    let delta = try Delta(from: held, to: new)
    return PreparedUpdate(delta: delta, content: new, base: revision)
  }
}
