extension Delta {
  enum CodingKeys: String, CodingKey {
    case changes, steps, sourceItemCounts, targetItemCounts
  }

  /// Decodes a delta, and sees that what it says of the two versions fits together.
  ///
  /// Nothing that is made from a delta can then fail for what was decoded.
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
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .changes, in: container, debugDescription: error.reason)
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
    for count in sourceCounts + targetCounts where !(0...Int(Int32.max)).contains(count) {
      throw DeltaMismatch(reason: "\(count) items are no number of items")
    }
    try checkSections()
    try checkItems()
    try checkCounts()
  }

  private func checkSections() throws(DeltaMismatch) {
    let from = changes.removedSections + changes.movedSections.map { $0.source }
    let to = changes.addedSections + changes.movedSections.map { $0.target }
    try checkSections(from.map { $0.index }, sourceCounts.count)
    try checkSections(to.map { $0.index }, targetCounts.count)
    try checkSections(changes.changedSections.map { $0.source.index }, sourceCounts.count)
    try checkSections(changes.changedSections.map { $0.target.index }, targetCounts.count)
    guard sourceCounts.count - from.count == targetCounts.count - to.count else {
      throw DeltaMismatch(reason: "other sections stay than stayed")
    }
  }

  /// Each index once, and of a section that is there.
  private func checkSections(_ indices: [Int], _ count: Int) throws(DeltaMismatch) {
    var seen: Set<Int> = []
    for index in indices where index >= count || !seen.insert(index).inserted {
      throw DeltaMismatch(reason: "section \(index) of \(count) is not there, or named twice")
    }
  }

  private func checkItems() throws(DeltaMismatch) {
    let moved = changes.movedItems
    let changed = changes.changedItems
    try checkItems(changes.removedItems + moved.map { $0.source }, sourceCounts)
    try checkItems(changes.addedItems + moved.map { $0.target }, targetCounts)
    try checkItems(changed.map { $0.source }, sourceCounts)
    try checkItems(changed.map { $0.target }, targetCounts)
  }

  /// Each path once, and of an item that is there.
  private func checkItems<Space>(
    _ paths: [ItemPath<Space>], _ counts: [Int]
  ) throws(DeltaMismatch) {
    var seen: Set<ItemPath<Space>> = []
    for path in paths {
      guard path.section < counts.count, path.item < counts[path.section],
        seen.insert(path).inserted
      else { throw DeltaMismatch(reason: "item \(path) is not there, or named twice") }
    }
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
