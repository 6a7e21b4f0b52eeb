import DeltaEngine
public import LiveCollections

/// Presents a replica's changes in a list view, batch by batch, as its data source.
///
/// Between batches `sections` is what the view shows; it changes within each batch, as list views
/// require. A view that cannot perform batches, whose animation is interrupted, or that shows anything
/// else than what a change starts from, is reloaded instead.
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
  /// Call it for one change at a time. The view is called on the main queue.
  @MainActor public func show(
    _ change: ReplicaChange, in view: any SectionDeltaUpdatableView
  ) async {
    switch change {
    case .unchanged: break
    case .replaced(let sections, _): reload(view, sections)
    case .deleted: reload(view, [])
    case .updated(let update):
      guard update.isAnimated, update.source == sections, view.sectionCount == sections.count
      else { return reload(view, update.target) }
      await withCheckedContinuation { continuation in
        view.perform(update.delta, fromSections: update.source, toSections: update.target) {
          self.replace(by: $0)
        } completion: {
          continuation.resume()
        }
      }
    }
  }

  @MainActor private func reload(
    _ view: any SectionDeltaUpdatableView, _ sections: [ReplicaSection]
  ) {
    replace(by: sections)
    view.reloadData()
  }

  private func replace(by sections: [ReplicaSection]) { shown.withLock { $0 = sections } }
}
