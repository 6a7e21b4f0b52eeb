import DeltaEngine
public import LiveCollections

/// Presents a replica's changes in a list view, batch by batch, as its data source.
///
/// Between batches `sections` is what the view shows; it changes within each batch, as list views
/// require. The view keeps what its user has, such as the selection: what comes in place of a delta, as
/// after a reset or when a feed runs again, is compared with what is shown, and only the difference is
/// performed, and the first visible row stays where it is (`ScrollingListView`). A view that cannot
/// perform batches, whose animation is interrupted, or that shows nothing yet, is reloaded.
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
  private let shown: Locked<[ReplicaSection]>

  /// Creates a presenter with contents that no view shows yet.
  public init(
    _ sections: [ReplicaSection] = [], animatedChangesMax: Int = 200,
    reloads: ItemReloadStyle = .reload
  ) {
    shown = Locked(sections)
    self.animatedChangesMax = animatedChangesMax
    self.reloads = reloads
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
        update.delta, to: update.target, isAnimated: animated && update.isAnimated, in: view)
    }
  }

  /// Presents what differs from the current contents.
  @MainActor private func show(
    _ target: [ReplicaSection], _ animated: Bool, in view: any SectionDeltaUpdatableView
  ) async {
    do {
      let delta = try Delta(from: sections, to: target)
      let isAnimated = animated && delta.changeCount <= animatedChangesMax
      let place = (view as? any ScrollingListView).flatMap { KeptPlace(of: $0, sections) }
      await perform(delta, to: target, isAnimated: isAnimated, in: view, keeping: place)
    } catch {
      // An id occurs twice, as in a snapshot that an app has made.
      reload(view, target)
    }
  }

  @MainActor private func perform(
    _ delta: Delta, to target: [ReplicaSection], isAnimated: Bool,
    in view: any SectionDeltaUpdatableView, keeping place: KeptPlace? = nil
  ) async {
    let source = sections
    if source.isEmpty || view.sectionCount != source.count { return reload(view, target) }
    if delta.isEmpty { return replace(by: target) }
    await withCheckedContinuation { continuation in
      view.perform(
        delta, fromSections: source, toSections: target,
        animations: isAnimated ? BatchAnimations() : .none, reloads: reloads
      ) {
        self.replace(by: $0)
      } didPerformBatch: {
        place?.keep(self.sections)
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

/// The rows from the first visible one on, the first of which that stays is kept where it was.
@MainActor private struct KeptPlace {
  private let view: any ScrollingListView
  private let top: ScrolledRow
  private let ids: [ReplicaID]

  /// `nil` if the list is scrolled to its beginning, or shows none of these sections.
  init?(of view: any ScrollingListView, _ sections: [ReplicaSection]) {
    guard let top = view.topRow, !top.isAtStart, sections.indices.contains(top.section),
      sections[top.section].items.indices.contains(top.item)
    else { return nil }
    (self.view, self.top) = (view, top)
    let before = sections[..<top.section].lazy.flatMap(\.items).map(\.id)
    let rest = sections[top.section...].lazy.flatMap(\.items).map(\.id)
    ids = rest.dropFirst(top.item) + rest.prefix(top.item).reversed() + before.reversed()
  }

  func keep(_ sections: [ReplicaSection]) {
    var places: [ReplicaID: ScrolledRow] = [:]
    for (section, content) in sections.enumerated() {
      for (item, content) in content.items.enumerated() {
        places[content.id] = ScrolledRow(section: section, item: item, offset: top.offset)
      }
    }
    if let place = ids.lazy.compactMap({ places[$0] }).first { view.scroll(to: place) }
  }
}
