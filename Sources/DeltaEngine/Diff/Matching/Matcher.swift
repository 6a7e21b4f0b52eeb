/// Finds the elements of the target in the source, as runs.
///
/// Elements of both versions are numbered across all lists. The two lists of a section are aligned
/// first: elements that line up, or are a few places apart, need no hashing. The elements left over
/// are looked up in a dictionary, so that one is found in whatever list it is. Identities are unique,
/// so any pair of equal ones is right, however it was found.
@usableFromInline struct Matcher<Element: Diffable> {
  @usableFromInline let sources: [[Element]]
  @usableFromInline let targets: [[Element]]
  /// The number of each list's first element; the last entry is the number of all elements.
  @usableFromInline let sourceStarts: [Int]
  @usableFromInline let targetStarts: [Int]
  /// The matched elements, ascending in the target.
  @usableFromInline var runs: [Run] = []
  @usableFromInline var matchedCount = 0
  /// For each source element, whether it is in a run.
  @usableFromInline var isTaken: [Bool]

  /// How far apart on both sides aligned elements may be from where the previous ones ended.
  @inlinable static var windowCount: Int { 6 }

  @inlinable init(_ sources: [[Element]], _ targets: [[Element]]) {
    (self.sources, self.targets) = (sources, targets)
    (sourceStarts, targetStarts) = (Self.starts(of: sources), Self.starts(of: targets))
    isTaken = [Bool](repeating: false, count: sourceStarts[sources.count])
  }

  @inlinable static func starts(of lists: [[Element]]) -> [Int] {
    var starts = [0]
    starts.reserveCapacity(lists.count + 1)
    for list in lists { starts.append(starts[starts.count - 1] + list.count) }
    return starts
  }

  /// Records a run, if it has any elements.
  @inlinable mutating func append(_ source: Int, _ target: Int, count: Int) {
    if count == 0 { return }
    runs.append(Run(source: source, target: target, count: count))
    matchedCount += count
    for number in source..<source + count { isTaken[number] = true }
  }
}

/// Elements that follow each other in a list of the source and in a list of the target.
@usableFromInline struct Run {
  /// The number of the first element in each version.
  @usableFromInline let source: Int
  @usableFromInline let target: Int
  @usableFromInline var count: Int

  @inlinable init(source: Int, target: Int, count: Int) {
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
    let (sourceStart, targetStart) = (sourceStarts[sourceList], targetStarts[targetList])
    var (i, j) = (0, 0)
    while true {
      let start = i
      while i < source.count, j < target.count, source[i].diffID == target[j].diffID {
        i &+= 1
        j &+= 1
      }
      let count = i - start
      append(sourceStart + start, targetStart + j - count, count: count)
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
      sourceStart + source.count - count, targetStart + target.count - count, count: count)
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
    if matchedCount == targetStarts[targets.count], uniqueness != .checked { return }
    var numbers = try sourceNumbers(uniqueness)
    var aligned = runs[...]
    runs = []
    for (list, start) in zip(targets, targetStarts) {
      var index = 0
      while index < list.count {
        if let run = aligned.first, run.target == start + index {
          runs.append(run)
          aligned.removeFirst()
          index += run.count
        } else {
          if index == 0 || !extendsLastRun(list[index].diffID, start + index) {
            try lookUp(list[index].diffID, start + index, in: &numbers)
          }
          index += 1
        }
      }
    }
  }

  /// Adds a target element to the run before it if it continues it, without hashing.
  @inlinable mutating func extendsLastRun(_ id: Element.DiffID, _ target: Int) -> Bool {
    guard let run = runs.last, run.target + run.count == target else { return false }
    let (number, list) = (run.source + run.count, list(of: run.source))
    guard number < sourceStarts[list + 1], !isTaken[number],
      sources[list][number - sourceStarts[list]].diffID == id
    else { return false }
    runs[runs.count - 1].count += 1
    isTaken[number] = true
    matchedCount += 1
    return true
  }

  /// Adds a target element as a run if the source has it.
  @inlinable mutating func lookUp(
    _ id: Element.DiffID, _ target: Int, in numbers: inout [Element.DiffID: Int]
  ) throws(RepeatedIdentity) {
    // From here on the identity belongs to this element: -1 refuses a second one.
    guard let number = numbers.updateValue(-1, forKey: id) else { return }
    if number < 0 || isTaken[number] { throw RepeatedIdentity(side: .target) }
    append(number, target, count: 1)
  }

  /// Returns the numbers of the source's elements by identity: of those left over if uniqueness is
  /// promised, or else of all, so that a target element that equals an aligned one is found too.
  @inlinable func sourceNumbers(
    _ uniqueness: Uniqueness
  ) throws(RepeatedIdentity) -> [Element.DiffID: Int] {
    let restCount = targetStarts[targets.count] - matchedCount
    let sourceCount = uniqueness == .promised ? isTaken.count - matchedCount : isTaken.count
    var numbers: [Element.DiffID: Int] = [:]
    numbers.reserveCapacity(sourceCount + restCount)
    for (list, start) in zip(sources, sourceStarts) {
      for index in list.indices where uniqueness != .promised || !isTaken[start + index] {
        if numbers.updateValue(start + index, forKey: list[index].diffID) != nil {
          throw RepeatedIdentity(side: .source)
        }
      }
    }
    return numbers
  }

  /// Returns the source list that an element is in.
  @inlinable func list(of number: Int) -> Int {
    sources.count == 1 ? 0 : sourceStarts.partitioningIndex { sourceStarts[$0] <= number } - 1
  }
}

/// Two elements of one side have the same identity.
@usableFromInline struct RepeatedIdentity: Error {
  @usableFromInline let side: DuplicateIdentifier.Side

  @inlinable init(side: DuplicateIdentifier.Side) { self.side = side }
}
