#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension CollectionDataReusableViewVerificationDelegate where Self: UITableViewDataSource {
    /// Whether the table that shows the collection still asks this data source.
    public func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool {
      (view as? TableViewAdapter)?.view?.dataSource === self
    }
  }

  extension CollectionDataReusableViewVerificationDelegate where Self: UICollectionViewDataSource {
    /// Whether the collection view that shows the collection still asks this data source.
    public func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool {
      (view as? CollectionViewAdapter)?.view?.dataSource === self
    }
  }
#endif
