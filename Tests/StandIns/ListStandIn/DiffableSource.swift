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
