// The list views of UIKit and AppKit, by one name where they are alike.

import Foundation

#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// What list views are.
  public typealias PlatformView = UIView
  /// A table view of UIKit.
  public typealias PlatformTableView = UITableView
  /// Whom a table view of UIKit asks.
  public typealias PlatformTableViewDataSource = UITableViewDataSource
  /// A collection view of UIKit.
  public typealias PlatformCollectionView = UICollectionView
  /// Whom a collection view of UIKit asks.
  public typealias PlatformCollectionViewDataSource = UICollectionViewDataSource
  /// A diffable data source of a table view of UIKit.
  public typealias PlatformTableViewDiffableDataSource = UITableViewDiffableDataSource
  /// A diffable data source of a collection view of UIKit.
  public typealias PlatformCollectionViewDiffableDataSource = UICollectionViewDiffableDataSource
  /// How a collection view takes places.
  typealias PlatformIndexPaths = [IndexPath]

  extension UpdateBatch {
    /// Runs what performs the batch, with the view's animations or without.
    @MainActor func animate(_ perform: () -> Void) {
      if isAnimated { perform() } else { UIView.performWithoutAnimation(perform) }
    }
  }
#elseif canImport(AppKit)
  public import AppKit

  /// What list views are.
  public typealias PlatformView = NSView
  /// A table view of AppKit, which has no sections.
  public typealias PlatformTableView = NSTableView
  /// Whom a table view of AppKit asks.
  public typealias PlatformTableViewDataSource = NSTableViewDataSource
  /// A collection view of AppKit.
  public typealias PlatformCollectionView = NSCollectionView
  /// Whom a collection view of AppKit asks.
  public typealias PlatformCollectionViewDataSource = NSCollectionViewDataSource
  /// A diffable data source of a table view of AppKit.
  public typealias PlatformTableViewDiffableDataSource = NSTableViewDiffableDataSource
  /// A diffable data source of a collection view of AppKit.
  public typealias PlatformCollectionViewDiffableDataSource = NSCollectionViewDiffableDataSource
  /// How a collection view takes places.
  typealias PlatformIndexPaths = Set<IndexPath>

  extension UpdateBatch {
    /// Runs what performs the batch, with the view's animations or without.
    @MainActor func animate(_ perform: () -> Void) {
      if isAnimated { return perform() }
      NSAnimationContext.runAnimationGroup { context in
        context.duration = 0
        perform()
      }
    }
  }
#endif
