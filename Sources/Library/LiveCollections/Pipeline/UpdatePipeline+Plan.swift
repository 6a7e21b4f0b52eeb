import DeltaEngine

// The batches of an update.

extension UpdatePipeline {
  @MainActor func plan(
    _ transition: Transition<Shape>, _ presentation: AppliedUpdate.Presentation,
    without claimed: Set<ItemPath<TargetSpace>>, in view: any DeltaUpdatableView,
    _ settings: PresentationSettings<Shape>,
    completion: @escaping @MainActor @Sendable (PresentationPlan.Ending) -> Void
  ) -> PresentationPlan {
    let stages = stages(
      of: transition, presentation, without: claimed, updatesHeaders: view.updatesHeaders)
    // Then nothing changes after the last batch.
    let endsWithBatch = !stages.isEmpty && claimed.isEmpty
    let reloadReplacedView: @MainActor @Sendable () -> Void = { [weak view] in
      self.reloadReplacedView(previous: view)
    }
    let once = Once()
    var before = transition.source
    return PresentationPlan(
      owner: self, section: Shape.isSectioned ? nil : settings.section,
      stages: stages.map { stage in
        defer { before = stage.content }
        var stage = planned(stage, before: before, transition.overrides, settings)
        if !transition.isAnimated { (stage.isAnimated, stage.animations) = (false, .none) }
        return stage
      },
      reloadsAll: presentation == .fullReload,
      applyContent: { once { self.replaceContent(by: transition) } },
      didPerformBatch: reloadReplacedView,
      isShown: { [weak view] in view.map { self.isShown(in: $0, settings) } ?? false },
      follow: settings.common.keepsScrollPosition ? follower(settings) : nil,
      completion: { ending in
        once { self.replaceContent(by: transition) }
        if ending != .performed || !endsWithBatch { reloadReplacedView() }
        completion(ending)
      })
  }

  private func stages(
    of transition: Transition<Shape>, _ presentation: AppliedUpdate.Presentation,
    without claimed: Set<ItemPath<TargetSpace>>, updatesHeaders: Bool
  ) -> [ContentStage<Element>] {
    var stages: [ContentStage<Element>] = []
    switch presentation {
    case .batches:
      guard var delta = transition.delta else { return [] }
      if updatesHeaders { delta = delta.separatingHeaders() }
      stages = Shape.stages(delta, from: transition.source, to: transition.target)
      for index in stages.indices {
        stages[index].step.reload.items.removeAll { claimed.contains($0.target) }
      }
      stages.removeAll { $0.step.operationCount == 0 }
    case .sectionReload:
      stages = Shape.reloadStages(
        transition.delta, from: transition.source, to: transition.target)
    case .nothing, .contentOnly, .fullReload: return []
    }
    addSectionOverrides(transition, to: &stages)
    return stages
  }

  private func follower(_ settings: PresentationSettings<Shape>) -> RowFollower {
    rowFollower(from: Shape.isSectioned ? 0 : settings.section) { [store] in
      Shape.sections(store.content)
    }
  }

  /// Adds reloads of sections that are equal, to the last batch if it only reloads, else as
  /// another.
  func addSectionOverrides(
    _ transition: Transition<Shape>, to stages: inout [ContentStage<Element>]
  ) {
    if transition.overrides.sections.isEmpty { return }
    var stage = ContentStage(step: DeltaStep(), content: transition.target)
    stage.step.itemCounts = Shape.itemCounts(transition.target)
    if let last = stages.last, last.step.group == .reloads { stage = stages.removeLast() }
    let known = Set(stage.step.reload.sections.map(\.at.index))
    for section in transition.overrides.sections.subtracting(known) {
      stage.step.reload.sections.append(
        SectionReload(at: SectionIndex(section), target: SectionIndex(section)))
    }
    stage.step.reload.sections.sort { $0.at < $1.at }
    stage.step.headers.removeAll { transition.overrides.sections.contains($0.index) }
    stage.step.reload.items.removeAll { transition.overrides.sections.contains($0.at.section) }
    stages.append(stage)
  }

  func planned(
    _ stage: ContentStage<Element>, before: [Element], _ overrides: ReloadOverrides,
    _ settings: PresentationSettings<Shape>
  ) -> PresentationPlan.Stage {
    let first = Shape.isSectioned ? 0 : settings.section
    let step = first == 0 ? stage.step : stage.step.inSection(first)
    let store = store
    let kept = stage.step.reload.items.filter {
      (overrides.items[$0.target] ?? settings.common.itemReloadStyle) == .reconfigure
    }
    return PresentationPlan.Stage(
      step: step,
      itemCounts: Dictionary(
        stage.step.itemCounts.enumerated().map { (first + $0, $1) }, uniquingKeysWith: { $1 }),
      reconfigured: Set(kept.map { $0.at.inSection(Shape.isSectioned ? nil : first) }),
      animations: animations(before: before, after: stage.content, settings),
      applyContent: { store.replace(by: stage.content, isChecked: false) },
      listener: AnimationListener(settings.animationDelegate))
  }

  func animations(
    before: [Element], after: [Element], _ settings: PresentationSettings<Shape>
  ) -> BatchAnimations {
    if Shape.isSectioned {
      return BatchAnimations(
        standard: settings.standardAnimations, before: settings.specialAnimations(before),
        after: settings.specialAnimations(after))
    }
    // Among the sections of other collections, this one's animations are its own.
    let own = [settings.section: settings.standardAnimations]
    return BatchAnimations(standard: settings.standardAnimations, before: own, after: own)
  }
}
