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

/// A view that shows a list of cells.
@MainActor public protocol ListFace: AnyObject {
  /// What shows an item.
  associatedtype Cell: AnyObject
  /// What the view shows, and was told.
  var list: ListView<Cell> { get }
}

/// A data source of snapshots for a view.
@MainActor
open class ListDiffableSource<Face: ListFace, SectionIdentifierType, ItemIdentifierType>
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  /// Makes what shows an item.
  public typealias Provider = (Face, IndexPath, ItemIdentifierType) -> Face.Cell?

  private weak var face: Face?
  private let provider: Provider
  /// What the data source shows.
  public let shown = DiffableCells<SectionIdentifierType, ItemIdentifierType, Face.Cell>()

  /// A data source for a view.
  public init(_ face: Face, _ provider: @escaping Provider) {
    (self.face, self.provider) = (face, provider)
  }

  /// What is shown.
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    shown.snapshot
  }

  /// Shows a snapshot.
  public func show(
    _ new: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    isReload: Bool = false, note: String? = nil, completion: (() -> Void)?
  ) {
    let (face, provider) = (known(face), provider)
    let list = face.list
    if let note { list.note(note) }
    list.note(isReload ? "reload" : "apply")
    let cells = shown.cells(of: new, shown: list.cells, isReload: isReload) {
      section, item, id, cell in
      let path = IndexPath(item: item, section: section)
      list.reconfigure(cell, at: path) { known(provider(face, path, id)) }
    } make: { section, item, id in
      known(provider(face, IndexPath(item: item, section: section), id))
    }
    list.show(cells)
    completion?()
  }

  /// How many items a section has.
  public func count(_ section: Int) -> Int {
    snapshot().itemIdentifiers(inSection: snapshot().sectionIdentifiers[section]).count
  }

  /// What shows the item at a place.
  public func cell(_ path: IndexPath) -> Face.Cell {
    let section = snapshot().sectionIdentifiers[path.section]
    return known(
      provider(known(face), path, snapshot().itemIdentifiers(inSection: section)[path.item]))
  }
}
