public import Foundation
public import ListStandIn

/// Whom a collection asks.
@MainActor public protocol UICollectionViewDataSource: AnyObject {
  /// How many items a section has.
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  /// The cell of an item.
  func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  /// How many sections there are.
  func numberOfSections(in collectionView: UICollectionView) -> Int
}

extension UICollectionViewDataSource {
  /// One.
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
}

/// How an item is laid out.
open class UICollectionViewLayoutAttributes {
  /// Where the item is.
  public var frame: CGRect
  /// An item at a place.
  init(frame: CGRect) { self.frame = frame }
}

/// A collection.
open class UICollectionView: UIScrollView {
  /// Whom the collection asks.
  public weak var dataSource: (any UICollectionViewDataSource)?
  /// What the collection shows, and was told.
  public lazy var list: ListView<UICollectionViewCell> = Items(self)

  /// The size of the items.
  open override var contentSize: CGSize { CGSize(width: 320, height: list.height) }
  /// The places of the items on screen, in any order.
  public var indexPathsForVisibleItems: [IndexPath] { list.visiblePaths(self).reversed() }
  /// How an item is laid out.
  public func layoutAttributesForItem(at path: IndexPath) -> UICollectionViewLayoutAttributes? {
    list.frame(path).map { UICollectionViewLayoutAttributes(frame: $0) }
  }

  /// How many sections the collection shows.
  public var numberOfSections: Int { list.numberOfSections }

  /// A cell of a kind: the one to be configured again, else another.
  public func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath)
    -> UICollectionViewCell
  {
    let kept = list.reconfiguredCell(at: indexPath)
    if let kept, kept.reuseIdentifier == identifier { return kept }
    return UICollectionViewCell(reuseIdentifier: identifier)
  }

  /// Asks for everything.
  public func reloadData() { list.reloadData() }

  /// Runs a batch.
  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    if !UIView.areAnimationsEnabled { list.note("without animation") }
    list.runBatch(updates, completion: completion)
  }

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
  public func deleteItems(at indexPaths: [IndexPath]) { list.deleteItems(indexPaths) }
  /// Inserts items.
  public func insertItems(at indexPaths: [IndexPath]) { list.insertItems(indexPaths) }
  /// Reloads items.
  public func reloadItems(at indexPaths: [IndexPath]) { list.reloadItems(indexPaths) }
  /// Moves an item.
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    list.moveItem(indexPath, to: newIndexPath)
  }
  /// Configures items again, in their cells.
  public func reconfigureItems(at indexPaths: [IndexPath]) { list.reconfigure(indexPaths) }
}

private final class Items: ListView<UICollectionViewCell> {
  private unowned let collection: UICollectionView

  init(_ collection: UICollectionView) {
    self.collection = collection
    super.init()
  }

  override func askForSections() -> Int {
    collection.dataSource?.numberOfSections(in: collection) ?? 0
  }
  override func askForItems(_ section: Int) -> Int {
    collection.dataSource?.collectionView(collection, numberOfItemsInSection: section) ?? 0
  }
  override func askForCell(_ path: IndexPath) -> UICollectionViewCell {
    known(collection.dataSource).collectionView(collection, cellForItemAt: path)
  }
}

/// A data source of snapshots for a collection.
@MainActor
open class UICollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
  UICollectionViewDataSource
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  /// Makes the cell of an item.
  public typealias CellProvider = (
    _ collectionView: UICollectionView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
  ) -> UICollectionViewCell?

  private weak var collection: UICollectionView?
  private let provider: CellProvider
  /// What the data source shows.
  public let shown = DiffableCells<
    SectionIdentifierType, ItemIdentifierType, UICollectionViewCell
  >()

  /// A data source for a collection.
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
    collection = collectionView
    provider = cellProvider
    collectionView.dataSource = self
  }

  /// What is shown.
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    shown.snapshot
  }

  /// Shows a snapshot.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) { show(snapshot, isReload: false, completion) }

  /// Shows a snapshot with new cells.
  open func applySnapshotUsingReloadData(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) { show(snapshot, isReload: true, completion) }

  private func show(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    isReload: Bool, _ completion: (() -> Void)?
  ) {
    let view = known(collection)
    shown.show(snapshot, in: view.list, isReload: isReload) { self.provider(view, $0, $1) }
    completion?()
  }

  /// How many items a section has.
  open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  { shown.count(section) }
  /// The cell of an item.
  open func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  { known(provider(collectionView, indexPath, shown.identifier(indexPath))) }
}
