import DeltaEngine

// How an update is shown; all on the delivery queue.

extension UpdatePipeline {
  /// Shows the new content in the view, if there is one.
  func present(_ transition: Transition<Shape>) {
    let settings = settingsOfLoadedView()
    if !transition.isEmpty, let view = settings.view {
      return MainActor.assumeIsolated { present(transition, in: view, settings) }
    }
    replaceContent(by: transition)
    finish(transition, as: transition.isEmpty ? .nothing : .contentOnly)
  }

  @MainActor private func present(
    _ transition: Transition<Shape>, in view: any DeltaUpdatableView,
    _ settings: PresentationSettings<Shape>
  ) {
    guard isShown(in: view, settings) else {
      replaceContent(by: transition)
      return finish(transition, as: .contentOnly)
    }
    let presentation = presentation(of: transition, in: view, settings)
    let claimed = claimedReloads(of: transition, settings)
    let plan = plan(
      transition, presentation, without: claimed, in: view, settings
    ) { [weak view] ending in
      let claimed = ending == .notShown ? [] : claimed
      self.reloadManually(claimed, in: view, settings) { isReloaded in
        let ending = isReloaded ? .reloaded : ending
        self.finish(transition, as: Self.presentation(presentation, ending))
      }
    }
    if let synchronizer = settings.common.synchronizer {
      synchronizer.add(plan, view: view, delivery: queues.delivery)
    } else {
      BatchRunner(view: view, plans: [plan], delivery: queues.delivery) {}.run()
    }
  }

  /// Replaces the content by what a transition leads to.
  func replaceContent(by transition: Transition<Shape>) {
    store.replace(by: transition.target, isChecked: transition.isChecked)
  }

  @MainActor func isShown(
    in view: any DeltaUpdatableView, _ settings: PresentationSettings<Shape>
  ) -> Bool {
    settings.common.verificationDelegate?.isDataSourceValid(for: view) ?? true
  }

  /// How to show an update, by the view's abilities, thresholds and preferences.
  @MainActor private func presentation(
    of transition: Transition<Shape>, in view: any DeltaUpdatableView,
    _ settings: PresentationSettings<Shape>
  ) -> AppliedUpdate.Presentation {
    if !view.canPerformBatches || isOutOfStep(view, of: transition) { return .fullReload }
    guard let delta = transition.delta else { return Self.presentation(Shape.thresholdStyle) }
    var style = AnimationStyle.preciseAnimations
    if let delegate = settings.animationDelegate {
      if delta.changes.hasSectionOperations,
        let delegate = delegate as? any CollectionSectionDataAnimationDelegate,
        delegate.preferredSectionAnimationStyle(for: delta) == .reloadData
      {
        return .fullReload
      }
      style = delegate.preferredItemAnimationStyle(for: delta)
    }
    if style != .reloadData, delta.changeCount > settings.common.deltaCountAnimationThreshold {
      style = Shape.thresholdStyle
    }
    return Self.presentation(style)
  }

  /// How an update was shown, given how it was to be shown.
  private static func presentation(
    _ planned: AppliedUpdate.Presentation, _ ending: PresentationPlan.Ending
  ) -> AppliedUpdate.Presentation {
    switch ending {
    case .performed: planned
    case .reloaded: .fullReload
    case .notShown: .contentOnly
    }
  }

  private static func presentation(_ style: AnimationStyle) -> AppliedUpdate.Presentation {
    switch style {
    case .reloadData: .fullReload
    case .reloadSections: .sectionReload
    case .preciseAnimations: .batches
    }
  }

  @MainActor private func isOutOfStep(
    _ view: any DeltaUpdatableView, of transition: Transition<Shape>
  ) -> Bool {
    guard Shape.isSectioned, let view = view as? any SectionDeltaUpdatableView else {
      return false
    }
    return view.sectionCount != transition.source.count
  }
}
