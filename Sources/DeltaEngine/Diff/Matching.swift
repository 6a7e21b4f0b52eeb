/// Which section and which item of the source each one of the target is: the identities compared,
/// nothing decided yet about moves.
///
/// Items are numbered flat, section after section; `-1` stands for "not in the source".
@usableFromInline
struct Matching {
  /// Flat index of the first item of each source section, and the item count at the end.
  @usableFromInline var sourceStarts: [Int32]
  /// The same for the target.
  @usableFromInline var targetStarts: [Int32]
  /// Per target section: its index in the source, or -1.
  @usableFromInline var sourceSections: [Int32]
  /// Per target item: its flat index in the source, or -1.
  @usableFromInline var sourceItems: [Int32]
  /// Target sections in both versions whose header's content differs; ascending.
  @usableFromInline var changedSections: [Int32] = []
  /// Target items in both versions whose content differs; flat, ascending.
  @usableFromInline var changedItems: [Int32] = []

  @inlinable
  init<Section: DiffableSection>(
    from source: [Section], to target: [Section]
  ) throws(DuplicateIdentifier) {
    sourceStarts = Self.starts(of: source)
    targetStarts = Self.starts(of: target)
    sourceSections = []
    sourceItems = []
    try matchSections(source, target)
    try matchItems(source, target)
  }

  @inlinable
  static func starts<Section: DiffableSection>(of sections: [Section]) -> [Int32] {
    var starts: [Int32] = [0]
    starts.reserveCapacity(sections.count + 1)
    var total: Int32 = 0
    for section in sections {
      total += Int32(section.items.count)
      starts.append(total)
    }
    return starts
  }

  @inlinable
  mutating func matchSections<Section: DiffableSection>(
    _ source: [Section], _ target: [Section]
  ) throws(DuplicateIdentifier) {
    var indexOfID: [Section.DiffID: Int] = [:]
    indexOfID.reserveCapacity(source.count)
    for (index, section) in source.enumerated() {
      if let first = indexOfID.updateValue(index, forKey: section.diffID) {
        throw DuplicateIdentifier(
          kind: .section, side: .source, id: "\(section.diffID)", first: [first], second: [index])
      }
    }
    var seen: [Section.DiffID: Int] = [:]
    seen.reserveCapacity(target.count)
    sourceSections.reserveCapacity(target.count)
    for (index, section) in target.enumerated() {
      if let first = seen.updateValue(index, forKey: section.diffID) {
        throw DuplicateIdentifier(
          kind: .section, side: .target, id: "\(section.diffID)", first: [first], second: [index])
      }
      guard let match = indexOfID[section.diffID] else {
        sourceSections.append(-1)
        continue
      }
      sourceSections.append(Int32(match))
      if !section.hasSameContent(as: source[match]) { changedSections.append(Int32(index)) }
    }
  }

  @inlinable
  mutating func matchItems<Section: DiffableSection>(
    _ source: [Section], _ target: [Section]
  ) throws(DuplicateIdentifier) {
    var pathOfID: [Section.Item.DiffID: ItemPath<Source>] = [:]
    pathOfID.reserveCapacity(Int(sourceStarts[source.count]))
    for (s, section) in source.enumerated() {
      for (i, item) in section.items.enumerated() {
        let path = ItemPath<Source>(section: s, item: i)
        if let first = pathOfID.updateValue(path, forKey: item.diffID) {
          throw DuplicateIdentifier(
            kind: .item, side: .source, id: "\(item.diffID)",
            first: [first.section, first.item], second: [s, i])
        }
      }
    }
    var seen: [Section.Item.DiffID: ItemPath<Target>] = [:]
    seen.reserveCapacity(Int(targetStarts[target.count]))
    sourceItems.reserveCapacity(Int(targetStarts[target.count]))
    for (s, section) in target.enumerated() {
      for (i, item) in section.items.enumerated() {
        let path = ItemPath<Target>(section: s, item: i)
        if let first = seen.updateValue(path, forKey: item.diffID) {
          throw DuplicateIdentifier(
            kind: .item, side: .target, id: "\(item.diffID)",
            first: [first.section, first.item], second: [s, i])
        }
        guard let match = pathOfID[item.diffID] else {
          sourceItems.append(-1)
          continue
        }
        if !item.hasSameContent(as: source[match.section].items[match.item]) {
          changedItems.append(Int32(sourceItems.count))
        }
        sourceItems.append(sourceStarts[match.section] + Int32(match.item))
      }
    }
  }
}
