import DeltaEngine

// How an update is shown; all on the delivery queue.

extension UpdatePipeline {
  /// Leads the view, if there is one, to the new content.
  func present(_ transition: Transition<Shape>) {
    loadViewIfStale()
    let settings = settings
    guard let view = settings.view, isShown(in: view, settings) else {
      store.replace(by: transition.target)
      return finish(transition, as: transition.isEmpty ? .nothing : .contentOnly)
    }
    if transition.isEmpty {
      store.replace(by: transition.target)
      return finish(transition, as: .nothing)
    }
    let presentation = presentation(of: transition, in: view, settings)
    let claimed = claimedReloads(of: transition, settings)
    let plan = plan(transition, presentation, without: claimed, settings) {
      self.reloadManually(claimed, settings) {
        self.reloadReplacedView(view)
        self.finish(transition, as: presentation)
      }
    }
    if let synchronizer = settings.synchronizer {
      synchronizer.add(plan, view: view, delivery: queues.delivery)
    } else {
      BatchRunner(view: view, plans: [plan], delivery: queues.delivery) {}.run()
    }
  }

  private func isShown(
    in view: any DeltaUpdatableView, _ settings: PresentationSettings<Shape>
  ) -> Bool {
    settings.verificationDelegate?.isDataSourceValid(for: view) ?? true
  }

  /// Which way the view is told, by what it can, by thresholds and by preference.
  private func presentation(
    of transition: Transition<Shape>, in view: any DeltaUpdatableView,
    _ settings: PresentationSettings<Shape>
  ) -> AppliedUpdate.Presentation {
    if !view.canPerformBatches || hasLostTrack(view, of: transition) { return .fullReload }
    guard let delta = transition.delta else { return Self.presentation(Shape.thresholdStyle) }
    var style = AnimationStyle.preciseAnimations
    if let delegate = settings.animationDelegate {
      if delta.hasSectionChanges,
        let delegate = delegate as? any CollectionSectionDataAnimationDelegate,
        delegate.preferredSectionAnimationStyle(for: delta) == .reloadData
      {
        return .fullReload
      }
      style = delegate.preferredItemAnimationStyle(for: delta)
    }
    if style != .reloadData, delta.changeCount > settings.deltaCountAnimationThreshold {
      style = Shape.thresholdStyle
    }
    return Self.presentation(style)
  }

  private static func presentation(_ style: AnimationStyle) -> AppliedUpdate.Presentation {
    switch style {
    case .reloadData: .fullReload
    case .reloadSections: .sectionReload
    case .preciseAnimations: .batches
    }
  }

  private func hasLostTrack(
    _ view: any DeltaUpdatableView, of transition: Transition<Shape>
  ) -> Bool {
    guard Shape.isSectioned, let view = view as? any SectionDeltaUpdatableView else {
      return false
    }
    return view.sectionCount != transition.source.count
  }
}

extension Delta {
  /// Whether sections come, go or move.
  var hasSectionChanges: Bool {
    !(changes.removedSections.isEmpty && changes.addedSections.isEmpty
      && changes.movedSections.isEmpty)
  }
}

// MARK: - The plan

extension UpdatePipeline {
  private func plan(
    _ transition: Transition<Shape>, _ presentation: AppliedUpdate.Presentation,
    without claimed: Set<ItemPath<Target>>, _ settings: PresentationSettings<Shape>,
    completion: @escaping @Sendable () -> Void
  ) -> PresentationPlan {
    var stages: [ContentStage<Element>] = []
    if presentation == .batches, let delta = transition.delta {
      stages = Shape.stages(delta, from: transition.source, to: transition.target)
      for index in stages.indices {
        stages[index].step.reload.items.removeAll { claimed.contains($0.target) }
      }
      stages.removeAll { $0.step.operationCount == 0 }
      addForcedSections(transition, to: &stages)
    } else if presentation == .sectionReload {
      stages = Shape.reloadStages(
        transition.delta, from: transition.source, to: transition.target)
    }
    let once = Once()
    var before = transition.source
    let store = store
    return PresentationPlan(
      section: Shape.isSectioned ? nil : settings.section,
      stages: stages.map { stage in
        defer { before = stage.content }
        return planned(stage, before: before, settings)
      },
      reloadsAll: presentation == .fullReload,
      applyContent: { once { store.replace(by: transition.target) } },
      completion: {
        once { store.replace(by: transition.target) }
        completion()
      })
  }

  /// Draws sections anew that would not be otherwise, in a batch of its own or with other reloads.
  private func addForcedSections(
    _ transition: Transition<Shape>, to stages: inout [ContentStage<Element>]
  ) {
    if transition.forcedSections.isEmpty { return }
    var stage = ContentStage(step: DeltaStep(), content: transition.target)
    stage.step.itemCounts = Shape.itemCounts(transition.target)
    if let last = stages.last, last.step.group == .reloads { stage = stages.removeLast() }
    let known = Set(stage.step.reload.sections.map(\.at.index))
    for section in transition.forcedSections.subtracting(known) {
      stage.step.reload.sections.append(
        SectionReload(at: SectionIndex(section), target: SectionIndex(section)))
    }
    stage.step.reload.sections.sort { $0.at < $1.at }
    stage.step.reload.items.removeAll { transition.forcedSections.contains($0.at.section) }
    stages.append(stage)
  }

  private func planned(
    _ stage: ContentStage<Element>, before: [Element], _ settings: PresentationSettings<Shape>
  ) -> PresentationPlan.Stage {
    let first = Shape.isSectioned ? 0 : settings.section
    let step = first == 0 ? stage.step : stage.step.inSection(first)
    let group = step.group
    let announce: @Sendable (AnimationPhase) -> Void = {
      [weak delegate = settings.animationDelegate] in
      delegate?.animateAlongsideUpdate($0, of: group)
    }
    let once = Once()
    let store = store
    return PresentationPlan.Stage(
      step: step,
      itemCounts: Dictionary(
        stage.step.itemCounts.enumerated().map { (first + $0, $1) }, uniquingKeysWith: { $1 }),
      animations: animations(before: before, after: stage.content, settings),
      applyContent: {
        once {
          store.replace(by: stage.content)
          announce(.during)
        }
      },
      announce: announce)
  }

  private func animations(
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

// MARK: - Reloads by the delegate

extension UpdatePipeline {
  /// The changed items that the delegate reloads itself, asked once for each.
  private func claimedReloads(
    of transition: Transition<Shape>, _ settings: PresentationSettings<Shape>
  ) -> Set<ItemPath<Target>> {
    guard let delegate = settings.reloadDelegate, let delta = transition.delta else { return [] }
    let claimed = delta.changes.changedItems.filter {
      delegate.willHandleReload(at: $0.inSection(Shape.isSectioned ? nil : settings.section))
    }
    return Set(claimed.lazy.map(\.target))
  }

  /// Lets the delegate reload what it claimed, and waits for each.
  private func reloadManually(
    _ claimed: Set<ItemPath<Target>>, _ settings: PresentationSettings<Shape>,
    completion: @escaping @Sendable () -> Void
  ) {
    guard !claimed.isEmpty, let delegate = settings.reloadDelegate else { return completion() }
    let section = Shape.isSectioned ? nil : settings.section
    let paths = claimed.map { $0.inSection(section) }.sorted()
    let delivery = queues.delivery
    let open = OpenReloads(paths) { delivery.async(completion) }
    delegate.reloadItems(at: paths) { open.complete($0) }
  }
}

extension ItemPathPair {
  /// The places of an item of a flat list, with its one section having another number.
  func inSection(_ section: Int?) -> ItemPathPair {
    ItemPathPair(source: source.inSection(section), target: target.inSection(section))
  }
}

extension ItemPath {
  /// The place, with its section having another number.
  func inSection(_ section: Int?) -> ItemPath {
    section.map { ItemPath(section: $0, item: item) } ?? self
  }
}

// MARK: - Views that come and go

extension UpdatePipeline {
  /// Shows the content in a view from now on; the view is reloaded once.
  func setView(_ view: (any DeltaUpdatableView)?) {
    withSettings { settings in
      settings.view = view
      settings.isViewStale = view != nil
    }
    queues.delivery.async { self.loadViewIfStale() }
  }

  private func loadViewIfStale() {
    let view = withSettings { settings in
      defer { settings.isViewStale = false }
      return settings.isViewStale ? settings.view : nil
    }
    view?.reloadData()
  }

  /// A view that came while another one was being led shows what was in between.
  private func reloadReplacedView(_ led: any DeltaUpdatableView) {
    guard let view = settings.view, view !== led else { return }
    withSettings { $0.isViewStale = false }
    view.reloadData()
  }
}
