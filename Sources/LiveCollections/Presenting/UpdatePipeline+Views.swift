import DeltaEngine
import Synchronization

// Views that come and go.

extension UpdatePipeline {
  /// Shows the content in a view from now on; the view is reloaded once.
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

  /// The settings as they are now, whose view is told to show the content if it was not yet.
  ///
  /// Taken in one go: a view that comes right now is not led before it is loaded.
  func settingsOfLoadedView() -> PresentationSettings<Shape> {
    let (settings, isStale) = state.withLock { state in
      defer { state.settings.isViewStale = false }
      return (state.settings, state.settings.isViewStale)
    }
    if isStale { settings.view?.reloadData() }
    return settings
  }

  /// A view that came while another one was being led shows what was in between.
  func reloadReplacedView(led: (any DeltaUpdatableView)?) {
    let view = withSettings { settings -> (any DeltaUpdatableView)? in
      guard let view = settings.view, view !== led else { return nil }
      settings.isViewStale = false
      return view
    }
    view?.reloadData()
  }
}
