#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  import DeltaEngine
  import Foundation

  extension NSTableView: AdaptableListView {
    var hasDataSource: Bool { dataSource != nil }

    /// 1: the table has no sections.
    var numberOfSections: Int { 1 }

    /// Performs a batch of the rows, as section 0; reloads the table for any other section.
    ///
    /// The table takes operations one after the other: deletions with indices before the batch,
    /// moves each with the indices after the one before, insertions with indices after the batch.
    func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      guard batch.itemCounts.count == 1, let count = batch.itemCounts[0],
        !batch.step.hasSectionOperations, batch.step.reload.sections.isEmpty
      else {
        batch.applyContent()
        reloadData()
        return completion(true)
      }
      NSAnimationContext.runAnimationGroup({ context in
        if !batch.isAnimated { context.duration = 0 }
        self.beginUpdates()
        batch.applyContent()
        self.change(batch, itemCount: count)
        self.endUpdates()
      }) { completion(true) }
    }

    private func change(_ batch: UpdateBatch, itemCount: Int) {
      let step = batch.step
      if let first = step.delete.items.first {
        removeRows(
          at: IndexSet(step.delete.items.map(\.item)),
          withAnimation: AnimationOptions(batch.animations.delete(first)))
      }
      let before = itemCount - step.insert.items.count + step.delete.items.count
      for move in step.sequentialMoves(itemCount: before) { moveRow(at: move.from, to: move.to) }
      if let first = step.insert.items.first {
        insertRows(
          at: IndexSet(step.insert.items.map(\.at.item)),
          withAnimation: AnimationOptions(batch.animations.insert(first.at)))
      }
      if step.reload.items.isEmpty { return }
      reloadData(
        forRowIndexes: IndexSet(step.reload.items.map(\.target.item)),
        columnIndexes: IndexSet(0..<numberOfColumns))
    }
  }

  extension NSTableView.AnimationOptions {
    /// The table's own name of an animation.
    init(_ animation: TableViewAnimation) {
      switch animation {
      case .automatic, .fade: self = .effectFade
      case .right: self = .slideRight
      case .left: self = .slideLeft
      case .top: self = .slideUp
      case .bottom: self = .slideDown
      case .middle: self = .effectGap
      case .none: self = []
      }
    }
  }
#endif
