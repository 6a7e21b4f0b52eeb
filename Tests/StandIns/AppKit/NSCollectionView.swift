public import Foundation
public import ListStandIn

/// Whom a collection view asks.
@MainActor public protocol NSCollectionViewDataSource: AnyObject {
  /// How many items a section has.
  func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int)
    -> Int
  /// What shows an item.
  func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem
  /// How many sections there are.
  func numberOfSections(in collectionView: NSCollectionView) -> Int
}

extension NSCollectionViewDataSource {
  /// One.
  public func numberOfSections(in collectionView: NSCollectionView) -> Int { 1 }
}

/// What shows an item.
open class NSCollectionViewItem: NSViewController {
  /// A label.
  public let textField: NSTextField? = NSTextField()
}

/// A collection view.
open class NSCollectionView: NSView {
  /// Whom the view asks.
  public weak var dataSource: (any NSCollectionViewDataSource)?
  /// What the view shows, and was told.
  public lazy var list: ListView<NSCollectionViewItem> = Items(self)

  /// How many sections the view shows.
  public var numberOfSections: Int { list.numberOfSections }

  /// Asks for everything.
  public func reloadData() { list.reloadData() }

  /// Runs a batch.
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil
  ) { list.runBatch(updates, completion: completionHandler) }

  /// Deletes sections.
  public func deleteSections(_ sections: IndexSet) {
    list.note("- sections", Array(sections))
    list.deleteSections(Array(sections))
  }
  /// Inserts sections.
  public func insertSections(_ sections: IndexSet) {
    list.note("+ sections", Array(sections))
    list.insertSections(Array(sections))
  }
  /// Reloads sections.
  public func reloadSections(_ sections: IndexSet) {
    list.note("~ sections", Array(sections))
    list.reloadSections(Array(sections))
  }
  /// Moves a section.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    list.note("> section \(section) \(newSection)")
    list.moveSection(from: section, to: newSection)
  }
  /// Deletes items.
  public func deleteItems(at indexPaths: Set<IndexPath>) {
    list.note("-", indexPaths.sorted().map(\.text))
    list.deleteItems(indexPaths.sorted())
  }
  /// Inserts items.
  public func insertItems(at indexPaths: Set<IndexPath>) {
    list.note("+", indexPaths.sorted().map(\.text))
    list.insertItems(indexPaths.sorted())
  }
  /// Reloads items.
  public func reloadItems(at indexPaths: Set<IndexPath>) {
    list.note("~", indexPaths.sorted().map(\.text))
    list.reloadItems(indexPaths.sorted())
  }
  /// Moves an item.
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    list.note("> \(indexPath.text) \(newIndexPath.text)")
    list.moveItem(from: indexPath, to: newIndexPath)
  }
}

private final class Items: ListView<NSCollectionViewItem> {
  private unowned let view: NSCollectionView

  init(_ view: NSCollectionView) {
    self.view = view
    super.init()
  }

  override func askForSections() -> Int { view.dataSource?.numberOfSections(in: view) ?? 0 }
  override func askForItems(_ section: Int) -> Int {
    view.dataSource?.collectionView(view, numberOfItemsInSection: section) ?? 0
  }
  override func askForCell(_ path: IndexPath) -> NSCollectionViewItem {
    known(view.dataSource).collectionView(view, itemForRepresentedObjectAt: path)
  }
}

/// A data source of snapshots for a collection view.
@MainActor
open class NSCollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
  NSCollectionViewDataSource
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  /// Makes what shows an item.
  public typealias ItemProvider = (
    _ collectionView: NSCollectionView, _ indexPath: IndexPath,
    _ itemIdentifier: ItemIdentifierType
  ) -> NSCollectionViewItem?

  private weak var view: NSCollectionView?
  private let provider: ItemProvider
  private let shown = DiffableCells<
    SectionIdentifierType, ItemIdentifierType, NSCollectionViewItem
  >()

  /// A data source for a collection view.
  public init(collectionView: NSCollectionView, itemProvider: @escaping ItemProvider) {
    view = collectionView
    provider = itemProvider
    collectionView.dataSource = self
  }

  /// What is shown.
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    shown.snapshot
  }

  /// Shows a snapshot.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool, completion: (() -> Void)? = nil
  ) {
    let view = known(view)
    view.list.note("apply")
    let cells = shown.cells(of: snapshot, shown: view.list.cells) { _, _, _, _ in
      fatalError("AppKit configures nothing again")
    } make: {
      known(self.provider(view, IndexPath(item: $1, section: $0), $2))
    }
    view.list.show(cells)
    completion?()
  }

  /// How many sections there are.
  open func numberOfSections(in collectionView: NSCollectionView) -> Int {
    shown.snapshot.numberOfSections
  }
  /// How many items a section has.
  open func collectionView(
    _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
  ) -> Int {
    shown.snapshot.itemIdentifiers(inSection: shown.snapshot.sectionIdentifiers[section]).count
  }
  /// What shows an item.
  open func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem {
    let section = shown.snapshot.sectionIdentifiers[indexPath.section]
    return known(
      provider(
        collectionView, indexPath,
        shown.snapshot.itemIdentifiers(inSection: section)[indexPath.item]))
  }
}
