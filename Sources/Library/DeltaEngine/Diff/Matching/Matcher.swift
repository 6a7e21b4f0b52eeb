/// Finds the elements of the target in the source, as runs.
///
/// The two lists of a section are aligned first: elements that line up, or are a few places apart,
/// need no hashing. The elements left over are looked up in a dictionary, so that one is found in
/// whatever list it is. Identities are unique, so any pair of equal ones is right, however it was
/// found.
@usableFromInline struct Matcher<Element: Diffable> {
  @usableFromInline let sources: [[Element]]
  @usableFromInline let targets: [[Element]]
  /// The matched elements, ascending in the target.
  @usableFromInline var runs: [Run] = []
  @usableFromInline var matchedCount = 0
  /// For each source element, numbered across all lists, whether it is in a run.
  @usableFromInline var isTaken: [Bool]
  /// The number of each source list's first element.
  @usableFromInline var starts: [Int] = []

  /// How far apart on both sides aligned elements may be from where the previous ones ended.
  @inlinable static var windowCount: Int { 6 }

  @inlinable init(_ sources: [[Element]], _ targets: [[Element]]) {
    (self.sources, self.targets) = (sources, targets)
    var count = 0
    for list in sources {
      starts.append(count)
      count += list.count
    }
    isTaken = [Bool](repeating: false, count: count)
  }

  @inlinable func isTaken(_ path: ItemPath<SourceSpace>) -> Bool {
    isTaken[starts[path.section] + path.item]
  }

  /// Records a run, if it has any elements.
  @inlinable mutating func append(
    _ source: ItemPath<SourceSpace>, _ target: ItemPath<TargetSpace>, count: Int
  ) {
    if count == 0 { return }
    runs.append(Run(source: source, target: target, count: count))
    matchedCount += count
    let start = starts[source.section] + source.item
    for number in start..<start + count { isTaken[number] = true }
  }
}

/// Elements that follow each other in a list of the source and in a list of the target.
@usableFromInline struct Run {
  @usableFromInline let source: ItemPath<SourceSpace>
  @usableFromInline let target: ItemPath<TargetSpace>
  @usableFromInline var count: Int

  @inlinable
  init(source: ItemPath<SourceSpace>, target: ItemPath<TargetSpace>, count: Int) {
    (self.source, self.target, self.count) = (source, target, count)
  }
}

// MARK: - Alignment

extension Matcher {
  /// Matches the elements of two lists that are in nearly the same places.
  ///
  /// - Precondition: Target lists are aligned in ascending order.
  @inlinable mutating func align(sourceList: Int, targetList: Int) {
    let (source, target) = (sources[sourceList], targets[targetList])
    var (i, j) = (0, 0)
    while true {
      let start = i
      while i < source.count, j < target.count, source[i].diffID == target[j].diffID {
        i &+= 1
        j &+= 1
      }
      let count = i - start
      append(
        ItemPath(section: sourceList, item: start),
        ItemPath(section: targetList, item: j - count), count: count)
      guard let next = Self.nextPair(source, i, target, j) else { break }
      (i, j) = next
    }
    var count = 0
    let countMax = min(source.count - i, target.count - j)
    while count < countMax,
      source[source.count - 1 - count].diffID == target[target.count - 1 - count].diffID
    {
      count += 1
    }
    append(
      ItemPath(section: sourceList, item: source.count - count),
      ItemPath(section: targetList, item: target.count - count), count: count)
  }

  /// Returns the nearest pair of equal identities in a small window on both sides.
  @inlinable static func nextPair(
    _ source: [Element], _ i: Int, _ target: [Element], _ j: Int
  ) -> (Int, Int)? {
    if i == source.count || j == target.count { return nil }
    for distance in 1...2 * windowCount {
      for ahead in max(0, distance - windowCount)...min(distance, windowCount) {
        let (one, other) = (i + ahead, j + distance - ahead)
        if one < source.count, other < target.count, source[one].diffID == target[other].diffID {
          return (one, other)
        }
      }
    }
    return nil
  }
}

// MARK: - Lookup

extension Matcher {
  /// Matches all other elements by a dictionary.
  ///
  /// - Throws: `RepeatedIdentity` if two elements of one version are found to have the same identity.
  @inlinable mutating func matchRest(_ uniqueness: Uniqueness) throws(RepeatedIdentity) {
    let restCount = targets.reduce(0) { $0 + $1.count } - matchedCount
    if restCount == 0, uniqueness != .checked { return }
    var paths = try sourcePaths(uniqueness, restCount)
    var aligned = runs[...]
    runs = []
    for (section, list) in targets.enumerated() {
      var index = 0
      while index < list.count {
        let path = ItemPath<TargetSpace>(section: section, item: index)
        if let run = aligned.first, run.target == path {
          runs.append(run)
          aligned.removeFirst()
          index += run.count
        } else {
          if !extendsLastRun(list[index].diffID, path) {
            try lookUp(list[index].diffID, path, in: &paths)
          }
          index += 1
        }
      }
    }
  }

  /// Adds a target element to the run before it if it continues it, without hashing.
  @inlinable mutating func extendsLastRun(
    _ id: Element.DiffID, _ target: ItemPath<TargetSpace>
  ) -> Bool {
    guard let run = runs.last, run.target.section == target.section,
      run.target.item + run.count == target.item
    else { return false }
    let (section, item) = (run.source.section, run.source.item + run.count)
    guard item < sources[section].count, !isTaken[starts[section] + item],
      sources[section][item].diffID == id
    else { return false }
    runs[runs.count - 1].count += 1
    isTaken[starts[section] + item] = true
    matchedCount += 1
    return true
  }

  /// Adds a target element as a run if the source has it.
  @inlinable mutating func lookUp(
    _ id: Element.DiffID, _ target: ItemPath<TargetSpace>,
    in paths: inout [Element.DiffID: ItemPath<SourceSpace>?]
  ) throws(RepeatedIdentity) {
    // From here on the identity belongs to this element: `nil` refuses a second one.
    guard let known = paths.updateValue(nil, forKey: id) else { return }
    guard let source = known, !isTaken(source) else { throw RepeatedIdentity(side: .target) }
    append(source, target, count: 1)
  }

  /// Returns the places of the source's elements by identity: of those left over if uniqueness is
  /// promised, or else of all, so that a target element that equals an aligned one is found too.
  @inlinable func sourcePaths(
    _ uniqueness: Uniqueness, _ restCount: Int
  ) throws(RepeatedIdentity) -> [Element.DiffID: ItemPath<SourceSpace>?] {
    let sourceCount = uniqueness == .promised ? isTaken.count - matchedCount : isTaken.count
    var paths: [Element.DiffID: ItemPath<SourceSpace>?] = [:]
    paths.reserveCapacity(sourceCount + restCount)
    for (section, list) in sources.enumerated() {
      for index in list.indices
      where uniqueness != .promised || !isTaken[starts[section] + index] {
        let path = ItemPath<SourceSpace>(section: section, item: index)
        if paths.updateValue(path, forKey: list[index].diffID) != nil {
          throw RepeatedIdentity(side: .source)
        }
      }
    }
    return paths
  }
}

/// Two elements of one side have the same identity.
@usableFromInline struct RepeatedIdentity: Error {
  @usableFromInline let side: DuplicateIdentifier.Side

  @inlinable init(side: DuplicateIdentifier.Side) { self.side = side }
}
