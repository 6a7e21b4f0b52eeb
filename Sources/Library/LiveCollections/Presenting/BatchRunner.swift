import DeltaEngine

/// Performs the plans of the collections that a view shows: the first stages of all as one batch,
/// then the second ones, each after the one before was shown.
///
/// A batch with a reload has no moves, whichever collections they are of: stages that reload wait for a batch
/// without.
///
/// A collection that the view no longer shows is left out from then on: only its content changes. A
/// view that leaves the screen between two batches is reloaded instead.
@MainActor struct BatchRunner {
  /// A weak reference: a view that is released during a batch releases the batch's completion.
  private(set) weak var view: (any DeltaUpdatableView)?
  let plans: [PresentationPlan]
  let delivery: WorkQueue
  /// Called after the plans' own completions.
  let completion: @MainActor @Sendable () -> Void

  func run() { go(on: plans) }

  private func go(
    on plans: [PresentationPlan], keeping place: KeptPlace? = nil, reloads: Bool = false
  ) {
    let shown = plans.filter { plan in
      let isShown = plan.isShown()
      if !isShown { plan.finishWithoutView() }
      return isShown
    }
    guard let view else {
      for plan in shown { plan.finishWithoutView() }
      return completion()
    }
    if reloads || !view.canPerformBatches || shown.contains(where: \.reloadsAll) {
      reload(shown, in: view, keeping: place)
    } else {
      perform(shown, in: view, keeping: place)
    }
  }

  private func perform(
    _ plans: [PresentationPlan], in view: any DeltaUpdatableView, keeping last: KeptPlace?
  ) {
    var plans = plans
    let next = nextStages(of: plans)
    guard !next.isEmpty else { return finish(plans, as: .performed) }
    let changing = next.map { plans[$0] }
    let (batch, announcer) = merged(next.map { plans[$0].stages.removeFirst() })
    let place = KeptPlace.place(in: view, plans.compactMap(\.follow), after: last)
    let shown = OnceOnlyCompletion(fallback: false) { [plans] isFinished in
      delivery.deliver {
        place?.keep()
        announcer.announce(.completed)
        if plans.allSatisfy(\.stages.isEmpty) { return finish(plans, as: .performed) }
        // After an interruption the view is reloaded.
        go(on: plans, keeping: place, reloads: !isFinished)
      }
    }
    announcer.announce(.immediatelyBefore)
    view.perform(batch) { shown($0) }
    // In case the view did not: the content must be what the view was told to show.
    batch.applyContent()
    place?.keep()
    for plan in changing { plan.didPerformBatch() }
    announcer.announce(.immediatelyAfter)
  }

  /// The plans whose next stages are one batch.
  private func nextStages(of plans: [PresentationPlan]) -> [Int] {
    let next = plans.indices.filter { !plans[$0].stages.isEmpty }
    guard next.contains(where: { plans[$0].stages[0].step.excludesReloads }) else { return next }
    return next.filter { !plans[$0].stages[0].step.hasReloads }
  }

  private func merged(
    _ stages: [PresentationPlan.Stage]
  ) -> (batch: UpdateBatch, announcer: BatchAnnouncer) {
    var step = stages[0].step
    var itemCounts = stages[0].itemCounts
    var reconfigured = stages[0].reconfigured
    var animations = stages[0].animations
    for stage in stages.dropFirst() {
      step.formUnion(stage.step)
      itemCounts.merge(stage.itemCounts) { $1 }
      reconfigured.formUnion(stage.reconfigured)
      animations.before.merge(stage.animations.before) { $1 }
      animations.after.merge(stage.animations.after) { $1 }
    }
    let announcer = BatchAnnouncer(stages, step.group)
    let once = Once()
    let batch = UpdateBatch(
      step: step, itemCounts: itemCounts, reconfigured: reconfigured, animations: animations,
      isAnimated: stages.contains { $0.isAnimated }
    ) {
      once {
        for stage in stages { stage.applyContent() }
        announcer.announce(.during)
      }
    }
    return (batch, announcer)
  }

  private func reload(
    _ plans: [PresentationPlan], in view: any DeltaUpdatableView, keeping last: KeptPlace?
  ) {
    if !plans.isEmpty {
      let place = KeptPlace.place(in: view, plans.compactMap(\.follow), after: last)
      for plan in plans { plan.applyContent() }
      view.reloadData()
      place?.keep()
    }
    finish(plans, as: .reloaded)
  }

  private func finish(_ plans: [PresentationPlan], as ending: PresentationPlan.Ending) {
    for plan in plans { plan.completion(ending) }
    completion()
  }
}
