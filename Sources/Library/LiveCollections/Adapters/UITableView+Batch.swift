#if canImport(UIKit) && !os(watchOS)
  import DeltaEngine
  import Foundation
  public import UIKit

  extension UITableView: AdaptableListView {
    var hasDataSource: Bool { dataSource != nil }

    /// Performs a batch, each operation with its animation.
    func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      let (kept, replaced) = batch.itemReloads
      batch.animate {
        performBatchUpdates {
          batch.applyContent()
          self.changeSections(batch.step, batch.animations)
          self.changeRows(batch.step, batch.animations, reloading: replaced)
        } completion: {
          completion($0)
        }
      }
      if !kept.isEmpty { reconfigureRows(at: kept.map { IndexPath($0.target) }) }
    }

    private func changeSections(_ step: DeltaStep, _ animations: BatchAnimations) {
      for (animation, sections) in step.delete.sections.grouped(by: animations.delete) {
        deleteSections(IndexSet(sections.map(\.index)), with: RowAnimation(animation))
      }
      for move in step.move.sections { moveSection(move.from.index, toSection: move.to.index) }
      for (animation, sections) in step.insert.sections.map(\.at).grouped(by: animations.insert) {
        insertSections(IndexSet(sections.map(\.index)), with: RowAnimation(animation))
      }
      for (animation, sections) in step.reload.sections.map(\.at).grouped(by: animations.reload) {
        reloadSections(IndexSet(sections.map(\.index)), with: RowAnimation(animation))
      }
    }

    private func changeRows(
      _ step: DeltaStep, _ animations: BatchAnimations, reloading reloads: [ItemReload]
    ) {
      for (animation, paths) in step.delete.items.grouped(by: animations.delete) {
        deleteRows(at: paths.map { IndexPath($0) }, with: RowAnimation(animation))
      }
      for move in step.move.items { moveRow(at: IndexPath(move.from), to: IndexPath(move.to)) }
      for (animation, paths) in step.insert.items.map(\.at).grouped(by: animations.insert) {
        insertRows(at: paths.map { IndexPath($0) }, with: RowAnimation(animation))
      }
      for (animation, paths) in reloads.map(\.at).grouped(by: animations.reload) {
        reloadRows(at: paths.map { IndexPath($0) }, with: RowAnimation(animation))
      }
    }
  }

  extension Array {
    /// The places by their animation: one call to the table for each animation, not one a row.
    fileprivate func grouped(
      by animation: (Element) -> TableViewAnimation
    ) -> [(TableViewAnimation, [Element])] {
      let groups = Dictionary(grouping: self, by: animation)
      return TableViewAnimation.allCases.compactMap { name in groups[name].map { (name, $0) } }
    }
  }

  extension UITableView.RowAnimation {
    /// The table's own name of an animation.
    init(_ animation: TableViewAnimation) {
      switch animation {
      case .automatic: self = .automatic
      case .fade: self = .fade
      case .right: self = .right
      case .left: self = .left
      case .top: self = .top
      case .bottom: self = .bottom
      case .middle: self = .middle
      case .none: self = .none
      }
    }
  }
#endif
