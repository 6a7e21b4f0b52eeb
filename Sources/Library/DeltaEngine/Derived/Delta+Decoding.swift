extension Delta {
  enum CodingKeys: String, CodingKey {
    case changes, steps, sourceItemCounts, targetItemCounts
  }

  /// Decodes and validates a delta.
  ///
  /// The changes must fit the counts of both versions, and the steps must use existing positions
  /// and lead from one version's counts to the other's.
  ///
  /// Whatever is derived from a decoded delta can therefore rely on its consistency.
  ///
  /// - Throws: `DecodingError`, with the inconsistent position.
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
  /// Checks that the steps can be performed, going by the numbers of items.
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
  /// Traps if the changes do not fit the counts, as in a delta built by hand.
  func checkInvariants() {
    do {
      try DeltaValidation(self).check()
    } catch {
      preconditionFailure("invalid delta: \(error.reason)")
    }
  }
}
