public import Foundation

/// What diffable data sources have in common: the snapshot, and the cells of its items.
@MainActor public final class DiffableCells<SectionIdentifierType, ItemIdentifierType, Cell>
where SectionIdentifierType: Hashable, ItemIdentifierType: Hashable, Cell: AnyObject {
  /// The type of the snapshots.
  public typealias Snapshot = NSDiffableDataSourceSnapshot<
    SectionIdentifierType, ItemIdentifierType
  >

  /// What is shown.
  public private(set) var snapshot = Snapshot()
  /// The edits of each snapshot since the one before.
  public private(set) var edits: [[String]] = []

  /// Nothing.
  public nonisolated init() {}

  /// The cells of a snapshot: those shown, but for what is new or reloaded.
  ///
  /// - Parameters:
  ///   - new: The snapshot.
  ///   - shown: The cells shown.
  ///   - isReload: Whether all cells are new.
  ///   - configure: Asks again for the cell of an item, and gives the one it has.
  ///   - make: Makes the cell of an item.
  /// - Returns: The cells, by section.
  public func cells(
    of new: Snapshot, shown: [[Cell]], isReload: Bool = false,
    configure: (_ section: Int, _ item: Int, ItemIdentifierType, Cell) -> Void,
    make: (_ section: Int, _ item: Int, ItemIdentifierType) -> Cell
  ) -> [[Cell]] {
    let old = snapshot
    edits.append(new.edits)
    snapshot = new
    snapshot.settle()
    var known = Dictionary(
      uniqueKeysWithValues: zip(old.itemIdentifiers, shown.flatMap { $0 }))
    if isReload { known = [:] }
    for id in new.reloadedItemIdentifiers { known[id] = nil }
    for section in new.reloadedSectionIdentifiers {
      for id in new.itemIdentifiers(inSection: section) { known[id] = nil }
    }
    return new.sectionIdentifiers.enumerated().map { section, name in
      new.itemIdentifiers(inSection: name).enumerated().map { item, id in
        guard let cell = known[id] else { return make(section, item, id) }
        if new.reconfigured.contains(id) { configure(section, item, id, cell) }
        return cell
      }
    }
  }
}

extension DiffableCells {
  /// Shows a snapshot in a list.
  ///
  /// - Parameters:
  ///   - new: The snapshot.
  ///   - list: The list.
  ///   - isReload: Whether all cells are new.
  ///   - provider: The data source's cell of an item.
  public func show(
    _ new: Snapshot, in list: ListView<Cell>, isReload: Bool = false,
    provider: @escaping (IndexPath, ItemIdentifierType) -> Cell?
  ) {
    list.note(isReload ? "reload" : "apply")
    let cells = cells(of: new, shown: list.cells, isReload: isReload) { section, item, id, cell in
      let path = IndexPath(item: item, section: section)
      list.reconfigure(cell, at: path) { known(provider(path, id)) }
    } make: { section, item, id in
      known(provider(IndexPath(item: item, section: section), id))
    }
    list.show(cells)
  }

  /// How many items a section has.
  public func count(_ section: Int) -> Int {
    snapshot.itemIdentifiers(inSection: snapshot.sectionIdentifiers[section]).count
  }

  /// The item at a place.
  public func identifier(_ path: IndexPath) -> ItemIdentifierType {
    snapshot.itemIdentifiers(inSection: snapshot.sectionIdentifiers[path.section])[path.item]
  }
}
