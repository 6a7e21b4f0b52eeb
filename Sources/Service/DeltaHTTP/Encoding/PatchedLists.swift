import DeltaEngine
import VersionedCollections

/// Tracks the JSON pointer of each section and item while a patch changes the document.
struct PatchedLists {
  /// A section that the target does not have.
  struct RemovedSection {
    let index: SectionIndex<SourceSpace>
    /// Whether it contains items that move to other sections.
    let isLeft: Bool
  }

  let deletedSections: [RemovedSection]
  private let pairing: SectionPairing
  private var sections: EditRow
  /// The items of each target section, followed by those of each deleted section.
  private var rows: [EditRow]
  /// For each section of the source, the index of its row.
  private var rowOfSource: [Int]

  init(_ material: DeltaEncodingInput) {
    let changes = material.delta.changes
    let flags = EditFlags(material)
    let pairing = SectionPairing(material)
    self.pairing = pairing
    let left = Set(changes.movedItems.lazy.map(\.source.section))
    deletedSections = changes.deletedSections.map {
      RemovedSection(index: $0, isLeft: left.contains($0.index))
    }
    sections = EditRow(leaving: flags.leavingSections, arriving: flags.arrivingSections)
    rows = pairing.sources.enumerated().map { target, source in
      EditRow(
        leaving: source.map { flags.leavingItems[$0] } ?? [],
        arriving: flags.arrivingItems[target])
    }
    rowOfSource = pairing.targets.map { $0 ?? 0 }
    for section in deletedSections {
      rowOfSource[section.index.index] = rows.count
      rows.append(EditRow(leaving: flags.leavingItems[section.index.index], arriving: []))
    }
  }

  func isRemoved(_ source: Int) -> Bool { pairing.targets[source] == nil }

  func isAdded(_ target: Int) -> Bool { pairing.sources[target] == nil }

  mutating func remove(section: SectionIndex<SourceSpace>) -> String {
    "/sections/\(sections.remove(source: section.index))"
  }

  mutating func remove(_ section: RemovedSection) -> String { remove(section: section.index) }

  mutating func insert(section: SectionIndex<TargetSpace>) -> String {
    "/sections/\(sections.insert(target: section.index))"
  }

  /// Removes an item before any section has been removed, moved or inserted.
  mutating func remove(_ item: ItemPath<SourceSpace>) -> String {
    "/sections/\(item.section)/items/\(removeFromRow(item))"
  }

  /// Removes an item after sections have been moved.
  mutating func lift(_ item: ItemPath<SourceSpace>) -> String {
    let section =
      pairing.targets[item.section].map { sections.index(ofTarget: $0) }
      ?? sections.index(ofSource: item.section)
    return "/sections/\(section)/items/\(removeFromRow(item))"
  }

  private mutating func removeFromRow(_ item: ItemPath<SourceSpace>) -> Int {
    rows[rowOfSource[item.section]].remove(source: item.item)
  }

  mutating func insert(_ item: ItemPath<TargetSpace>) -> String {
    let section = sections.index(ofTarget: item.section)
    return "/sections/\(section)/items/\(rows[item.section].insert(target: item.item))"
  }
}

/// For each element of each list, whether it leaves its position or arrives there.
private struct EditFlags {
  var leavingSections: [Bool]
  var arrivingSections: [Bool]
  var leavingItems: [[Bool]]
  var arrivingItems: [[Bool]]

  init(_ material: DeltaEncodingInput) {
    let changes = material.delta.changes
    let target = material.target.sections
    leavingSections = [Bool](repeating: false, count: material.source.count)
    arrivingSections = [Bool](repeating: false, count: target.count)
    leavingItems = material.source.map { [Bool](repeating: false, count: $0.items.count) }
    arrivingItems = target.map { [Bool](repeating: false, count: $0.items.count) }
    for section in changes.deletedSections { leavingSections[section.index] = true }
    for section in changes.insertedSections { arrivingSections[section.index] = true }
    for pair in changes.movedSections {
      leavingSections[pair.source.index] = true
      arrivingSections[pair.target.index] = true
    }
    for path in changes.deletedItems { leavingItems[path.section][path.item] = true }
    for path in changes.insertedItems { arrivingItems[path.section][path.item] = true }
    for pair in changes.movedItems {
      leavingItems[pair.source.section][pair.source.item] = true
      arrivingItems[pair.target.section][pair.target.item] = true
    }
  }
}
