import DeltaEngine

// Views that come and go.

extension UpdatePipeline {
  /// Shows the content in a view from now on; the view is reloaded once.
  func setView(_ view: (any DeltaUpdatableView)?) { setView(view, keeps: false) }

  /// Shows the content in a view that nobody else keeps.
  func keepView(_ view: any DeltaUpdatableView) { setView(view, keeps: true) }

  func setView(_ view: (any DeltaUpdatableView)?, keeps: Bool) {
    withSettings { settings in
      settings.view = view
      settings.keptView = keeps ? view : nil
      settings.isViewStale = view != nil
    }
    queues.delivery.async { self.loadViewIfStale() }
  }

  func loadViewIfStale() {
    let view = withSettings { settings in
      defer { settings.isViewStale = false }
      return settings.isViewStale ? settings.view : nil
    }
    view?.reloadData()
  }

  /// A view that came while another one was being led shows what was in between.
  func reloadReplacedView(led: (any DeltaUpdatableView)?) {
    guard let view = settings.view, view !== led else { return }
    withSettings { $0.isViewStale = false }
    view.reloadData()
  }
}
