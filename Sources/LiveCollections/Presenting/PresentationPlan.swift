import DeltaEngine

/// How one collection wants its update shown.
struct PresentationPlan: Sendable {
  /// One batch.
  struct Stage: Sendable {
    var step: DeltaStep
    var itemCounts: [Int: Int]
    var animations: BatchAnimations
    /// Puts the content after the batch in place, once.
    var applyContent: @Sendable () -> Void
    /// Tells who animates alongside.
    var listener: BatchAnnouncer.Listener?
  }

  /// The section that the plan is for; `nil` when it is for all.
  var section: Int?
  /// The batches, in order; none when everything is to be reloaded.
  var stages: [Stage]
  /// Whether the view is to reload everything instead.
  var reloadsAll: Bool
  /// Puts the content after the update in place, once.
  var applyContent: @Sendable () -> Void
  /// Whether the view still shows the collection; asked before each batch.
  var isShown: @Sendable () -> Bool = { true }
  /// Called on the delivery queue when the content after the update is in place, and shown if there
  /// is who shows it.
  var completion: @Sendable (Ending) -> Void

  /// How a plan ended.
  enum Ending: Sendable {
    /// The view was led through the batches.
    case led
    /// The view was reloaded, at once or in place of the batches that were left.
    case reloaded
    /// The view is gone or shows something else by now: only the content has changed.
    case notShown
  }

  /// For a view that is gone: content without batches.
  func finishWithoutView() {
    applyContent()
    completion(.notShown)
  }
}
