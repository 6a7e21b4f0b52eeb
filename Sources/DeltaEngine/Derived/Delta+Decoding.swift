extension Delta {
  enum CodingKeys: String, CodingKey {
    case changes, steps, sourceItemCounts, targetItemCounts
  }

  /// Decodes a delta and checks that its changes fit the counts of both versions, and that its
  /// steps name existing places and lead from the one counts to the other.
  ///
  /// Whatever is derived from a decoded delta, or applied by it, can then rely on it.
  ///
  /// - Throws: `DecodingError`, with the place that does not fit.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      changes: try container.decode(DeltaChanges.self, forKey: .changes),
      steps: try container.decode([DeltaStep].self, forKey: .steps),
      sourceItemCounts: try container.decode([Int].self, forKey: .sourceItemCounts),
      targetItemCounts: try container.decode([Int].self, forKey: .targetItemCounts))
    do {
      let check = DeltaValidation(self)
      try check.check()
      try check.checkReloadedItems()
      try checkSteps()
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .changes, in: container, debugDescription: error.reason)
    }
  }
}

extension Delta {
  /// Whether the steps can be performed, by the numbers of items.
  private func checkSteps() throws(DeltaMismatch) {
    guard steps.isEmpty == changes.isEmpty else {
      throw DeltaMismatch(reason: "\(steps.count) steps for \(changes.count) changes")
    }
    var counts = sourceItemCounts
    for step in steps {
      try StepValidation(step: step, before: counts, target: targetItemCounts).check()
      counts = step.itemCounts
    }
    guard counts == targetItemCounts else {
      throw DeltaMismatch(reason: "the steps end at \(counts) items, not \(targetItemCounts)")
    }
  }
}

extension Delta {
  /// Traps on changes that do not fit the counts, as a delta made by hand may have: what is derived
  /// from a delta relies on them.
  func checkInvariants() {
    do {
      try DeltaValidation(self).check()
    } catch {
      preconditionFailure("invalid delta: \(error.reason)")
    }
  }
}
