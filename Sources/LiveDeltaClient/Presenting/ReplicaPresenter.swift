import DeltaEngine
public import LiveCollections

/// Presents a replica's changes in a list view, batch by batch, as its data source.
///
/// Between batches `sections` is what the view shows; it changes within each batch, as list views
/// require. The view keeps what its user has, such as the selection: what comes in place of a delta, as
/// after a reset or when a feed runs again, is compared with what is shown, and only the difference is
/// performed. A view that cannot perform batches, whose animation is interrupted, or that shows nothing
/// yet, is reloaded.
///
/// ```swift
/// let presenter = ReplicaPresenter()
/// while true { await presenter.show(try await follower.next().change, in: view) }
/// ```
public final class ReplicaPresenter: Sendable {
  /// The largest number of changes in place of a delta that are animated; more are performed without.
  public let animatedChangesMax: Int
  private let shown: Locked<[ReplicaSection]>

  /// Creates a presenter with contents that no view shows yet.
  public init(_ sections: [ReplicaSection] = [], animatedChangesMax: Int = 200) {
    shown = Locked(sections)
    self.animatedChangesMax = animatedChangesMax
  }

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
    case .replaced(let sections, _): await show(sections, in: view)
    case .deleted: await show([], in: view)
    case .updated(let update):
      guard update.source == sections else { return await show(update.target, in: view) }
      await perform(update.delta, to: update.target, isAnimated: update.isAnimated, in: view)
    }
  }

  /// Presents what differs from the current contents.
  @MainActor private func show(
    _ target: [ReplicaSection], in view: any SectionDeltaUpdatableView
  ) async {
    do {
      let delta = try Delta(from: sections, to: target)
      let isAnimated = delta.changeCount <= animatedChangesMax
      await perform(delta, to: target, isAnimated: isAnimated, in: view)
    } catch {
      // An id occurs twice, as in a snapshot that an app has made.
      reload(view, target)
    }
  }

  @MainActor private func perform(
    _ delta: Delta, to target: [ReplicaSection], isAnimated: Bool,
    in view: any SectionDeltaUpdatableView
  ) async {
    let source = sections
    if source.isEmpty || view.sectionCount != source.count { return reload(view, target) }
    if delta.isEmpty { return replace(by: target) }
    await withCheckedContinuation { continuation in
      view.perform(
        delta, fromSections: source, toSections: target,
        animations: isAnimated ? BatchAnimations() : .none
      ) {
        self.replace(by: $0)
      } completion: {
        continuation.resume()
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
