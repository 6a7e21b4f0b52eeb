/// Maps positions of items between two versions, for example to preserve a selection or a scroll
/// anchor.
///
/// ```swift
/// let map = delta.indexMap
/// shown = selection.compactMap { map.target(of: $0) }
/// ```
public struct IndexMap: Sendable {
  private let sourceCounts: [Int]
  private let targetCounts: [Int]
  private let targets: SurvivorMap<SourceSpace, TargetSpace>
  private let sources: SurvivorMap<TargetSpace, SourceSpace>

  /// Creates the map of a delta; that of an empty delta maps every position to itself.
  init(_ delta: Delta) {
    delta.checkInvariants()
    (sourceCounts, targetCounts) = (delta.sourceItemCounts, delta.targetItemCounts)
    targets = delta.changes.targets(
      sourceCount: sourceCounts.count, targetCount: targetCounts.count)
    sources = delta.changes.sources(
      sourceCount: sourceCounts.count, targetCount: targetCounts.count)
  }

  private var isIdentity: Bool { sourceCounts.isEmpty && targetCounts.isEmpty }

  /// Returns the position in the target of an item of the source.
  ///
  /// - Parameter path: A position in the source.
  /// - Returns: The position in the target; `nil` if the item is deleted, or the source has no such
  ///   position.
  public func target(of path: ItemPath<SourceSpace>) -> ItemPath<TargetSpace>? {
    if isIdentity { return path.inSpace() }
    return Self.has(path, sourceCounts) ? targets.place(of: path) : nil
  }

  /// Returns the position in the source of an item of the target.
  ///
  /// - Parameter path: A position in the target.
  /// - Returns: The position in the source; `nil` if the item is inserted, or the target has no
  ///   such position.
  public func source(of path: ItemPath<TargetSpace>) -> ItemPath<SourceSpace>? {
    if isIdentity { return path.inSpace() }
    return Self.has(path, targetCounts) ? sources.place(of: path) : nil
  }

  /// Returns the index in the target of a section of the source.
  ///
  /// - Parameter section: A section of the source.
  /// - Returns: Its index in the target; `nil` if it is deleted, or the source has no such section.
  public func target(of section: SectionIndex<SourceSpace>) -> SectionIndex<TargetSpace>? {
    if isIdentity { return SectionIndex(section.index) }
    return Self.index(section.index, in: targets.sections)
  }

  /// Returns the index in the source of a section of the target.
  ///
  /// - Parameter section: A section of the target.
  /// - Returns: Its index in the source; `nil` if it is inserted, or the target has no such
  ///   section.
  public func source(of section: SectionIndex<TargetSpace>) -> SectionIndex<SourceSpace>? {
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
  /// A map between the positions of both versions.
  ///
  /// - Complexity: O(*c* log *c*) to create for *c* changes, O(log *c*) per lookup.
  public var indexMap: IndexMap { IndexMap(self) }
}
