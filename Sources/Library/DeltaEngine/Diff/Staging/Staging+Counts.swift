extension Staging {
  /// Returns the counts of surviving and deferred sections as before, and of inserted ones with
  /// their items.
  func countsAfterSections() -> [Int] {
    var counts = [Int](repeating: 0, count: layout.count)
    for index in 0..<layout.count {
      let source = Int(layout.sources[index])
      if source >= 0 { counts[index] = sourceCounts[source] }
    }
    for section in changes.insertedSections {
      counts[Int(layout.indexOfTarget[section.index])] = Int(sections.carriedCounts[section.index])
    }
    return counts
  }

  /// Returns the target's counts; deferred sections keep what does not move out.
  func countsAfterItems() -> [Int] {
    var counts = [Int](repeating: 0, count: layout.count)
    for section in layout.deferredDeletes {
      counts[Int(layout.indexOfSource[Int(section)])] = sourceCounts[Int(section)]
    }
    for pair in changes.movedItems where sections.isDeleted[pair.source.section] {
      counts[Int(layout.indexOfSource[pair.source.section])] -= 1
    }
    for (target, count) in targetCounts.enumerated() {
      counts[Int(layout.indexOfTarget[target])] = count
    }
    return counts
  }
}
