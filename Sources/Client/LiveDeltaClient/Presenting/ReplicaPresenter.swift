import DeltaEngine
public import LiveCollections

/// Presents a replica's changes in a list view, batch by batch, as its data source.
///
/// Between batches `sections` is what the view shows; it changes within each batch, as list views
/// require. The view keeps what its user has, such as the selection: what comes in place of a delta, as
/// after a reset or when a feed runs again, is compared with what is shown, and only the difference is
/// performed, and the first visible row stays where it is (`ScrollingListView`). A view that cannot
/// perform batches, whose animation is interrupted, or that shows nothing yet, is reloaded. A section whose header
/// alone changed keeps its cells in a view that `updatesHeaders`.
///
/// ```swift
/// let presenter = ReplicaPresenter()
/// while true { await presenter.show(try await follower.next().change, in: view) }
/// ```
public final class ReplicaPresenter: Sendable {
  /// The largest number of changes in place of a delta that are animated; more are performed without.
  public let animatedChangesMax: Int
  /// How changed items are shown: a cell that is configured again keeps its selection and its swipe actions.
  public let reloads: ItemReloadStyle
  /// Whether the first visible row stays where it is also while changes are shown as they come.
  public let keepsScrollPosition: Bool
  private let shown: Locked<[ReplicaSection]>

  /// Creates a presenter with contents that no view shows yet.
  public init(
    _ sections: [ReplicaSection] = [], animatedChangesMax: Int = 200,
    reloads: ItemReloadStyle = .reload, keepsScrollPosition: Bool = false
  ) {
    shown = Locked(sections)
    self.animatedChangesMax = animatedChangesMax
    self.reloads = reloads
    self.keepsScrollPosition = keepsScrollPosition
  }

  /// The current contents of the view.
  public var sections: [ReplicaSection] { shown.withLock { $0 } }

  /// Presents a change and waits until the view has completed the last batch.
  ///
  /// Call it for one change at a time. The view is called on the main queue.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - view: The view, whose data source answers with `sections`.
  ///   - animated: Whether the view may animate the change, which its writer may have said is not to be animated.
  @MainActor public func show(
    _ change: ReplicaChange, in view: any SectionDeltaUpdatableView, animated: Bool = true
  ) async {
    switch change {
    case .unchanged: break
    case .replaced(let sections, _): await show(sections, animated, in: view)
    case .deleted: await show([], animated, in: view)
    case .updated(let update):
      guard update.source == sections else { return await show(update.target, animated, in: view) }
      await perform(
        update.delta, to: update.target, isAnimated: animated && update.isAnimated, in: view,
        keepsPlace: keepsScrollPosition)
    }
  }

  /// Presents what differs from the current contents.
  @MainActor private func show(
    _ target: [ReplicaSection], _ animated: Bool, in view: any SectionDeltaUpdatableView
  ) async {
    do {
      let delta = try Delta(from: sections, to: target)
      let isAnimated = animated && delta.changeCount <= animatedChangesMax
      await perform(delta, to: target, isAnimated: isAnimated, in: view, keepsPlace: true)
    } catch {
      // An id occurs twice, as in a snapshot that an app has made.
      reload(view, target)
    }
  }

  @MainActor private func perform(
    _ delta: Delta, to target: [ReplicaSection], isAnimated: Bool,
    in view: any SectionDeltaUpdatableView, keepsPlace: Bool
  ) async {
    let source = sections
    if source.isEmpty || view.sectionCount != source.count { return reload(view, target) }
    if delta.isEmpty { return replace(by: target) }
    await withCheckedContinuation { continuation in
      view.perform(
        delta, fromSections: source, toSections: target,
        animations: isAnimated ? BatchAnimations() : .none, reloads: reloads,
        following: keepsPlace ? rowFollower { self.sections } : nil
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
