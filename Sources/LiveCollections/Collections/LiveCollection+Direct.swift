public import DeltaEngine

// Updates at once, for collections without a view.

extension LiveCollection {
  /// What would change if this were the content; nothing is changed.
  ///
  /// - Parameter new: The items or sections wanted.
  /// - Returns: The minimal delta from the content held, to one without the sections that
  ///   `update(_:)` would leave out.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in one of the versions.
  /// - Complexity: As `delta(from:to:uniqueness:)`.
  @inlinable public func calculateDelta(_ new: [Element]) throws(DuplicateIdentifier) -> Delta {
    try Self.delta(from: current.content, to: finished(new), uniqueness: .checked)
  }

  /// What would change if these were added behind what is held; nothing is changed.
  ///
  /// - Parameter more: The items or sections to add.
  /// - Returns: Insertions, and nothing else.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice.
  /// - Complexity: O(n), n the number of all items: their ids are checked.
  @inlinable
  public func calculateAppendDelta(_ more: [Element]) throws(DuplicateIdentifier) -> Delta {
    let held = current.content
    return try Self.delta(from: held, to: finished(held + more), uniqueness: .checked)
  }

  /// Replaces the content at once.
  ///
  /// Updates from several threads take place one after the other, in some order. With a view, or
  /// while an update is under way, the content is replaced in its turn, as by
  /// `update(_:completion:)`, and the delta is the one from the content held now. What is rejected
  /// only when its turn has come, as an append of what another one has brought, `calculationDelegate`
  /// alone hears of: use `update(_:completion:)` or `append(_:completion:)` where that may be.
  ///
  /// - Parameter new: The items or sections wanted.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in one of the versions; nothing is
  ///   changed then.
  /// - Complexity: As `delta(from:to:uniqueness:)`.
  @inlinable @discardableResult
  public func update(_ new: [Element]) throws(DuplicateIdentifier) -> Delta {
    try changeAtOnce(replacesAll: true) { _ in new }
  }

  /// Adds items or sections behind those held, at once or in their turn, as `update(_:)` does.
  ///
  /// - Parameter more: What to add; its ids are all new.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice; nothing is changed then.
  /// - Complexity: As `update(_:)`.
  @inlinable @discardableResult
  public func append(_ more: [Element]) throws(DuplicateIdentifier) -> Delta {
    try changeAtOnce(replacesAll: false) { $0 + more }
  }

  /// Computes an update without applying it.
  ///
  /// - Parameters:
  ///   - new: The items or sections wanted.
  ///   - uniqueness: Whether their ids are known to be unique, as they are to who has checked them.
  /// - Returns: The update, to be given to `commit(_:)` or dropped.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in one of the versions.
  /// - Complexity: As `delta(from:to:uniqueness:)`.
  @inlinable public func prepareUpdate(
    _ new: [Element], uniqueness: Uniqueness = .checked
  ) throws(DuplicateIdentifier) -> PreparedUpdate<Element> {
    try prepareUpdate(uniqueness: uniqueness) { _ in new }
  }

  /// Applies a prepared update, unless the content changed since it was prepared.
  ///
  /// With a view it is shown as any other update is.
  ///
  /// - Parameter prepared: An update that this collection prepared.
  /// - Returns: `false` when nothing was done because the content changed in between, or because an
  ///   update is under way.
  /// - Complexity: O(1).
  @discardableResult public func commit(_ prepared: PreparedUpdate<Element>) -> Bool {
    core.pipeline.commit(prepared) == .done
  }
}

// MARK: - Below

extension LiveCollection {
  @usableFromInline
  var current: (content: [Element], revision: UInt64) { core.pipeline.store.current }

  @usableFromInline
  func finished(_ content: [Element]) -> [Element] { core.pipeline.finished(content) }

  @inlinable func prepareUpdate(
    uniqueness: Uniqueness = .checked, _ next: ([Element]) -> [Element]
  ) throws(DuplicateIdentifier) -> PreparedUpdate<Element> {
    let (held, revision) = current
    let new = finished(next(held))
    let delta = try Self.delta(from: held, to: new, uniqueness: uniqueness)
    return PreparedUpdate(delta: delta, content: new, base: revision)
  }

  @inlinable func changeAtOnce(
    replacesAll: Bool, _ next: @escaping @Sendable ([Element]) -> [Element]
  ) throws(DuplicateIdentifier) -> Delta {
    while true {
      let prepared = try prepareUpdate(next)
      if isSettled(prepared, replacesAll: replacesAll, next) { return prepared.delta }
    }
  }

  /// Commits, or queues the change when an update is under way.
  ///
  /// - Returns: `false` when the content changed since the update was prepared.
  @usableFromInline func isSettled(
    _ prepared: PreparedUpdate<Element>, replacesAll: Bool,
    _ next: @escaping @Sendable ([Element]) -> [Element]
  ) -> Bool {
    switch core.pipeline.commit(prepared) {
    case .done: return true
    case .stale: return false
    case .busy:
      _ = core.pipeline.add(
        replacesAll ? .replace(next) : .edit { Edited(next($0)) }, ignoresDataCount: false,
        completion: nil)
      return true
    }
  }
}
