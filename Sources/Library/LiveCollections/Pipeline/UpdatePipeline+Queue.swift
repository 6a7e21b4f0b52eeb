import DeltaEngine

extension UpdatePipeline {
  /// Adds an update to the queue.
  ///
  /// - Returns: Its number.
  func add(
    _ change: Operation<Element>.Change, ignoresDataCount: Bool = false, isAnimated: Bool = true,
    completion: UpdateCompletion?
  ) -> Int {
    let added = state.withLock {
      $0.queue.add(
        change, ignoresDataCount: ignoresDataCount, isAnimated: isAnimated, completion: completion)
    }
    if added.starts {
      announceBegin()
      startNext()
    }
    return added.number
  }

  func startNext() {
    building.async {
      let (operations, settings) = self.state.withLock { ($0.queue.takeAll(), $0.settings) }
      let (current, _, uniqueness) = self.store.current
      let merged = MergedOperations(
        operations, current: current, isUnique: uniqueness == .sourceChecked,
        finish: { Shape.finished($0, dropsEmptySections: settings.dropsEmptySections) },
        check: self.checkUniqueness)
      self.queues.calculation.async {
        self.calculate(merged, from: current, uniqueness, settings)
      }
    }
  }

  private func calculate(
    _ merged: MergedOperations<Element>, from current: [Element], _ uniqueness: Uniqueness,
    _ settings: PresentationSettings<Shape>
  ) {
    var merged = merged
    var delta = delta(&merged, from: current, uniqueness, settings)
    let overrides = merged.reloadOverrides
    if !overrides.isEmpty {
      delta = delta?.overriding(
        Set(overrides.items.keys), itemCounts: Shape.itemCounts(merged.content))
    }
    let result = merged
    if result.isAccepted { setWanted(result.content) }
    queues.delivery.async { [delta] in
      let transition = Transition<Shape>(
        source: current, target: result.content, delta: delta, overrides: overrides,
        isAnimated: result.isAnimated
      ) { self.report(result.outcomes($0)) }
      if result.isAccepted {
        self.present(transition)
      } else {
        self.finish(transition, as: .nothing)
      }
    }
  }

  /// The delta, unless the content is too large for one; rejects operations that duplicate an id,
  /// so that an accepted content is unique.
  private func delta(
    _ merged: inout MergedOperations<Element>, from current: [Element], _ uniqueness: Uniqueness,
    _ settings: PresentationSettings<Shape>
  ) -> Delta? {
    let isTooLarge =
      !merged.ignoresDataCount && isTooLarge(current, merged.content, settings)
    if !isTooLarge, case .success(let delta) = diff(current, merged.content, uniqueness) {
      return delta
    }
    do {
      try checkUniqueness([], merged.content)
    } catch {
      merged.applyOneByOne(
        { Shape.finished($0, dropsEmptySections: settings.dropsEmptySections) }, checkUniqueness)
    }
    // An error means that the view shows an id twice: it reloads, as for what is too large.
    return isTooLarge ? nil : try? diff(current, merged.content, uniqueness).get()
  }

  private func checkUniqueness(
    _ known: [Element], _ content: [Element]
  ) throws(DuplicateIdentifier) {
    _ = try diff(known, content, .sourceChecked).get()
  }

  func isTooLarge(
    _ source: [Element], _ target: [Element], _ settings: PresentationSettings<Shape>
  ) -> Bool {
    let limit = settings.common.dataCountAnimationThreshold
    return Shape.itemCounts(source).reduce(0, +) > limit
      || Shape.itemCounts(target).reduce(0, +) > limit
  }

  private func report(
    _ outcomes: [(operation: Operation<Element>, outcome: UpdateOutcome)]
  ) {
    let delegate = settings.common.calculationDelegate
    for (operation, outcome) in outcomes {
      if case .rejected(let error) = outcome {
        if let delegate {
          MainActor.assumeIsolated { delegate.collectionDataDidReject(error) }
        } else if operation.completion == nil || error.isOfData {
          AppLog.warn("update \(operation.number) of \(Element.self) was refused: \(error)")
        }
      }
      if let completion = operation.completion { call(completion, with: outcome) }
    }
  }
}

extension UpdateError {
  /// Whether what is to be shown cannot be, which no caller means to happen.
  fileprivate var isOfData: Bool { if case .duplicate = self { true } else { false } }
}

extension UpdatePipeline {
  /// Calculates what a new content would change, and changes nothing.
  func calculateDelta(
    _ content: @escaping @Sendable ([Element]) -> [Element],
    completion: @escaping @MainActor @Sendable (Result<Delta, DuplicateIdentifier>) -> Void
  ) {
    building.async {
      let (current, _, uniqueness) = self.store.current
      let new = self.finished(content(current))
      self.queues.calculation.async {
        let result = self.diff(current, new, uniqueness)
        self.queues.delivery.async { call(completion, with: result) }
      }
    }
  }
}
