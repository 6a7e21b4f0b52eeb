import DeltaEngine

// Setting and replacing views.

extension UpdatePipeline: SectionOwner {
  @MainActor func owns(section: Int?, of view: any DeltaUpdatableView) -> Bool {
    let settings = settings
    let isThere = Shape.isSectioned || section == nil || settings.section == section
    return isThere && settings.view === view && settings.common.synchronizer != nil
      && isShown(in: view, settings)
  }

  /// Shows the content in a view from now on, which is reloaded once; an adapter is retained.
  func setView(_ view: (any DeltaUpdatableView)?) {
    withSettings { settings in
      settings.view = view
      settings.adapter = view as? any DeltaUpdatableViewAdapter
      settings.isViewStale = view != nil
    }
    queues.delivery.async { _ = self.settingsOfLoadedView() }
  }

  /// As `setView(_:)`, on the delivery queue, where the view is reloaded at once.
  @MainActor func showNow(in view: any DeltaUpdatableView) {
    setView(view)
    _ = settingsOfLoadedView()
  }

  /// Takes over a change that the view shows already; on the delivery queue.
  ///
  /// - Returns: `false` when nothing was done because an update is under way.
  func takeOver(_ change: ([Element]) -> [Element]) -> Bool {
    guard state.withLock({ $0.queue.occupy() }) else { return false }
    let (content, _, uniqueness) = store.current
    store.replace(by: change(content), isChecked: uniqueness == .sourceChecked)
    if state.withLock({ $0.queue.finish() }) { startNext() }
    return true
  }

  /// The current settings; their view is reloaded first if it was not yet.
  ///
  /// Both are read at once, so that a view that is being set gets no batch before it is loaded.
  func settingsOfLoadedView() -> PresentationSettings<Shape> {
    let (settings, isStale) = state.withLock { state in
      defer { state.settings.isViewStale = false }
      return (state.settings, state.settings.isViewStale)
    }
    if isStale, let view = settings.view { MainActor.assumeIsolated { view.reloadData() } }
    return settings
  }

  /// Reloads a view that was set while another one performed an update: it shows a content that
  /// has changed since.
  @MainActor func reloadReplacedView(previous: (any DeltaUpdatableView)?) {
    let view = withSettings { settings -> (any DeltaUpdatableView)? in
      guard let view = settings.view, view !== previous else { return nil }
      settings.isViewStale = false
      return view
    }
    view?.reloadData()
  }
}
