/// A view that shows collections, each in its own section: a table, a collection view, a simulator,
/// lines of text.
///
/// It asks its data source for its content, as list views do. All members are called on the main
/// actor, one batch at a time.
@MainActor public protocol DeltaUpdatableView: AnyObject, Sendable {
  /// Whether batches can be performed: false off screen or without a size; the view is then
  /// reloaded.
  var canPerformBatches: Bool { get }

  /// Whether the view shows the headers in `batch.step.headers` again, without the cells of their sections.
  ///
  /// False unless implemented: a section whose header changed is then reloaded.
  var updatesHeaders: Bool { get }

  /// Shows the content of the data source without animation.
  func reloadData()

  /// Performs one batch.
  ///
  /// Call `batch.applyContent()` first inside the batch: it changes the data source from the
  /// content before the batch to that after it.
  ///
  /// - Parameters:
  ///   - batch: The operations, and the content that goes with them.
  ///   - completion: Call it when the batch is shown, from any thread, with `false` when its
  ///     animation was interrupted. Releasing it without calling it counts as an interruption.
  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void)
}

extension DeltaUpdatableView {
  /// False.
  public var updatesHeaders: Bool { false }
}

/// A view that only passes on to another view what it is told.
///
/// The collections that it is set as the view of retain it, so that nobody else has to. It holds
/// its own view weakly.
public protocol DeltaUpdatableViewAdapter: DeltaUpdatableView {}

/// A view that shows all sections of one collection.
public protocol SectionDeltaUpdatableView: DeltaUpdatableView {
  /// The number of sections that the view shows.
  ///
  /// If it is not that of the content before an update, the view is reloaded instead.
  var sectionCount: Int { get }
}
