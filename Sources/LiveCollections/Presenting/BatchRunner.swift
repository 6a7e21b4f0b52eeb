import DeltaEngine

/// Leads a view through the plans of the collections that it shows: the first batches of all as one
/// batch, then the second ones, each after the one before was shown.
struct BatchRunner: Sendable {
  let view: any DeltaUpdatableView
  let plans: [PresentationPlan]
  let delivery: WorkQueue
  /// Called on the delivery queue after the plans' own completions.
  let completion: @Sendable () -> Void

  /// Starts; on the delivery queue.
  func run() {
    if plans.contains(where: \.reloadsAll) {
      reload()
    } else {
      perform(round: 0)
    }
  }

  private func perform(round: Int) {
    let stages = plans.filter { round < $0.stages.count }.map { $0.stages[round] }
    guard !stages.isEmpty else { return finish() }
    let batch = merged(stages)
    let once = Once()
    for stage in stages { stage.announce(.immediatelyBefore) }
    view.perform(batch) { isFinished in
      once {
        delivery.async {
          for stage in stages { stage.announce(.completed) }
          let isLast = plans.allSatisfy { $0.stages.count <= round + 1 }
          // After an interruption the view is led no further; it is not told less, though.
          if isFinished || isLast { perform(round: round + 1) } else { reload() }
        }
      }
    }
    // A view that forgot to: the content must follow what the view was told.
    batch.applyContent()
    for stage in stages { stage.announce(.immediatelyAfter) }
  }

  private func merged(_ stages: [PresentationPlan.Stage]) -> UpdateBatch {
    var step = stages[0].step
    var itemCounts = stages[0].itemCounts
    var animations = stages[0].animations
    for stage in stages.dropFirst() {
      step.formUnion(stage.step)
      itemCounts.merge(stage.itemCounts) { $1 }
      animations.before.merge(stage.animations.before) { $1 }
      animations.after.merge(stage.animations.after) { $1 }
    }
    return UpdateBatch(step: step, itemCounts: itemCounts, animations: animations) {
      for stage in stages { stage.applyContent() }
    }
  }

  private func reload() {
    for plan in plans { plan.applyContent() }
    view.reloadData()
    finish()
  }

  private func finish() {
    for plan in plans { plan.completion() }
    completion()
  }
}
