extension Delta {
  enum CodingKeys: String, CodingKey {
    case changes, steps, sourceItemCounts, targetItemCounts
  }

  /// Decodes a delta, and sees that what it says of the two versions fits together, and that its
  /// steps name only places that are there and lead from the counts of the one to those of the other.
  ///
  /// Nothing that is made from a delta, or done by one, can then fail for what was decoded.
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
      try ChangesCheck(self).check()
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
      try StepFit(step: step, before: counts, target: targetItemCounts).check()
      counts = step.itemCounts
    }
    guard counts == targetItemCounts else {
      throw DeltaMismatch(reason: "the steps end at \(counts) items, not \(targetItemCounts)")
    }
  }
}

extension Delta {
  /// Traps on changes that do not fit the counts, as a delta put together by hand may have: what is
  /// made from a delta counts on them without looking.
  func checkInvariants() {
    do {
      try ChangesCheck(self).check()
    } catch {
      preconditionFailure("a delta that is none: \(error.reason)")
    }
  }
}

/// Holds changes against the counts of the versions that they are between.
private struct ChangesCheck {
  let changes: DeltaChanges
  let sourceCounts: [Int]
  let targetCounts: [Int]

  init(_ delta: Delta) {
    changes = delta.changes
    sourceCounts = delta.sourceItemCounts
    targetCounts = delta.targetItemCounts
  }

  func check() throws(DeltaMismatch) {
    try Places.checkCounts(sourceCounts + targetCounts)
    try checkSections()
    try checkItems()
    try checkCounts()
  }

  private func checkSections() throws(DeltaMismatch) {
    let from = changes.removedSections + changes.movedSections.map { $0.source }
    let to = changes.addedSections + changes.movedSections.map { $0.target }
    try Places.check(from, sourceCounts)
    try Places.check(to, targetCounts)
    try Places.check(changes.changedSections.map { $0.source }, sourceCounts)
    try Places.check(changes.changedSections.map { $0.target }, targetCounts)
    guard sourceCounts.count - from.count == targetCounts.count - to.count else {
      throw DeltaMismatch(reason: "other sections stay than stayed")
    }
  }

  private func checkItems() throws(DeltaMismatch) {
    let moved = changes.movedItems
    let changed = changes.changedItems
    try Places.check(changes.removedItems + moved.map { $0.source }, sourceCounts)
    try Places.check(changes.addedItems + moved.map { $0.target }, targetCounts)
    try Places.check(changed.map { $0.source }, sourceCounts)
    try Places.check(changed.map { $0.target }, targetCounts)
  }

  /// Of each section that stays, what stays in it is as much as stayed; nothing stays in others.
  private func checkCounts() throws(DeltaMismatch) {
    var staying = sourceCounts
    for path in changes.removedItems { staying[path.section] -= 1 }
    for pair in changes.movedItems { staying[pair.source.section] -= 1 }
    var stayed = targetCounts
    for path in changes.addedItems { stayed[path.section] -= 1 }
    for pair in changes.movedItems { stayed[pair.target.section] -= 1 }
    let sources = changes.sourceSections(
      sourceCount: sourceCounts.count, targetCount: targetCounts.count)
    for (target, source) in sources.enumerated() {
      let expected = source < 0 ? 0 : staying[Int(source)]
      guard stayed[target] == expected else {
        throw DeltaMismatch(reason: "section \(target) keeps \(stayed[target]), not \(expected)")
      }
    }
    for section in changes.removedSections where staying[section.index] != 0 {
      throw DeltaMismatch(reason: "items stay in section \(section), which goes")
    }
  }
}
