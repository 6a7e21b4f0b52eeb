#if canImport(UIKit) && !os(watchOS)
  import DeltaEngine
  import Foundation
  public import UIKit

  extension UITableView: AdaptableListView {
    /// Whether the view has a data source.
    public var hasDataSource: Bool { dataSource != nil }

    /// Performs a batch, each operation with its animation.
    public func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      performBatchUpdates {
        batch.applyContent()
        self.changeSections(batch.step, batch.animations)
        self.changeRows(batch.step, batch.animations)
      } completion: {
        completion($0)
      }
    }

    private func changeSections(_ step: DeltaStep, _ animations: BatchAnimations) {
      for section in step.delete.sections {
        deleteSections([section.index], with: RowAnimation(animations.delete(section)))
      }
      for move in step.move.sections { moveSection(move.from.index, toSection: move.to.index) }
      for insert in step.insert.sections {
        insertSections([insert.at.index], with: RowAnimation(animations.insert(insert.at)))
      }
      for reload in step.reload.sections {
        reloadSections([reload.at.index], with: RowAnimation(animations.reload(reload.at)))
      }
    }

    private func changeRows(_ step: DeltaStep, _ animations: BatchAnimations) {
      for path in step.delete.items {
        deleteRows(at: [IndexPath(path)], with: RowAnimation(animations.delete(path)))
      }
      for move in step.move.items { moveRow(at: IndexPath(move.from), to: IndexPath(move.to)) }
      for insert in step.insert.items {
        insertRows(at: [IndexPath(insert.at)], with: RowAnimation(animations.insert(insert.at)))
      }
      for reload in step.reload.items {
        reloadRows(at: [IndexPath(reload.at)], with: RowAnimation(animations.reload(reload.at)))
      }
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
