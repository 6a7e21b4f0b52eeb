#if canImport(UIKit) && !os(watchOS)
  import DeltaEngine
  import Foundation
  public import UIKit

  extension UICollectionView: AdaptableListView {
    /// Whether the view has a data source.
    public var hasDataSource: Bool { dataSource != nil }

    /// Performs a batch.
    public func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      performBatchUpdates {
        batch.applyContent()
        self.change(batch.step)
      } completion: {
        completion($0)
      }
    }

    private func change(_ step: DeltaStep) {
      deleteSections(IndexSet(step.delete.sections.map(\.index)))
      deleteItems(at: step.delete.items.map { IndexPath($0) })
      for move in step.move.sections { moveSection(move.from.index, toSection: move.to.index) }
      for move in step.move.items { moveItem(at: IndexPath(move.from), to: IndexPath(move.to)) }
      insertSections(IndexSet(step.insert.sections.map(\.at.index)))
      insertItems(at: step.insert.items.map { IndexPath($0.at) })
      reloadSections(IndexSet(step.reload.sections.map(\.at.index)))
      reloadItems(at: step.reload.items.map { IndexPath($0.at) })
    }
  }
#endif
