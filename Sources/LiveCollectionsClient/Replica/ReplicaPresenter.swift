import DeltaEngine
public import LiveCollections
import Synchronization

/// Leads a list view through a replica's changes, batch by batch, and is its data source.
///
/// Between batches `sections` is what the view shows; it changes inside each batch, as list views
/// demand. A view that cannot perform batches, or shows another number of sections than it was led
/// to, is reloaded instead.
///
/// ```swift
/// let presenter = ReplicaPresenter()
/// let view = ListView(dataSource: presenter)
/// while true { await presenter.show(try await follower.next().change, in: view) }
/// ```
public final class ReplicaPresenter: Sendable {
  private let shown = Mutex<[ReplicaSection]>([])

  /// A presenter that shows nothing yet.
  public init() {}

  /// What the view is to show at this moment.
  public var sections: [ReplicaSection] { shown.withLock { $0 } }

  /// Shows a change; call it one change after the other, and where the view wants to be called.
  ///
  /// - Returns: When the view has completed the last batch.
  public func show(_ change: ReplicaChange, in view: any SectionDeltaUpdatableView) async {
    switch change {
    case .unchanged: break
    case .replaced(let sections, _): reload(view, sections)
    case .deleted: reload(view, [])
    case .updated(let update):
      for (step, stage) in zip(update.delta.steps, update.stages) {
        guard view.canPerformBatches, view.sectionCount == sections.count else {
          return reload(view, update.target)
        }
        await perform(step, stage, in: view)
      }
    }
  }

  private func reload(_ view: any SectionDeltaUpdatableView, _ sections: [ReplicaSection]) {
    shown.withLock { $0 = sections }
    view.reloadData()
  }

  private func perform(
    _ step: DeltaStep, _ stage: [ReplicaSection], in view: any SectionDeltaUpdatableView
  ) async {
    let counts = Dictionary(
      step.itemCounts.enumerated().map { ($0.offset, $0.element) }, uniquingKeysWith: { $1 })
    await withCheckedContinuation { continuation in
      let batch = UpdateBatch(step: step, itemCounts: counts) {
        self.shown.withLock { $0 = stage }
      }
      view.perform(batch) { _ in continuation.resume() }
    }
  }
}
