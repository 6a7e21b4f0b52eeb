public import DeltaEngine

/// A strict stand-in for list views in tests, without a display.
///
/// It checks each batch against the content before and after it, with the engine's simulator, and
/// records what a list view would crash on or show wrongly: also a content that changes outside of
/// a batch, wrong counts, and overlapping batches.
public final class SimulatorView: SectionDeltaUpdatableView {
  private struct State: Sendable {
    var shown: ListStructure?
    var openSections: Set<Int> = []
    var isInsideBatch = false
    var canPerformBatches = true
    var isFinished = true
    var batchCount = 0
    var reloadCount = 0
    var faults: [ViewFault] = []
  }

  private let state = Locked(State())
  private let content: @Sendable () -> ListStructure
  /// Whether each section is a collection of its own.
  private let isDivided: Bool
  private let animating: WorkQueue?

  /// A view of a content.
  ///
  /// - Parameters:
  ///   - isDivided: Whether each section is a collection of its own.
  ///   - animating: Where batches complete; at once if `nil`.
  ///   - content: The data source: ids and contents as they are, numbered alike from call to call.
  public init(
    isDivided: Bool, animating: WorkQueue? = nil, content: @escaping @Sendable () -> ListStructure
  ) {
    self.isDivided = isDivided
    self.animating = animating
    self.content = content
  }

  /// Whether batches can be shown, as off screen they cannot.
  public var canPerformBatches: Bool {
    get { state.withLock { $0.canPerformBatches } }
    set { state.withLock { $0.canPerformBatches = newValue } }
  }

  /// What completions are called with: false for a view whose animations are interrupted.
  public var isFinished: Bool {
    get { state.withLock { $0.isFinished } }
    set { state.withLock { $0.isFinished = newValue } }
  }

  /// The number of sections shown.
  public var sectionCount: Int { state.withLock { $0.shown?.sections.count ?? 0 } }

  /// What is shown.
  public var structure: ListStructure? { state.withLock { $0.shown } }

  /// The number of batches performed.
  public var batchCount: Int { state.withLock { $0.batchCount } }

  /// How often everything was reloaded.
  public var reloadCount: Int { state.withLock { $0.reloadCount } }

  /// The faults so far.
  public var faults: [ViewFault] { state.withLock { $0.faults } }

  /// Shows the content.
  public func reloadData() {
    let structure = content()
    state.withLock {
      if $0.isInsideBatch { $0.faults.append(.reloadInsideBatch(batch: $0.batchCount)) }
      $0.shown = structure
      $0.reloadCount += 1
    }
  }

  /// Performs a batch and checks it.
  public func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    let sections = Set(batch.itemCounts.keys)
    note { () throws(ViewFault) in try self.open(sections) }
    let before = content()
    state.withLock { $0.isInsideBatch = true }
    batch.applyContent()
    state.withLock { $0.isInsideBatch = false }
    let after = content()
    note { () throws(ViewFault) in try self.judge(batch, before, after) }
    state.withLock {
      $0.shown = after
      $0.batchCount += 1
    }
    let finish: @Sendable () -> Void = {
      let isFinished = self.state.withLock { state in
        state.openSections.subtract(sections)
        return state.isFinished
      }
      completion(isFinished)
    }
    if let animating { animating.async(finish) } else { finish() }
  }

  private func open(_ sections: Set<Int>) throws(ViewFault) {
    let busy = state.withLock { state in
      defer { state.openSections.formUnion(sections) }
      return state.openSections.intersection(sections)
    }
    if !busy.isEmpty { throw .overlap(sections: busy.sorted()) }
  }

  private func judge(
    _ batch: UpdateBatch, _ before: ListStructure, _ after: ListStructure
  ) throws(ViewFault) {
    let (shown, number) = state.withLock { ($0.shown, $0.batchCount) }
    guard let shown else { throw .notLoaded }
    guard before == shown else { throw .changedOutsideOfBatch(batch: number) }
    for (section, count) in batch.itemCounts {
      guard after.sections.indices.contains(section), after.sections[section].items.count == count
      else { throw .counts(batch: number) }
    }
    let judge = BatchJudge(step: batch.step, before: before, after: after)
    do {
      if isDivided { try judge.checkEachSection() } else { try judge.check() }
    } catch {
      throw .law(LawViolation(law: error.law, step: number, reason: error.reason))
    }
  }

  private func note(_ body: () throws(ViewFault) -> Void) {
    do {
      try body()
    } catch {
      state.withLock { $0.faults.append(error) }
    }
  }
}
