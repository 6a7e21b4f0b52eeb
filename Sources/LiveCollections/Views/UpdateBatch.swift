public import DeltaEngine

/// What a view does at once: the operations, and the content that goes with them.
///
/// Deletes, reloads and the sources of moves are places in the content before the batch; inserts
/// and the destinations of moves, in the content after it. Operations are legal together in one
/// batch of a list view, in any order.
public struct UpdateBatch: Sendable {
  /// The operations, in the view's own section numbers.
  ///
  /// The view needs none of their `target` places: its data source answers for the content.
  public let step: DeltaStep

  /// The number of items after the batch in each section that the collections know of.
  public let itemCounts: [Int: Int]

  /// How to animate the operations, where the view can be told.
  public let animations: BatchAnimations

  private let content: @Sendable () -> Void

  /// A batch.
  ///
  /// - Parameters:
  ///   - step: The operations, in the view's own section numbers.
  ///   - itemCounts: The number of items after the batch, by section.
  ///   - animations: How to animate them.
  ///   - content: Puts the content after the batch in the place of the one before; once is enough.
  public init(
    step: DeltaStep, itemCounts: [Int: Int], animations: BatchAnimations = BatchAnimations(),
    content: @escaping @Sendable () -> Void
  ) {
    self.step = step
    self.itemCounts = itemCounts
    self.animations = animations
    self.content = content
  }

  /// Puts the content after the batch in the place of the one before.
  public func applyContent() { content() }
}
