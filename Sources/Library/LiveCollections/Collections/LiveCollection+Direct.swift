public import DeltaEngine

// Updates at once, for collections without a view.

extension LiveCollection {
  /// Replaces the content at once.
  ///
  /// Updates from several threads are applied one after the other, in some order. With a view, or
  /// while an update is under way, this one is queued as by `update(_:animated:completion:)`, and the delta
  /// returned is from the current content. Whether a queued one was rejected, as an append of what
  /// another one has appended, only `calculationDelegate` is told: use `update(_:animated:completion:)` or
  /// `append(_:animated:completion:)` where that matters.
  ///
  /// - Parameters:
  ///   - new: The items or sections wanted.
  ///   - animated: Whether the view, if there is one, may animate the update.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in the new content; nothing is changed
  ///   then.
  /// - Complexity: As `delta(from:to:uniqueness:)`.
  @inlinable @discardableResult
  public func updateNow(
    _ new: [Element], animated: Bool = true
  ) throws(DuplicateIdentifier) -> Delta {
    try changeAtOnce(replacesAll: true, isAnimated: animated) { _ in new }
  }

  /// Appends items or sections, at once or in the queue, as `updateNow(_:animated:)` does.
  ///
  /// - Parameters:
  ///   - more: What to append; its ids are all new.
  ///   - animated: As for `updateNow(_:animated:)`.
  /// - Returns: What changed.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice; nothing is changed then.
  /// - Complexity: As `updateNow(_:animated:)`.
  @inlinable @discardableResult
  public func appendNow(
    _ more: [Element], animated: Bool = true
  ) throws(DuplicateIdentifier) -> Delta {
    try changeAtOnce(replacesAll: false, isAnimated: animated) { $0 + more }
  }

  /// As `updateNow(_:animated:)`, with what the collection's factory builds the items or sections from, or
  /// with values that may occur more than once.
  @_disfavoredOverload @discardableResult
  public func updateNow(
    _ rawData: [Element.RawType], animated: Bool = true
  ) throws(DuplicateIdentifier) -> Delta
  where Element.RawType: Sendable {
    let builder = builder
    return try changeAtOnce(replacesAll: true, isAnimated: animated) { builder.build(rawData, $0) }
  }

  /// As `appendNow(_:animated:)`, with what the items or sections are built from.
  @_disfavoredOverload @discardableResult
  public func appendNow(
    _ rawData: [Element.RawType], animated: Bool = true
  ) throws(DuplicateIdentifier) -> Delta
  where Element.RawType: Sendable {
    let builder = builder
    return try changeAtOnce(replacesAll: false, isAnimated: animated) {
      builder.appended(rawData, to: $0)
    }
  }

  /// Looks for an id that occurs twice in the content, as only a collection's first content can have
  /// it.
  ///
  /// - Throws: `DuplicateIdentifier` with the first two places; the next update deletes the later one.
  /// - Complexity: O(n) before the first update, then O(1).
  @inlinable public func checkUniqueness() throws(DuplicateIdentifier) {
    let (content, _, uniqueness) = current
    if uniqueness == .sourceChecked { return }
    do {
      _ = try Self.delta(from: [], to: content, uniqueness: .sourceChecked)
    } catch {
      var error = error
      error.side = .source
      throw error
    }
  }

  /// Computes an update without applying it.
  ///
  /// - Parameters:
  ///   - new: The items or sections wanted.
  ///   - uniqueness: What is known of their ids, as when the caller has checked them.
  /// - Returns: The update, for `commit(_:animated:)`.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in the new content.
  /// - Complexity: As `delta(from:to:uniqueness:)`.
  @inlinable public func prepareUpdate(
    _ new: [Element], uniqueness: Uniqueness = .checked
  ) throws(DuplicateIdentifier) -> PreparedUpdate<Element> {
    try prepareUpdate(uniqueness: uniqueness) { _ in new }
  }

  /// Applies a prepared update, unless the content changed since it was prepared.
  ///
  /// With a view it is shown like any other update.
  ///
  /// - Parameters:
  ///   - prepared: An update that this collection prepared.
  ///   - animated: Whether the view, if there is one, may animate the update.
  /// - Returns: `false` when nothing was done because the content changed in between, or because an
  ///   update is under way.
  /// - Complexity: O(1).
  @discardableResult
  public func commit(_ prepared: PreparedUpdate<Element>, animated: Bool = true) -> Bool {
    core.pipeline.commit(prepared, isAnimated: animated) == .done
  }
}

// MARK: - Implementation

extension LiveCollection {
  @usableFromInline
  var current: (content: [Element], revision: UInt64, uniqueness: Uniqueness) {
    core.pipeline.store.current
  }

  @usableFromInline
  func finished(_ content: [Element]) -> [Element] { core.pipeline.finished(content) }

  @inlinable func prepareUpdate(
    uniqueness: Uniqueness = .checked, _ next: ([Element]) -> [Element]
  ) throws(DuplicateIdentifier) -> PreparedUpdate<Element> {
    let (content, revision, known) = current
    let new = finished(next(content))
    let delta = try Self.delta(
      from: content, to: new, uniqueness: uniqueness == .checked ? known : uniqueness)
    return PreparedUpdate(
      delta: delta, content: new, base: revision, isChecked: uniqueness != .promised)
  }

  @inlinable func changeAtOnce(
    replacesAll: Bool, isAnimated: Bool, _ next: @escaping @Sendable ([Element]) -> [Element]
  ) throws(DuplicateIdentifier) -> Delta {
    while true {
      let prepared = try prepareUpdate(next)
      if isSettled(prepared, replacesAll: replacesAll, isAnimated: isAnimated, next) {
        return prepared.delta
      }
    }
  }

  /// Commits, or queues the change when an update is under way.
  ///
  /// - Returns: `false` when the content changed since the update was prepared.
  @usableFromInline func isSettled(
    _ prepared: PreparedUpdate<Element>, replacesAll: Bool, isAnimated: Bool,
    _ next: @escaping @Sendable ([Element]) -> [Element]
  ) -> Bool {
    switch core.pipeline.commit(prepared, isAnimated: isAnimated) {
    case .done: return true
    case .stale: return false
    case .busy:
      _ = core.pipeline.add(
        replacesAll ? .replace(next) : .change(next), ignoresDataCount: false,
        isAnimated: isAnimated, completion: nil)
      return true
    }
  }
}
