public import DeltaEngine

extension RangeChangeset {
  /// The changeset as the operations of one batch.
  ///
  /// - Parameters:
  ///   - source: The section before the batch.
  ///   - target: The section after it.
  /// - Returns: Its reloads, deletions and insertions.
  public func step(fromSection source: Int = 0, toSection target: Int = 0) -> DeltaStep {
    var step = DeltaStep()
    step.delete.items = deleted.joined().map { ItemPath(section: source, item: $0) }
    step.insert.items = inserted.joined().map { index in
      ItemInsert(
        at: ItemPath(section: target, item: index), target: ItemPath(section: target, item: index))
    }
    step.reload.items = updated.joined().compactMap { index in
      afterIndex(forBeforeIndex: index).map { after in
        ItemReload(
          at: ItemPath(section: source, item: index), target: ItemPath(section: target, item: after)
        )
      }
    }
    return step
  }
}

extension DeltaUpdatableView {
  /// Performs a changeset in one section.
  ///
  /// - Parameters:
  ///   - changeset: What changes.
  ///   - section: The section.
  ///   - reloadForReplacements: Whether to reload everything when all items are deleted or
  ///     inserted.
  ///   - animations: How to animate, if the view supports it; `.none` for no animation.
  ///   - content: Replaces the content by that after the changeset; called once.
  ///   - completion: Called when the view shows it, with `false` when that was interrupted.
  public func performUpdates(
    _ changeset: RangeChangeset, section: Int = 0, reloadForReplacements: Bool = true,
    animations: BatchAnimations = BatchAnimations(),
    content: @escaping @MainActor @Sendable () -> Void,
    completion: @escaping @Sendable (_ isFinished: Bool) -> Void = { _ in }
  ) {
    let isReplaced = changeset.wasReplaced && reloadForReplacements
    if changeset.isEmpty || isReplaced || !canPerformBatches {
      content()
      if !changeset.isEmpty { reloadData() }
      return completion(true)
    }
    let once = Once()
    let batch = UpdateBatch(
      step: changeset.step(fromSection: section, toSection: section),
      itemCounts: [section: changeset.countAfter], animations: animations,
      isAnimated: animations != .none
    ) { once(content) }
    let shown = OnceOnlyCompletion(fallback: false, completion: completion)
    perform(batch) { shown($0) }
    batch.applyContent()
  }
}
