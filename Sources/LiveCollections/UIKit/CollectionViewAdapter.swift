#if canImport(UIKit) && !os(watchOS)
  import DeltaEngine
  import Foundation
  public import UIKit

  /// A collection view as the view of a collection; the collection's delivery queue is the main
  /// queue.
  ///
  /// The layout decides on animations.
  public final class CollectionViewAdapter: SectionDeltaUpdatableView {
    private let collection: WeakView<UICollectionView>

    /// An adapter for a collection view, which it holds weakly.
    @MainActor public init(_ collection: UICollectionView) {
      self.collection = WeakView(collection)
    }

    @MainActor private static var shared = SharedAdapters<UICollectionView, CollectionViewAdapter>()

    /// The adapter of a view, the same for all collections that the view shows.
    @MainActor public static func adapter(of collection: UICollectionView) -> CollectionViewAdapter
    {
      shared.adapter(of: collection) { CollectionViewAdapter($0) }
    }

    /// Whom the view asks.
    @MainActor var dataSource: (any UICollectionViewDataSource)? { collection.view?.dataSource }

    /// Whether the view is on screen, has a size and a data source.
    public var canPerformBatches: Bool {
      MainActor.assumeIsolated {
        guard let collection = collection.view else { return false }
        return collection.window != nil && !collection.bounds.isEmpty
          && collection.dataSource != nil
      }
    }

    /// The number of sections that the view shows.
    public var sectionCount: Int {
      MainActor.assumeIsolated { collection.view?.numberOfSections ?? 0 }
    }

    /// Reloads the view.
    public func reloadData() {
      MainActor.assumeIsolated { collection.view?.reloadData() }
    }

    /// Performs a batch.
    public func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      MainActor.assumeIsolated {
        guard let collection = collection.view else {
          batch.applyContent()
          return completion(true)
        }
        collection.performBatchUpdates {
          batch.applyContent()
          Self.change(collection, batch.step)
        } completion: {
          completion($0)
        }
      }
    }

    @MainActor private static func change(_ collection: UICollectionView, _ step: DeltaStep) {
      collection.deleteSections(IndexSet(step.delete.sections.map(\.index)))
      collection.deleteItems(at: step.delete.items.map { IndexPath($0) })
      for move in step.move.sections {
        collection.moveSection(move.from.index, toSection: move.to.index)
      }
      for move in step.move.items {
        collection.moveItem(at: IndexPath(move.from), to: IndexPath(move.to))
      }
      collection.insertSections(IndexSet(step.insert.sections.map(\.at.index)))
      collection.insertItems(at: step.insert.items.map { IndexPath($0.at) })
      collection.reloadSections(IndexSet(step.reload.sections.map(\.at.index)))
      collection.reloadItems(at: step.reload.items.map { IndexPath($0.at) })
    }
  }
#endif
