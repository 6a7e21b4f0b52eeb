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

/// What a collection shows beside its items.
open class UICollectionReusableView: UIView {}

/// A collection.
open class UICollectionView: UIListView<UICollectionViewCell> {
  /// Whom the collection asks.
  public weak var dataSource: (any UICollectionViewDataSource)?

  override func askForSections() -> Int { dataSource?.numberOfSections(in: self) ?? 0 }
  override func askForItems(_ section: Int) -> Int {
    dataSource?.collectionView(self, numberOfItemsInSection: section) ?? 0
  }
  override func askForCell(_ path: IndexPath) -> UICollectionViewCell {
    known(dataSource).collectionView(self, cellForItemAt: path)
  }

  /// The places of the items on screen, in any order.
  public var indexPathsForVisibleItems: [IndexPath] { visiblePaths.reversed() }
  /// How an item is laid out.
  public func layoutAttributesForItem(at path: IndexPath) -> UICollectionViewLayoutAttributes? {
    frame(path).map { UICollectionViewLayoutAttributes(frame: $0) }
  }

  /// The kind of a section's header.
  public class var elementKindSectionHeader: String { "header" }
  /// What the collection shows beside its items.
  public func supplementaryView(forElementKind elementKind: String, at indexPath: IndexPath)
    -> UICollectionReusableView?
  {
    list.note("\(elementKind) \(indexPath.section)")
    return UICollectionReusableView()
  }

  /// A cell of a kind: the one to be configured again, else another.
  public func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath)
    -> UICollectionViewCell
  { reusableCell(identifier, indexPath) }

  /// Deletes sections.
  public func deleteSections(_ sections: IndexSet) { list.deleteSections(sections) }
  /// Inserts sections.
  public func insertSections(_ sections: IndexSet) { list.insertSections(sections) }
  /// Reloads sections.
  public func reloadSections(_ sections: IndexSet) { list.reloadSections(sections) }
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

/// A data source of snapshots for a collection.
open class UICollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
  ListDiffableSource<UICollectionView, SectionIdentifierType, ItemIdentifierType>,
  UICollectionViewDataSource
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  /// Makes the cell of an item.
  public typealias CellProvider = (
    _ collectionView: UICollectionView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
  ) -> UICollectionViewCell?

  /// A data source for a collection.
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
    super.init(collectionView, cellProvider)
    collectionView.dataSource = self
  }

  /// Shows a snapshot.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) { show(snapshot, completion: completion) }

  /// Shows a snapshot with new cells.
  open func applySnapshotUsingReloadData(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) { show(snapshot, isReload: true, completion: completion) }

  /// How many items a section has.
  open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  { count(section) }
  /// The cell of an item.
  open func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  { cell(indexPath) }
}
