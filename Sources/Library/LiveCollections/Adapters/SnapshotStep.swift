import DeltaEngine

/// One batch of a delta as edits of a snapshot of identifiers.
struct SnapshotStep<SectionID: Hashable, ItemID: Hashable> {
  typealias Section = IdentifierSection<SectionID, ItemID>

  let step: DeltaStep
  let before: [Section]
  let after: [Section]
  let reconfigured: Set<ItemPath<BeforeSpace>>
  /// What else the snapshot has; `nil` for nothing.
  var surroundings: SnapshotSurroundings<SectionID>?

  /// Identifiers that are inserted or moved to a place after the step.
  struct Arrival<Place, ID> {
    let at: Place
    var ids: [ID]
    let isMoved: Bool
  }

  var deletedItems: [ItemID] { step.delete.items.map { before.identifier($0) } }

  var deletedSections: [SectionID] { step.delete.sections.map { before[$0.index].uniqueID } }

  /// The sections that arrive, ascending.
  var sections: [Arrival<Int, SectionID>] {
    let inserted = step.insert.sections.map {
      Arrival(at: $0.at.index, ids: [after[$0.at.index].uniqueID], isMoved: false)
    }
    let moved = step.move.sections.map {
      Arrival(at: $0.to.index, ids: [before[$0.from.index].uniqueID], isMoved: true)
    }
    return (inserted + moved).sorted { $0.at < $1.at }
  }

  /// The items that arrive one by one, ascending; neighbors that are inserted are one arrival.
  var items: [Arrival<ItemPath<AfterSpace>, ItemID>] {
    let inserted = step.insert.items.map {
      Arrival(at: $0.at, ids: [after.identifier($0.at)], isMoved: false)
    }
    let moved = step.move.items.map {
      Arrival(at: $0.to, ids: [before.identifier($0.from)], isMoved: true)
    }
    return (inserted + moved).sorted { $0.at < $1.at }.reduce(into: []) { runs, arrival in
      if let last = runs.last, !last.isMoved, !arrival.isMoved,
        last.at.section == arrival.at.section,
        last.at.item + last.ids.count == arrival.at.item
      {
        runs[runs.count - 1].ids += arrival.ids
      } else {
        runs.append(arrival)
      }
    }
  }

  /// The items that come with each inserted section: all but those that arrive one by one.
  var itemsOfNewSections: [(section: SectionID, items: [ItemID])] {
    let arriving = Set(step.insert.items.map(\.at) + step.move.items.map(\.to))
    return step.insert.sections.map { insert in
      let section = after[insert.at.index]
      let items = section.identifiers.enumerated().filter {
        !arriving.contains(ItemPath(section: insert.at.index, item: $0.offset))
      }
      return (section.uniqueID, items.map(\.element))
    }
  }

  /// The items with a new content, by how they are shown.
  var reloads: (kept: [ItemID], replaced: [ItemID]) {
    let paths = step.reload.items.map(\.at)
    return (
      paths.filter(reconfigured.contains).map { before.identifier($0) },
      paths.filter { !reconfigured.contains($0) }.map { before.identifier($0) }
    )
  }

  var reloadedSections: [SectionID] { step.reload.sections.map { before[$0.at.index].uniqueID } }
}

struct IdentifierSection<SectionID: Hashable, ItemID: Hashable>: UniquelyIdentifiableSection {
  struct Item: UniquelyIdentifiable {
    var uniqueID: ItemID
  }

  var uniqueID: SectionID
  var items: [Item]

  init(_ id: SectionID, items: [ItemID]) {
    uniqueID = id
    self.items = items.map { Item(uniqueID: $0) }
  }

  var identifiers: [ItemID] { items.map(\.uniqueID) }
}

extension Array {
  func identifier<SectionID, ItemID, Space>(_ path: ItemPath<Space>) -> ItemID
  where Element == IdentifierSection<SectionID, ItemID> {
    self[path.section].items[path.item].uniqueID
  }
}
