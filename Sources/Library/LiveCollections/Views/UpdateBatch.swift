public import DeltaEngine

/// One batch for a view: the operations, and the change of the content that goes with them.
///
/// Deletes, reloads and the sources of moves are places in the content before the batch; inserts
/// and the destinations of moves, in the content after it. Operations are legal together in one
/// batch of a list view, in any order.
public struct UpdateBatch: Sendable {
  /// The operations, in the view's own section numbers.
  ///
  /// The view needs none of their `target` places: its data source answers for the content.
  public let step: DeltaStep

  /// The number of items after the batch, by section of the collections in it.
  public let itemCounts: [Int: Int]

  /// The items of `step.reload` whose cells are kept and configured again, by a view that can: once
  /// the batch's other operations are made, at `target`, since nothing follows a batch with reloads.
  public let reconfigured: Set<ItemPath<BeforeSpace>>

  /// How to animate the operations, if the view supports it.
  public let animations: BatchAnimations

  /// Whether the view may animate the batch at all; moves too.
  public let isAnimated: Bool

  private let content: @MainActor @Sendable () -> Void

  /// A batch.
  ///
  /// - Parameters:
  ///   - step: The operations, in the view's own section numbers.
  ///   - itemCounts: The number of items after the batch, by section.
  ///   - reconfigured: The items of `step.reload` whose cells are kept.
  ///   - animations: How to animate them.
  ///   - isAnimated: Whether the view may animate it at all.
  ///   - content: Replaces the content by that after the batch; may be called more than once.
  public init(
    step: DeltaStep, itemCounts: [Int: Int], reconfigured: Set<ItemPath<BeforeSpace>> = [],
    animations: BatchAnimations = BatchAnimations(), isAnimated: Bool = true,
    content: @escaping @MainActor @Sendable () -> Void
  ) {
    self.step = step
    self.itemCounts = itemCounts
    self.reconfigured = reconfigured
    self.animations = animations
    self.isAnimated = isAnimated
    self.content = content
  }

  /// Replaces the content by that after the batch.
  @MainActor public func applyContent() { content() }
}

extension UpdateBatch {
  /// The reloaded items whose cells are kept, and those whose cells are replaced.
  var itemReloads: (kept: [ItemReload], replaced: [ItemReload]) {
    (
      step.reload.items.filter { reconfigured.contains($0.at) },
      step.reload.items.filter { !reconfigured.contains($0.at) }
    )
  }
}
