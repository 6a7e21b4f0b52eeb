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

/// How an item is laid out.
open class NSCollectionViewLayoutAttributes {
  /// Where the item is.
  public var frame: NSRect
  init(frame: NSRect) { self.frame = frame }
}

/// A collection view.
open class NSCollectionView: NSView, ListFace {
  /// Whom the view asks.
  public weak var dataSource: (any NSCollectionViewDataSource)?
  /// What the view shows, and was told.
  public lazy var list = ListView<NSCollectionViewItem>(
    sections: { [unowned self] in dataSource?.numberOfSections(in: self) ?? 0 },
    items: { [unowned self] in dataSource?.collectionView(self, numberOfItemsInSection: $0) ?? 0 },
    cell: { [unowned self] in
      known(dataSource).collectionView(self, itemForRepresentedObjectAt: $0)
    })

  override var contentHeight: CGFloat { 24 * CGFloat(list.cells.joined().count) }
  private func frame(_ path: IndexPath) -> NSRect {
    let items = list.cells[..<path[0]].joined().count + path[1]
    return NSRect(x: 0, y: 24 * CGFloat(items), width: 320, height: 24)
  }
  /// The places of the items that are visible, each 24 points high.
  public func indexPathsForVisibleItems() -> Set<IndexPath> {
    Set(
      list.cells.indices.flatMap { section in
        list.cells[section].indices.map { IndexPath(item: $0, section: section) }
      }.filter { frame($0).maxY > visibleRect.minY && frame($0).minY < visibleRect.maxY })
  }
  /// How an item is laid out.
  public func layoutAttributesForItem(at indexPath: IndexPath)
    -> NSCollectionViewLayoutAttributes?
  { NSCollectionViewLayoutAttributes(frame: frame(indexPath)) }

  /// How many sections the view shows.
  public var numberOfSections: Int { list.numberOfSections }

  /// Asks for everything.
  public func reloadData() { list.reloadData() }

  /// Runs a batch.
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil
  ) { list.runBatch(updates, completion: completionHandler) }

  /// Deletes sections.
  public func deleteSections(_ sections: IndexSet) { list.deleteSections(sections) }
  /// Inserts sections.
  public func insertSections(_ sections: IndexSet) { list.insertSections(sections) }
  /// Reloads sections.
  public func reloadSections(_ sections: IndexSet) { list.reloadSections(sections) }
  /// Moves a section.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    list.moveSection(section, to: newSection)
  }
  /// Deletes items.
  public func deleteItems(at indexPaths: Set<IndexPath>) { list.deleteItems(indexPaths.sorted()) }
  /// Inserts items.
  public func insertItems(at indexPaths: Set<IndexPath>) { list.insertItems(indexPaths.sorted()) }
  /// Reloads items.
  public func reloadItems(at indexPaths: Set<IndexPath>) { list.reloadItems(indexPaths.sorted()) }
  /// Moves an item.
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    list.moveItem(indexPath, to: newIndexPath)
  }
}

/// A data source of snapshots for a collection view.
open class NSCollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
  ListDiffableSource<NSCollectionView, SectionIdentifierType, ItemIdentifierType>,
  NSCollectionViewDataSource
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  /// Makes what shows an item.
  public typealias ItemProvider = (
    _ collectionView: NSCollectionView, _ indexPath: IndexPath,
    _ itemIdentifier: ItemIdentifierType
  ) -> NSCollectionViewItem?

  /// A data source for a collection view.
  public init(collectionView: NSCollectionView, itemProvider: @escaping ItemProvider) {
    super.init(collectionView, itemProvider)
    collectionView.dataSource = self
  }

  /// Shows a snapshot.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool, completion: (() -> Void)? = nil
  ) { show(snapshot, completion: completion) }

  /// How many sections there are.
  open func numberOfSections(in collectionView: NSCollectionView) -> Int {
    snapshot().numberOfSections
  }
  /// How many items a section has.
  open func collectionView(
    _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
  ) -> Int { count(section) }
  /// What shows an item.
  open func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem { cell(indexPath) }
}
