/// Where each item of one version is in the other: to carry a selection or a scroll anchor over.
///
/// ```swift
/// let map = delta.indexMap
/// selection = selection.compactMap { map.target(of: $0) }
/// ```
public struct IndexMap: Sendable {
  /// Per source section and item the place in the target, as two numbers, or `nil`.
  private var targets: [[ItemPath<Target>?]]
  /// Per target section and item the place in the source.
  private var sources: [[ItemPath<Source>?]]
  /// Per source section its index in the target, or -1.
  private var targetSections: [Int32]
  /// Per target section its index in the source, or -1.
  private var sourceSections: [Int32]

  /// Where an item of the source is in the target.
  ///
  /// - Parameter path: A place in the source.
  /// - Returns: Its place in the target; `nil` when it is gone, or when the source has no such
  ///   place.
  public func target(of path: ItemPath<Source>) -> ItemPath<Target>? {
    if targets.isEmpty && sources.isEmpty {
      return ItemPath(section: path.section, item: path.item)
    }
    guard targets.indices.contains(path.section),
      targets[path.section].indices.contains(path.item)
    else { return nil }
    return targets[path.section][path.item]
  }

  /// Where an item of the target was in the source.
  ///
  /// - Parameter path: A place in the target.
  /// - Returns: Its place in the source; `nil` when it is new, or when the target has no such place.
  public func source(of path: ItemPath<Target>) -> ItemPath<Source>? {
    if targets.isEmpty && sources.isEmpty {
      return ItemPath(section: path.section, item: path.item)
    }
    guard sources.indices.contains(path.section),
      sources[path.section].indices.contains(path.item)
    else { return nil }
    return sources[path.section][path.item]
  }

  /// Where a section of the source is in the target.
  ///
  /// - Parameter section: A section of the source.
  /// - Returns: Its index in the target; `nil` when it is gone, or when the source has no such
  ///   section.
  public func target(of section: SectionIndex<Source>) -> SectionIndex<Target>? {
    if targets.isEmpty && sources.isEmpty { return SectionIndex(section.index) }
    return Self.index(section.index, in: targetSections)
  }

  /// Where a section of the target was in the source.
  ///
  /// - Parameter section: A section of the target.
  /// - Returns: Its index in the source; `nil` when it is new, or when the target has no such
  ///   section.
  public func source(of section: SectionIndex<Target>) -> SectionIndex<Source>? {
    if targets.isEmpty && sources.isEmpty { return SectionIndex(section.index) }
    return Self.index(section.index, in: sourceSections)
  }

  private static func index<Space>(_ index: Int, in others: [Int32]) -> SectionIndex<Space>? {
    guard others.indices.contains(index), others[index] >= 0 else { return nil }
    return SectionIndex(Int(others[index]))
  }

  /// The map of a delta; of an empty one, every place is where it was.
  init(_ delta: Delta) {
    delta.checkInvariants()
    let changes = delta.changes
    targets = delta.sourceItemCounts.map { [ItemPath<Target>?](repeating: nil, count: $0) }
    sources = delta.targetItemCounts.map { [ItemPath<Source>?](repeating: nil, count: $0) }
    sourceSections = changes.sourceSections(
      sourceCount: targets.count, targetCount: sources.count)
    targetSections = [Int32](repeating: -1, count: targets.count)
    var isSettled = delta.sourceItemCounts.map { [Bool](repeating: false, count: $0) }
    var isTaken = delta.targetItemCounts.map { [Bool](repeating: false, count: $0) }
    for path in changes.removedItems { isSettled[path.section][path.item] = true }
    for path in changes.addedItems { isTaken[path.section][path.item] = true }
    for pair in changes.movedItems {
      connect(pair.source, pair.target)
      isSettled[pair.source.section][pair.source.item] = true
      isTaken[pair.target.section][pair.target.item] = true
    }
    for (target, source) in sourceSections.enumerated() where source >= 0 {
      targetSections[Int(source)] = Int32(target)
      connectUnmoved(Int(source), target, isSettled[Int(source)], isTaken[target])
    }
  }

  private mutating func connect(_ source: ItemPath<Source>, _ target: ItemPath<Target>) {
    targets[source.section][source.item] = target
    sources[target.section][target.item] = source
  }

  /// What neither went, came nor moved stands in the same order in both lists.
  private mutating func connectUnmoved(
    _ source: Int, _ target: Int, _ isSettled: [Bool], _ isTaken: [Bool]
  ) {
    let staying = isSettled.indices.lazy.filter { !isSettled[$0] }
    let places = isTaken.indices.lazy.filter { !isTaken[$0] }
    for (old, new) in zip(staying, places) {
      connect(ItemPath(section: source, item: old), ItemPath(section: target, item: new))
    }
  }
}

extension Delta {
  /// Where each item of one version is in the other.
  ///
  /// Complexity: O(items) to make, O(1) a question.
  public var indexMap: IndexMap { IndexMap(self) }
}
