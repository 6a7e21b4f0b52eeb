import DeltaEngine
public import LiveCollections

/// A view for people to read: it writes its content and each batch as lines of text.
///
/// ```text
/// Now showing
///   0 Metropolis
///   1 Nosferatu
/// Coming soon
///   0 Sunrise
/// - [0, 1] Nosferatu
/// + [1, 0] Wings
/// > [0, 0] to [1, 2] Metropolis
/// ~ [1, 1] Sunrise (restored)
/// ```
///
/// `-` is a deletion, `+` an insertion, `>` a move, `~` a reload. Places of deletions and reloads
/// and the first of a move are those before the batch, the others after it.
public final class TextListView: SectionDeltaUpdatableView {
  /// A section as text.
  public nonisolated struct Section: Hashable, Sendable {
    /// The header's line.
    public var header: String
    /// A line for each row.
    public var rows: [String]

    /// A section as text.
    public init(header: String, rows: [String]) {
      self.header = header
      self.rows = rows
    }
  }

  private let content: @Sendable () -> [Section]
  private let write: @Sendable (String) -> Void
  private let animating: WorkQueue?
  private let showsAnimations: Bool

  /// A view of a content.
  ///
  /// - Parameters:
  ///   - showsAnimations: Whether each line ends with how its operation is animated.
  ///   - animating: Where batches complete; at once if `nil`.
  ///   - write: Takes each line, without a line end.
  ///   - content: The data source.
  public init(
    showsAnimations: Bool = false, animating: WorkQueue? = nil,
    write: @escaping @Sendable (String) -> Void, content: @escaping @Sendable () -> [Section]
  ) {
    self.showsAnimations = showsAnimations
    self.animating = animating
    self.write = write
    self.content = content
  }

  /// Always true.
  public var canPerformBatches: Bool { true }

  /// What is shown.
  public private(set) var shownSections: [Section] = []

  /// The number of sections shown.
  public var sectionCount: Int { shownSections.count }

  /// Writes everything that is shown.
  public func reloadData() {
    shownSections = content()
    for section in shownSections {
      write(section.header)
      for (index, row) in section.rows.enumerated() { write("  \(index) \(row)") }
    }
  }

  /// Writes a batch, a line for each operation.
  public func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    let before = shownSections
    batch.applyContent()
    shownSections = content()
    let lines = BatchLines(batch: batch, before: before, after: shownSections)
    for line in lines.lines(showsAnimations: showsAnimations) { write(line) }
    if let animating { animating.async { completion(true) } } else { completion(true) }
  }
}
