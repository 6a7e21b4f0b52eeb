import DeltaEngine

// Reloads by the delegate; on the delivery queue.

extension UpdatePipeline {
  /// The changed items that the delegate reloads itself, asked once for each.
  @MainActor func claimedReloads(
    of transition: Transition<Shape>, _ settings: PresentationSettings<Shape>
  ) -> Set<ItemPath<TargetSpace>> {
    guard let delegate = settings.common.reloadDelegate, let delta = transition.delta else {
      return []
    }
    let section = Shape.isSectioned ? nil : settings.section
    let claimed = delta.changes.reloadedItems.filter { paths in
      delegate.willHandleReload(at: paths.inSection(section))
    }
    return Set(claimed.lazy.map(\.target))
  }

  /// Lets the delegate reload what it claimed, and waits for each.
  ///
  /// If it was released since, the view is reloaded: claimed items were in no batch.
  @MainActor func reloadManually(
    _ claimed: Set<ItemPath<TargetSpace>>, in view: (any DeltaUpdatableView)?,
    _ settings: PresentationSettings<Shape>,
    completion: @escaping @MainActor @Sendable (_ isReloaded: Bool) -> Void
  ) {
    if claimed.isEmpty { return completion(false) }
    guard let delegate = settings.common.reloadDelegate else {
      view?.reloadData()
      return completion(true)
    }
    let section = Shape.isSectioned ? nil : settings.section
    let paths = claimed.map { $0.inSection(section) }.sorted()
    let delivery = queues.delivery
    let open = PendingReloads(paths) { delivery.deliver { completion(false) } }
    delegate.reloadItems(at: paths) { open.complete($0) }
  }
}
