/// Where each item of one version is in the other: to carry a selection or a scroll anchor over.
///
/// ```swift
/// let map = delta.indexMap
/// selection = selection.compactMap { map.target(of: $0) }
/// ```
public struct IndexMap: Sendable {
  private let sourceCounts: [Int]
  private let targetCounts: [Int]
  private let targets: SurvivorMap<Source, Target>
  private let sources: SurvivorMap<Target, Source>

  /// The map of a delta; of an empty one, every place is where it was.
  init(_ delta: Delta) {
    delta.checkInvariants()
    (sourceCounts, targetCounts) = (delta.sourceItemCounts, delta.targetItemCounts)
    targets = delta.changes.targets(
      sourceCount: sourceCounts.count, targetCount: targetCounts.count)
    sources = delta.changes.sources(
      sourceCount: sourceCounts.count, targetCount: targetCounts.count)
  }

  private var isIdentity: Bool { sourceCounts.isEmpty && targetCounts.isEmpty }

  /// Where an item of the source is in the target.
  ///
  /// - Parameter path: A place in the source.
  /// - Returns: Its place in the target; `nil` when it is deleted, or when the source has no such
  ///   place.
  public func target(of path: ItemPath<Source>) -> ItemPath<Target>? {
    if isIdentity { return path.inSpace() }
    return Self.has(path, sourceCounts) ? targets.place(of: path) : nil
  }

  /// Where an item of the target was in the source.
  ///
  /// - Parameter path: A place in the target.
  /// - Returns: Its place in the source; `nil` when it is new, or when the target has no such
  ///   place.
  public func source(of path: ItemPath<Target>) -> ItemPath<Source>? {
    if isIdentity { return path.inSpace() }
    return Self.has(path, targetCounts) ? sources.place(of: path) : nil
  }

  /// Where a section of the source is in the target.
  ///
  /// - Parameter section: A section of the source.
  /// - Returns: Its index in the target; `nil` when it is deleted, or when the source has no such
  ///   section.
  public func target(of section: SectionIndex<Source>) -> SectionIndex<Target>? {
    if isIdentity { return SectionIndex(section.index) }
    return Self.index(section.index, in: targets.sections)
  }

  /// Where a section of the target was in the source.
  ///
  /// - Parameter section: A section of the target.
  /// - Returns: Its index in the source; `nil` when it is new, or when the target has no such
  ///   section.
  public func source(of section: SectionIndex<Target>) -> SectionIndex<Source>? {
    if isIdentity { return SectionIndex(section.index) }
    return Self.index(section.index, in: sources.sections)
  }

  private static func has<Space>(_ path: ItemPath<Space>, _ counts: [Int]) -> Bool {
    counts.indices.contains(path.section) && path.item < counts[path.section]
  }

  private static func index<Space>(_ index: Int, in others: [Int32]) -> SectionIndex<Space>? {
    guard others.indices.contains(index), others[index] >= 0 else { return nil }
    return SectionIndex(Int(others[index]))
  }
}

extension Delta {
  /// Where each item of one version is in the other.
  ///
  /// Complexity: O(c log c) to make for c changes, O(log c) a question.
  public var indexMap: IndexMap { IndexMap(self) }
}
