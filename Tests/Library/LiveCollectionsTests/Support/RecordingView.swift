import DeltaEngine
import ListTestSupport
import LiveCollections

/// A view that notes what it is told, and what its data source answers before and after.
final class RecordingView: SectionDeltaUpdatableView {
  let journal = Journal<String>()
  private let animating: WorkQueue?
  private let content: @Sendable () -> String
  private let sections: @Sendable () -> Int
  let updatesHeaders: Bool
  private let state = Locked((canPerformBatches: true, isFinished: true, shownSections: 0))

  /// - Parameters:
  ///   - animating: Where batches complete; at once if `nil`.
  ///   - updatesHeaders: Whether headers are updated alone.
  ///   - sections: The number of sections.
  ///   - content: The data source.
  init(
    animating: WorkQueue? = nil, updatesHeaders: Bool = false,
    sections: @escaping @Sendable () -> Int = { 1 }, content: @escaping @Sendable () -> String
  ) {
    self.animating = animating
    self.updatesHeaders = updatesHeaders
    self.sections = sections
    self.content = content
  }

  convenience init(
    showing data: CollectionSectionData<Section>, animating: WorkQueue? = nil,
    updatesHeaders: Bool = false
  ) {
    self.init(animating: animating, updatesHeaders: updatesHeaders) { [weak data] in
      data?.sectionCount ?? 0
    } content: { [weak data] in
      text(data?.sections ?? [])
    }
  }

  convenience init(showing data: CollectionData<Item>, animating: WorkQueue? = nil) {
    self.init(animating: animating) { [weak data] in text(data?.items ?? []) }
  }

  var canPerformBatches: Bool {
    get { state.withLock { $0.canPerformBatches } }
    set { state.withLock { $0.canPerformBatches = newValue } }
  }

  var isFinished: Bool {
    get { state.withLock { $0.isFinished } }
    set { state.withLock { $0.isFinished = newValue } }
  }

  var sectionCount: Int { state.withLock { $0.shownSections } }

  func reloadData() {
    let count = sections()
    state.withLock { $0.shownSections = count }
    journal.note("reloadData \(content())")
  }

  func perform(
    _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
  ) {
    let before = content()
    batch.applyContent()
    let count = sections()
    state.withLock { $0.shownSections = count }
    journal.note("\(before) | \(notation(batch.step, keeping: batch.reconfigured)) | \(content())")
    let isFinished = isFinished
    if let animating { animating.async { completion(isFinished) } } else { completion(isFinished) }
  }
}

/// A step in few letters: `DS0 D0.1 MS0>1 M0.2>1.0 IS1 I0.2 RS0 HS1 R0.1 C0.2`, in this order; `C` is a
/// reload that keeps the cell, `HS` a header alone.
func notation(_ step: DeltaStep) -> String { notation(step, keeping: []) }

func notation(_ step: DeltaStep, keeping cells: Set<ItemPath<BeforeSpace>>) -> String {
  func path<Space>(_ path: ItemPath<Space>) -> String { "\(path.section).\(path.item)" }
  var parts = step.delete.sections.map { "DS\($0)" }
  parts += step.delete.items.map { "D\(path($0))" }
  parts += step.move.sections.map { "MS\($0.from)>\($0.to)" }
  parts += step.move.items.map { "M\(path($0.from))>\(path($0.to))" }
  parts += step.insert.sections.map { "IS\($0.at)" }
  parts += step.insert.items.map { "I\(path($0.at))" }
  parts += step.reload.sections.map { "RS\($0.at)" }
  parts += step.headers.map { "HS\($0)" }
  parts += step.reload.items.map {
    "\(cells.contains($0.at) ? "C" : "R")\(path($0.at))"
  }
  return parts.joined(separator: " ")
}
