import DeltaEngine

extension UpdatePipeline {
  /// Applies a prepared update: at once without a view, else in the queue.
  func commit(_ prepared: PreparedUpdate<Element>, isAnimated: Bool) -> CommitAnswer {
    let source = store.current
    guard source.revision == prepared.base else { return .stale }
    // The view is released outside the lock: this may be the last reference.
    let (answer, view) = state.withLock { state in
      if state.queue.isBusy { return (CommitAnswer.busy, nil as (any DeltaUpdatableView)?) }
      guard let view = state.settings.view else {
        return (replaceContent(by: prepared) ? .done : .stale, nil)
      }
      let isCurrent = store.current.revision == prepared.base && state.queue.occupy()
      return (isCurrent ? .done : .stale, view)
    }
    guard answer == .done else { return answer }
    let isTooLarge =
      view != nil && isTooLarge(source.content, prepared.content, settings)
    let transition = Transition<Shape>(
      source: source.content, target: prepared.content, isChecked: prepared.isChecked,
      delta: isTooLarge ? nil : prepared.delta, isAnimated: isAnimated
    ) { _ in }
    if view != nil {
      setWanted(prepared.content)
      announceBegin()
      queues.delivery.async { self.present(transition) }
    } else if !prepared.delta.changes.deletedItems.isEmpty, settings.deletionDelegate != nil {
      queues.delivery.async { self.announceDeletions(of: transition) }
    }
    return .done
  }

  private func replaceContent(by prepared: PreparedUpdate<Element>) -> Bool {
    store.replace(by: prepared.content, isChecked: prepared.isChecked, at: prepared.base)
  }
}
