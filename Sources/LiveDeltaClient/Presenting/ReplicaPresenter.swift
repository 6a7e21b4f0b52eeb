import DeltaEngine
public import LiveCollections

/// Presents a replica's changes in a list view, batch by batch, as its data source.
///
/// Between batches `sections` is what the view shows; it changes within each batch, as list views
/// require. A view that cannot perform batches, or shows anything else than what a change starts from,
/// is reloaded instead.
///
/// ```swift
/// let presenter = ReplicaPresenter()
/// let view = TextView(presenter) { print($0) }
/// while true { await presenter.show(try await follower.next().change, in: view) }
/// ```
public final class ReplicaPresenter: Sendable {
  private let shown: Locked<[ReplicaSection]>

  /// Creates a presenter with contents that no view shows yet.
  public init(_ sections: [ReplicaSection] = []) { shown = Locked(sections) }

  /// The current contents of the view.
  public var sections: [ReplicaSection] { shown.withLock { $0 } }

  /// Presents a change and waits until the view has completed the last batch.
  ///
  /// Call it for one change at a time, where the view may be called.
  public func show(_ change: ReplicaChange, in view: any SectionDeltaUpdatableView) async {
    switch change {
    case .unchanged: break
    case .replaced(let sections, _): reload(view, sections)
    case .deleted: reload(view, [])
    case .updated(let update) where !update.isAnimated || update.source != sections:
      reload(view, update.target)
    case .updated(let update):
      for index in update.delta.steps.indices {
        guard view.canPerformBatches, view.sectionCount == sections.count else {
          return reload(view, update.target)
        }
        await performStep(index, of: update, in: view)
      }
    }
  }

  private func reload(_ view: any SectionDeltaUpdatableView, _ sections: [ReplicaSection]) {
    shown.withLock { $0 = sections }
    view.reloadData()
  }

  /// Presents one step of an update and waits until the view has completed the batch.
  public func performStep(
    _ index: Int, of update: ReplicaUpdate, in view: any SectionDeltaUpdatableView
  ) async {
    let step = update.delta.steps[index]
    let counts = Dictionary(uniqueKeysWithValues: step.itemCounts.enumerated().map { ($0, $1) })
    await withCheckedContinuation { continuation in
      let batch = UpdateBatch(step: step, itemCounts: counts) {
        self.shown.withLock { $0 = update.stages[index] }
      }
      view.perform(batch) { _ in continuation.resume() }
    }
  }
}
