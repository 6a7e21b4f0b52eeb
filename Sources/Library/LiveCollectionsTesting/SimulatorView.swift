public import DeltaEngine
public import LiveCollections

/// A strict stand-in for list views in tests, without a display.
///
/// It checks each batch against the content before and after it, with the engine's simulator, and
/// records what a list view would crash on or show wrongly: also a content that changes outside of
/// a batch, wrong counts, and overlapping batches.
public final class SimulatorView: SectionDeltaUpdatableView {
  private var openSections: Set<Int> = []
  private var isInsideBatch = false
  private let content: @Sendable () -> ListStructure
  /// Whether each section is a collection of its own.
  private let isDivided: Bool
  private let animating: WorkQueue?

  /// A view of a content.
  ///
  /// - Parameters:
  ///   - isDivided: Whether each section is a collection of its own.
  ///   - animating: Where batches complete, on the main actor; at once if `nil`.
  ///   - content: The data source: ids and contents as they are, numbered alike from call to call.
  public init(
    isDivided: Bool, animating: WorkQueue? = nil, content: @escaping @Sendable () -> ListStructure
  ) {
    self.isDivided = isDivided
    self.animating = animating
    self.content = content
  }

  /// Whether batches can be shown, as off screen they cannot.
  public var canPerformBatches = true

  /// Whether headers are updated alone, as in an adapter that was given a `headerUpdate`.
  public var updatesHeaders = false

  /// What completions are called with: false for a view whose animations are interrupted.
  public var isFinished = true

  /// The number of sections shown.
  public var sectionCount: Int { structure?.sections.count ?? 0 }

  /// What is shown.
  public private(set) var structure: ListStructure?

  /// The number of batches performed.
  public private(set) var batchCount = 0

  /// How often everything was reloaded.
  public private(set) var reloadCount = 0

  /// The faults so far.
  public private(set) var faults: [ViewFault] = []

  /// Shows the content.
  public func reloadData() {
    if isInsideBatch { faults.append(.reloadInsideBatch(batch: batchCount)) }
    structure = content()
    reloadCount += 1
  }

  /// Performs a batch and checks it.
  public func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    let sections = Set(batch.itemCounts.keys)
    let busy = openSections.intersection(sections)
    if !busy.isEmpty { faults.append(.overlap(sections: busy.sorted())) }
    openSections.formUnion(sections)
    let before = content()
    isInsideBatch = true
    batch.applyContent()
    isInsideBatch = false
    let after = content()
    if let fault = fault(in: batch, before, after) { faults.append(fault) }
    structure = after
    batchCount += 1
    let finish: @MainActor @Sendable () -> Void = {
      self.openSections.subtract(sections)
      completion(self.isFinished)
    }
    if let animating { animating.deliver(finish) } else { finish() }
  }

  private func fault(
    in batch: UpdateBatch, _ before: ListStructure, _ after: ListStructure
  ) -> ViewFault? {
    guard let structure else { return .notLoaded }
    guard before == structure else { return .changedOutsideOfBatch(batch: batchCount) }
    for (section, count) in batch.itemCounts {
      guard after.sections.indices.contains(section), after.sections[section].items.count == count
      else { return .counts(batch: batchCount) }
    }
    let judge = BatchJudge(step: batch.step, before: before, after: after)
    do {
      if isDivided { try judge.checkDivided() } else { try judge.check() }
    } catch {
      return .law(LawViolation(law: error.law, step: batchCount, reason: error.reason))
    }
    return nil
  }
}
