#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  extension CollectionDataReusableViewVerificationDelegate where Self: PlatformTableViewDataSource {
    /// Whether the table that shows the collection still asks this data source.
    public func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool {
      (view as? TableViewAdapter)?.view?.dataSource === self
    }
  }

  extension CollectionDataReusableViewVerificationDelegate
  where Self: PlatformCollectionViewDataSource {
    /// Whether the collection view that shows the collection still asks this data source.
    public func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool {
      (view as? CollectionViewAdapter)?.view?.dataSource === self
    }
  }
#endif
