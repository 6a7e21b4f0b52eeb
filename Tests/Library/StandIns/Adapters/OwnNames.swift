// An app that uses another library beside ours: none of its names is ambiguous.

import LiveCollections
import OtherLibrary
import UIKit

@MainActor func ownNames(
  _ table: UITableView, _ collection: UICollectionView, _ batch: UpdateBatch,
  _ source: UITableViewDiffableDataSource<String, Int>
) {
  _ = (table.hasDataSource, table.visiblePaths, table.frame(at: IndexPath(indexes: [0, 0])))
  _ = (collection.hasDataSource, collection.visiblePaths)
  table.perform(batch) { _ in }
  collection.perform(batch) { _ in }
  source.show(source.snapshot(), isAnimated: true) {}
  let id: String = 1.uniqueID
  let text = "a".uniqueID
  _ = (id, text, 1.match(2), "a".match("b"))
  CollectionData([1, 2]).setTableView(table)
}
