import DeltaEngine

/// How an update of one collection is shown.
struct PresentationPlan: Sendable {
  /// One batch.
  struct Stage: Sendable {
    var step: DeltaStep
    var itemCounts: [Int: Int]
    /// The reloaded items whose cells are kept, in the view's section numbers.
    var reconfigured: Set<ItemPath<BeforeSpace>> = []
    var animations: BatchAnimations
    /// Whether the view may animate it.
    var isAnimated = true
    /// Replaces the content by that after the batch.
    var applyContent: @MainActor @Sendable () -> Void
    /// Who animates alongside.
    var listener: AnimationListener?
  }

  /// The collection that the plan is of, where a synchronizer must know.
  var owner: (any SectionOwner)?
  /// The section that the plan is for; `nil` for all.
  var section: Int?
  /// The batches, in order.
  var stages: [Stage]
  /// Whether the view reloads everything instead.
  var reloadsAll: Bool
  /// Replaces the content by that after the update.
  var applyContent: @MainActor @Sendable () -> Void
  /// Called after each batch: another view may have been set, which is not told of the batch.
  var didPerformBatch: @MainActor @Sendable () -> Void = {}
  /// Whether the view still shows the collection; asked before each batch.
  var isShown: @MainActor @Sendable () -> Bool = { true }
  /// Called when the content was replaced and the view, if any, shows it.
  var completion: @MainActor @Sendable (Ending) -> Void

  /// How a plan ended.
  enum Ending: Sendable {
    /// The view performed the batches.
    case performed
    /// The view was reloaded, at once or instead of the remaining batches.
    case reloaded
    /// The view was released or shows something else: only the content changed.
    case notShown
  }

  /// Replaces the content without showing it.
  @MainActor func finishWithoutView() {
    applyContent()
    completion(.notShown)
  }
}
