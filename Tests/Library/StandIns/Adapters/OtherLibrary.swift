// Another library's members of the system's views and values, under names that ours use for theirs.

package import LiveCollections
package import UIKit

extension UITableView {
  package var hasDataSource: Bool { dataSource != nil }
  package var visiblePaths: [IndexPath] { indexPathsForVisibleRows ?? [] }
  package func frame(at path: IndexPath) -> CGRect? { rectForRow(at: path) }
  package func perform(_ batch: UpdateBatch, completion: @escaping @Sendable (Bool) -> Void) {
    completion(hasDataSource)
  }
}

extension UICollectionView {
  package var hasDataSource: Bool { dataSource != nil }
  package var visiblePaths: [IndexPath] { indexPathsForVisibleItems }
  package func frame(at path: IndexPath) -> CGRect? { nil }
  package func perform(_ batch: UpdateBatch, completion: @escaping @Sendable (Bool) -> Void) {
    completion(hasDataSource)
  }
}

extension UITableViewDiffableDataSource {
  package func show(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    isAnimated: Bool, completion: @escaping @Sendable () -> Void
  ) {}
}

extension Int {
  package var uniqueID: String { "number \(self)" }
  package func match(_ other: Int) -> Bool { self == other }
}

extension String {
  package var uniqueID: String { self + self }
  package func match(_ other: String) -> Bool { self == other }
}
