/// Limits on the deltas worth showing.
public struct DeltaThresholds: Hashable, Codable, Sendable {
  /// The most items that either version may have.
  public var itemCountMax: Int
  /// The most changes that a delta may have.
  public var changeCountMax: Int

  /// Creates thresholds; both limits are inclusive.
  public init(itemCountMax: Int = 10_000, changeCountMax: Int = 10_000) {
    self.itemCountMax = itemCountMax
    self.changeCountMax = changeCountMax
  }
}

/// A delta, or the threshold that it exceeds.
public enum DeltaOutcome: Hashable, Sendable {
  /// The delta, within the thresholds.
  case delta(Delta)
  /// A version has too many items; no delta was computed.
  case tooManyItems(count: Int, limit: Int)
  /// The delta has too many changes.
  case tooManyChanges(count: Int, limit: Int)

  /// The delta, if it is within the thresholds.
  public var delta: Delta? {
    if case .delta(let delta) = self { delta } else { nil }
  }
}

extension DeltaThresholds {
  /// Returns the delta between two versions, or the threshold that it exceeds.
  ///
  /// - Parameters:
  ///   - source: The current sections.
  ///   - target: The new sections.
  ///   - uniqueness: What is known about the uniqueness of ids.
  /// - Returns: The delta, or the threshold that it exceeds; a count equal to a limit is within it.
  /// - Throws: `DuplicateIdentifier` if an id occurs twice in one of the versions.
  @inlinable public func outcome<Section: DiffableSection>(
    from source: [Section], to target: [Section], uniqueness: Uniqueness = .checked
  ) throws(DuplicateIdentifier) -> DeltaOutcome {
    let counts = [source, target].map { $0.reduce(0) { $0 + $1.items.count } }
    return try outcome(itemCount: max(counts[0], counts[1])) { () throws(DuplicateIdentifier) in
      try Delta(from: source, to: target, uniqueness: uniqueness)
    }
  }

  /// Returns the delta between two versions of a flat list, or the threshold that it exceeds.
  ///
  /// - Parameters:
  ///   - source: The current items.
  ///   - target: The new items.
  ///   - uniqueness: What is known about the uniqueness of ids.
  /// - Returns: The delta, or the threshold that it exceeds; a count equal to a limit is within it.
  /// - Throws: `DuplicateIdentifier` if an id occurs twice in one of the versions.
  @inlinable public func outcome<Item: Diffable>(
    fromItems source: [Item], toItems target: [Item], uniqueness: Uniqueness = .checked
  ) throws(DuplicateIdentifier) -> DeltaOutcome {
    try outcome(itemCount: max(source.count, target.count)) { () throws(DuplicateIdentifier) in
      try Delta(fromItems: source, toItems: target, uniqueness: uniqueness)
    }
  }

  @inlinable func outcome(
    itemCount: Int, _ makeDelta: () throws(DuplicateIdentifier) -> Delta
  ) throws(DuplicateIdentifier) -> DeltaOutcome {
    if itemCount > itemCountMax {
      return .tooManyItems(count: itemCount, limit: itemCountMax)
    }
    let delta = try makeDelta()
    if delta.changeCount > changeCountMax {
      return .tooManyChanges(count: delta.changeCount, limit: changeCountMax)
    }
    return .delta(delta)
  }
}
