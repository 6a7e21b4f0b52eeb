#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UITableViewDiffableDataSource: DiffableDataSource {
    func show(
      _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
      isAnimated: Bool, completion: @escaping @Sendable () -> Void
    ) {
      if isAnimated {
        apply(snapshot, animatingDifferences: true) { completion() }
      } else {
        applySnapshotUsingReloadData(snapshot) { completion() }
      }
    }
  }

  extension UICollectionViewDiffableDataSource: DiffableDataSource {
    func show(
      _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
      isAnimated: Bool, completion: @escaping @Sendable () -> Void
    ) {
      if isAnimated {
        apply(snapshot, animatingDifferences: true) { completion() }
      } else {
        applySnapshotUsingReloadData(snapshot) { completion() }
      }
    }
  }
#elseif canImport(AppKit)
  public import AppKit

  extension NSTableViewDiffableDataSource: DiffableDataSource {
    func show(
      _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
      isAnimated: Bool, completion: @escaping @Sendable () -> Void
    ) {
      apply(snapshot, animatingDifferences: isAnimated) { completion() }
    }
  }

  extension NSCollectionViewDiffableDataSource: DiffableDataSource {
    func show(
      _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
      isAnimated: Bool, completion: @escaping @Sendable () -> Void
    ) {
      apply(snapshot, animatingDifferences: isAnimated) { completion() }
    }
  }
#endif
