extension Delta {
  /// Returns a single delta for this delta followed by another, with minimal moves.
  ///
  /// A delta contains neither contents nor identities. An item that the second delta changes back
  /// is therefore still reloaded, and one that the first deletes and the second inserts again is
  /// deleted and inserted. If both versions are available, prefer the direct delta.
  ///
  /// - Parameter next: A delta that starts from the version at which this one ends.
  /// - Returns: A delta from this one's source to the target of `next`.
  /// - Throws: `DeltaMismatch` if `next` starts from a version of a different shape.
  /// - Complexity: O(*n* log *c*) for *n* items and *c* changes.
  public func followed(by next: Delta) throws(DeltaMismatch) -> Delta {
    if isEmpty { return next }
    if next.isEmpty { return self }
    guard targetItemCounts == next.sourceItemCounts else {
      throw DeltaMismatch(
        reason: "the next delta starts from \(next.sourceItemCounts) items, "
          + "this one ends at \(targetItemCounts)")
    }
    let source = NumberedSection.numbered(sourceItemCounts)
    let middle = advanced(source, fresh: 1 << 30)
    let target = next.advanced(middle, fresh: 1 << 31)
    do {
      return try Delta(from: source, to: target, uniqueness: .promised)
    } catch {
      throw DeltaMismatch(reason: "\(error)")
    }
  }

  /// Applies the delta to a numbered version: inserted items get fresh numbers, changed ones are
  /// marked.
  private func advanced(_ sections: [NumberedSection], fresh: Int) -> [NumberedSection] {
    let map = indexMap
    let reloadedItems = Set(changes.reloadedItems.lazy.map { $0.target })
    let reloadedSections = Set(changes.reloadedSections.lazy.map { $0.target.index })
    let sources = changes.sourceSections(
      sourceCount: sourceItemCounts.count, targetCount: targetItemCounts.count)
    var number = fresh
    return targetItemCounts.enumerated().map { index, count in
      let source = Int(sources[index])
      let old = source < 0 ? nil : sections[source]
      number += 1
      let items = (0..<count).map { item -> NumberedItem in
        let path = ItemPath<TargetSpace>(section: index, item: item)
        number += 1
        guard let place = map.source(of: path) else {
          return NumberedItem(diffID: number, isChanged: false)
        }
        let item = sections[place.section].items[place.item]
        return NumberedItem(
          diffID: item.diffID, isChanged: item.isChanged || reloadedItems.contains(path))
      }
      return NumberedSection(
        diffID: old?.diffID ?? number - count,
        isChanged: old.map { $0.isChanged || reloadedSections.contains(index) } ?? false,
        items: items)
    }
  }
}

/// An item identified by its number in the first of several versions.
private struct NumberedItem: Diffable {
  var diffID: Int
  var isChanged: Bool
  func hasSameContent(as other: NumberedItem) -> Bool { isChanged == other.isChanged }
}

/// A section identified by its number in the first of several versions.
private struct NumberedSection: DiffableSection {
  var diffID: Int
  var isChanged: Bool
  var items: [NumberedItem]
  func hasSameContent(as other: NumberedSection) -> Bool { isChanged == other.isChanged }

  /// Creates a version of the given counts, numbered in order.
  static func numbered(_ counts: [Int]) -> [NumberedSection] {
    var number = 0
    return counts.enumerated().map { section, count in
      defer { number += count }
      return NumberedSection(
        diffID: section, isChanged: false,
        items: (number..<number + count).map { NumberedItem(diffID: $0, isChanged: false) })
    }
  }
}
