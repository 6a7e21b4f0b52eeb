import DeltaEngine

// Setting and replacing views.

extension UpdatePipeline {
  /// Shows the content in a view from now on; reloads it once.
  func setView(_ view: (any DeltaUpdatableView)?) { setView(view, keeps: false) }

  /// Shows the content in a view, and retains the view.
  func keepView(_ view: any DeltaUpdatableView) { setView(view, keeps: true) }

  func setView(_ view: (any DeltaUpdatableView)?, keeps: Bool) {
    withSettings { settings in
      settings.view = view
      settings.keptView = keeps ? view : nil
      settings.isViewStale = view != nil
    }
    queues.delivery.async { _ = self.settingsOfLoadedView() }
  }

  /// The current settings; their view is reloaded first if it was not yet.
  ///
  /// Both are read at once, so that a view that is being set gets no batch before it is loaded.
  func settingsOfLoadedView() -> PresentationSettings<Shape> {
    let (settings, isStale) = state.withLock { state in
      defer { state.settings.isViewStale = false }
      return (state.settings, state.settings.isViewStale)
    }
    if isStale { settings.view?.reloadData() }
    return settings
  }

  /// Reloads a view that was set while another one performed an update.
  func reloadReplacedView(previous: (any DeltaUpdatableView)?) {
    let view = withSettings { settings -> (any DeltaUpdatableView)? in
      guard let view = settings.view, view !== previous else { return nil }
      settings.isViewStale = false
      return view
    }
    view?.reloadData()
  }
}
