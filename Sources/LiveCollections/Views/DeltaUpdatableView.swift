/// A view that shows collections, each in a section of its own: a table, a collection view, a
/// simulator, lines of text.
///
/// It asks its data source for what it shows, as list views do. All members are called on the
/// delivery queue of the collections that it shows, one batch at a time.
public protocol DeltaUpdatableView: AnyObject, Sendable {
  /// Whether batches can be shown: false off screen or without a size, where content is reloaded
  /// instead.
  var canPerformBatches: Bool { get }

  /// Forgets what is shown and asks the data source for everything.
  func reloadData()

  /// Performs one batch.
  ///
  /// Calls `batch.applyContent()` first thing inside the batch: before it the data source answers
  /// as before the step, after it as after the step.
  ///
  /// - Parameters:
  ///   - batch: The operations, and the content that goes with them.
  ///   - completion: To be called once the batch is shown, from any thread; with `false` when its
  ///     animation was interrupted. Releasing it without calling it counts as an interruption.
  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void)
}

/// A view that shows one collection with all its sections, which may come, go and move.
public protocol SectionDeltaUpdatableView: DeltaUpdatableView {
  /// The number of sections that the view shows.
  ///
  /// Where it is not what the collection believes, the view is reloaded before it gets a batch.
  var sectionCount: Int { get }
}
