extension DeltaChanges {
  /// Decides what was removed, added, moved and changed.
  @usableFromInline
  init(_ matching: Matching) {
    addSections(matching)
    addItems(matching)
  }

  private mutating func addSections(_ matching: Matching) {
    var survives = [Bool](repeating: false, count: matching.sourceStarts.count - 1)
    let kept = matching.sourceSections.filter { $0 >= 0 }
    let stays = longestIncreasingSubsequence(of: kept)
    var rank = 0
    for (target, source) in matching.sourceSections.enumerated() {
      guard source >= 0 else {
        addedSections.append(SectionIndex(target))
        continue
      }
      survives[Int(source)] = true
      if !stays[rank] { movedSections.append(matching.sectionPair(target: target)) }
      rank += 1
    }
    removedSections = survives.indices.filter { !survives[$0] }.map { SectionIndex($0) }
    changedSections = matching.changedSections.map { matching.sectionPair(target: Int($0)) }
  }

  private mutating func addItems(_ matching: Matching) {
    var survives = [Bool](repeating: false, count: Int(matching.sourceStarts.last ?? 0))
    for section in matching.sourceSections.indices {
      addItems(ofTargetSection: section, matching, survives: &survives)
    }
    for section in 0..<matching.sourceStarts.count - 1 {
      let start = Int(matching.sourceStarts[section])
      for flat in start..<Int(matching.sourceStarts[section + 1]) where !survives[flat] {
        removedItems.append(ItemPath(section: section, item: flat - start))
      }
    }
    var paths = matching.pathResolver
    changedItems = matching.changedItems.map { paths.pair(target: Int($0)) }
  }

  /// Added and moved items of one target section: of those that were in it before, all but a
  /// longest common order move; those that came from elsewhere move.
  private mutating func addItems(
    ofTargetSection section: Int, _ matching: Matching, survives: inout [Bool]
  ) {
    let start = Int(matching.targetStarts[section])
    let end = Int(matching.targetStarts[section + 1])
    let home = matching.sourceRange(ofTargetSection: section)
    let kept = matching.sourceItems[start..<end].filter { home.contains($0) }
    let stays = longestIncreasingSubsequence(of: kept)
    var paths = matching.pathResolver
    var rank = 0
    for flat in start..<end {
      let source = matching.sourceItems[flat]
      guard source >= 0 else {
        addedItems.append(ItemPath(section: section, item: flat - start))
        continue
      }
      survives[Int(source)] = true
      let isHome = home.contains(source)
      if !isHome || !stays[rank] { movedItems.append(paths.pair(target: flat)) }
      if isHome { rank += 1 }
    }
  }
}

extension Matching {
  func sectionPair(target: Int) -> SectionIndexPair {
    SectionIndexPair(
      source: SectionIndex(Int(sourceSections[target])), target: SectionIndex(target))
  }

  /// The flat source indices of the section that a target section was, empty when it is new.
  func sourceRange(ofTargetSection section: Int) -> Range<Int32> {
    let source = Int(sourceSections[section])
    return source < 0 ? 0..<0 : sourceStarts[source]..<sourceStarts[source + 1]
  }

  var pathResolver: PathResolver { PathResolver(matching: self) }

  /// Turns flat target indices into paths of both versions.
  struct PathResolver {
    let matching: Matching
    private var lastSource = 0
    private var lastTarget = 0

    init(matching: Matching) { self.matching = matching }

    mutating func pair(target flat: Int) -> ItemPathPair {
      let source = matching.sourceItems[flat]
      lastSource = section(of: source, in: matching.sourceStarts, near: lastSource)
      lastTarget = section(of: Int32(flat), in: matching.targetStarts, near: lastTarget)
      return ItemPathPair(
        source: ItemPath(
          section: lastSource, item: Int(source - matching.sourceStarts[lastSource])),
        target: ItemPath(
          section: lastTarget, item: flat - Int(matching.targetStarts[lastTarget])))
    }

    /// The section whose items contain a flat index: the last one tried, or found by bisection.
    private func section(of flat: Int32, in starts: [Int32], near last: Int) -> Int {
      if starts[last] <= flat, flat < starts[last + 1] { return last }
      var low = 0
      var high = starts.count - 1
      while high - low > 1 {
        let middle = (low + high) / 2
        if starts[middle] <= flat { low = middle } else { high = middle }
      }
      return low
    }
  }
}
