#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import DeltaEngine
  import Foundation

  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  extension PlatformCollectionView: AdaptableListView {
    var hasDataSource: Bool { dataSource != nil }

    func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      #if canImport(UIKit)
        let (kept, replaced) = batch.itemReloads
      #else
        let replaced = batch.step.reload.items
      #endif
      batch.animate {
        performBatchUpdates({
          batch.applyContent()
          self.change(batch.step, reloading: replaced)
        }) { completion($0) }
      }
      #if canImport(UIKit)
        if !kept.isEmpty { reconfigureItems(at: kept.map { IndexPath($0.target) }) }
      #endif
    }

    private func change(_ step: DeltaStep, reloading reloads: [ItemReload]) {
      deleteSections(IndexSet(step.delete.sections.map(\.index)))
      deleteItems(at: PlatformIndexPaths(step.delete.items.map { IndexPath($0) }))
      for move in step.move.sections { moveSection(move.from.index, toSection: move.to.index) }
      for move in step.move.items { moveItem(at: IndexPath(move.from), to: IndexPath(move.to)) }
      insertSections(IndexSet(step.insert.sections.map(\.at.index)))
      insertItems(at: PlatformIndexPaths(step.insert.items.map { IndexPath($0.at) }))
      reloadSections(IndexSet(step.reload.sections.map(\.at.index)))
      reloadItems(at: PlatformIndexPaths(reloads.map { IndexPath($0.at) }))
    }
  }
#endif
