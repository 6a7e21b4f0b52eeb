import DeltaEngine

/// How an update of one collection is shown.
struct PresentationPlan: Sendable {
  struct Stage: Sendable {
    var step: DeltaStep
    var itemCounts: [Int: Int]
    /// The reloaded items whose cells are kept, in the view's section numbers.
    var reconfigured: Set<ItemPath<BeforeSpace>> = []
    var animations: BatchAnimations
    var isAnimated = true
    var applyContent: @MainActor @Sendable () -> Void
    /// Who animates alongside.
    var listener: AnimationListener?
  }

  /// The collection that the plan is of, where a synchronizer must know.
  var owner: (any SectionOwner)?
  /// The section that the plan is for; `nil` for all.
  var section: Int?
  var stages: [Stage]
  /// Whether the view reloads everything instead.
  var reloadsAll: Bool
  var applyContent: @MainActor @Sendable () -> Void
  /// Called after each batch: another view may have been set, which is not told of the batch.
  var didPerformBatch: @MainActor @Sendable () -> Void = {}
  /// Whether the view still shows the collection; asked before each batch.
  var isShown: @MainActor @Sendable () -> Bool = { true }
  /// Finds the first visible row again after a batch or a reload, if it is kept where it is.
  var follow: RowFollower?
  /// Called when the content was replaced and the view, if any, shows it.
  var completion: @MainActor @Sendable (Ending) -> Void

  enum Ending: Sendable {
    /// The view performed the batches.
    case performed
    /// The view was reloaded, at once or instead of the remaining batches.
    case reloaded
    /// The view was released or shows something else: only the content changed.
    case notShown
  }

  @MainActor func finishWithoutView() {
    applyContent()
    completion(.notShown)
  }
}
