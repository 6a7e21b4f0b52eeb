public import DeltaEngine

// Updates at once, for collections without a view.

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

  /// What would change if these sections were added behind those held; nothing is changed.
  ///
  /// - Parameter sections: The sections to add.
  /// - Returns: Insertions, and nothing else.
  /// - Throws: `DuplicateIdentifier` when an id stands twice.
  /// - Complexity: O(n), n the number of all items: their ids are checked.
  @inlinable
  public func calculateAppendDelta(
    _ sections: [SectionType]
  ) throws(DuplicateIdentifier) -> Delta {
    let held = self.sections
    return try Delta(from: held, to: held + sections)
  }

  /// Replaces the sections at once.
  ///
  /// Updates from several threads take place one after the other, in some order. With a view, or
  /// while an update is under way, the sections are replaced in their turn, as by
  /// `update(_:completion:)`, and the delta is the one from the sections held now.
  ///
  /// - Parameter new: The sections wanted.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions; nothing is
  ///   changed then.
  /// - Complexity: As `Delta.init(from:to:)`.
  @inlinable @discardableResult
  public func update(_ new: [SectionType]) throws(DuplicateIdentifier) -> Delta {
    try changeAtOnce(replacesAll: true) { _ in new }
  }

  /// Adds sections behind those held, at once or in their turn, as `update(_:)` does.
  ///
  /// - Parameter sections: The sections to add; their ids and their items' ids are all new.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id stands twice; nothing is changed then.
  /// - Complexity: As `update(_:)`.
  @inlinable @discardableResult
  public func append(_ sections: [SectionType]) throws(DuplicateIdentifier) -> Delta {
    try changeAtOnce(replacesAll: false) { $0 + sections }
  }

  /// Computes an update without applying it.
  ///
  /// - Parameters:
  ///   - new: The sections wanted.
  ///   - uniqueness: Whether their ids are known to be unique, as they are to who has checked them.
  /// - Returns: The update, to be given to `commit(_:)` or dropped.
  /// - Throws: `DuplicateIdentifier` when an id stands twice in one of the versions.
  /// - Complexity: As `Delta.init(from:to:uniqueness:)`.
  @inlinable
  public func prepareUpdate(
    _ new: [SectionType], uniqueness: Uniqueness = .checked
  ) throws(DuplicateIdentifier) -> PreparedUpdate<SectionType> {
    try prepareUpdate(uniqueness: uniqueness) { _ in new }
  }

  /// Applies a prepared update, unless the sections changed since it was prepared.
  ///
  /// With a view it is shown as any other update is.
  ///
  /// - Parameter prepared: An update that this collection prepared.
  /// - Returns: `false` when nothing was done because the sections changed in between, or because an
  ///   update is under way.
  /// - Complexity: O(1).
  @discardableResult
  public func commit(_ prepared: PreparedUpdate<SectionType>) -> Bool {
    pipeline.commit(prepared) == .done
  }
}

// MARK: - Below

extension CollectionSectionData {
  @usableFromInline
  var current: (content: [SectionType], revision: UInt64) { pipeline.store.current }

  @usableFromInline
  func finished(_ sections: [SectionType]) -> [SectionType] {
    SectionedShape.finished(sections, pipeline.settings)
  }

  @inlinable
  func prepareUpdate(
    uniqueness: Uniqueness = .checked, _ next: ([SectionType]) -> [SectionType]
  ) throws(DuplicateIdentifier) -> PreparedUpdate<SectionType> {
    let (held, revision) = current
    let new = finished(next(held))
    let delta = try Delta(from: held, to: new, uniqueness: uniqueness)
    return PreparedUpdate(delta: delta, content: new, base: revision)
  }

  @inlinable
  func changeAtOnce(
    replacesAll: Bool, _ next: @escaping @Sendable ([SectionType]) -> [SectionType]
  ) throws(DuplicateIdentifier) -> Delta {
    while true {
      let prepared = try prepareUpdate(next)
      if isSettled(prepared, replacesAll: replacesAll, next) { return prepared.delta }
    }
  }

  /// Commits, or puts the change in the line when an update is under way.
  ///
  /// - Returns: `false` when the sections changed since the update was prepared.
  @usableFromInline
  func isSettled(
    _ prepared: PreparedUpdate<SectionType>, replacesAll: Bool,
    _ next: @escaping @Sendable ([SectionType]) -> [SectionType]
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
