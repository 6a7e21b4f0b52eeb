import DeltaEngine
import Synchronization

/// Takes a collection's updates from their callers to its view.
///
/// One update is under way at a time: it is calculated on the calculation queue, shown on the
/// delivery queue, and over when the view has shown it. What arrives meanwhile waits in the line.
final class UpdatePipeline<Shape: ContentShape>: Sendable {
  typealias Element = Shape.Element
  typealias Diff = @Sendable ([Element], [Element]) throws(DuplicateIdentifier) -> Delta

  struct State: Sendable {
    var line = WaitingLine<Element>()
    var settings = PresentationSettings<Shape>()
  }

  let store: ContentStore<Element>
  let queues: CollectionQueues
  /// Where contents are built: the factory's queue, or the calculation queue.
  let building: WorkQueue
  let diff: Diff
  private let state = Mutex(State())

  init(_ content: [Element], queues: CollectionQueues, building: WorkQueue?, diff: @escaping Diff) {
    store = ContentStore(content)
    self.queues = queues
    self.building = building ?? queues.calculation
    self.diff = diff
  }

  /// The settings as they are now.
  var settings: PresentationSettings<Shape> {
    get { state.withLock { $0.settings } }
    // Whole settings are never written back: two writers would undo each other.
  }

  /// Changes settings.
  func withSettings<Result: Sendable>(
    _ body: @Sendable (inout PresentationSettings<Shape>) -> Result
  ) -> Result {
    state.withLock { body(&$0.settings) }
  }
}

// MARK: - Waiting updates

extension UpdatePipeline {
  /// Puts an update in the line.
  ///
  /// - Returns: Its number.
  func add(
    _ change: Operation<Element>.Change, ignoresDataCount: Bool = false,
    completion: (@Sendable (UpdateOutcome) -> Void)?
  ) -> Int {
    let (number, starts) = state.withLock {
      $0.line.add(change, ignoresDataCount: ignoresDataCount, completion: completion)
    }
    if starts {
      announceBegin()
      startNext()
    }
    return number
  }

  private func startNext() {
    building.async {
      let (operations, settings) = self.state.withLock { ($0.line.takeAll(), $0.settings) }
      let held = self.store.content
      let merged = MergedOperations(
        operations, held: held, finish: { Shape.finished($0, settings) },
        check: { content throws(DuplicateIdentifier) in _ = try self.diff([], content) })
      self.queues.calculation.async { self.calculate(merged, from: held, settings) }
    }
  }

  private func calculate(
    _ merged: MergedOperations<Element>, from held: [Element],
    _ settings: PresentationSettings<Shape>
  ) {
    var merged = merged
    var delta = delta(&merged, from: held, settings)
    let forced = merged.forcedReloads
    if !forced.isEmpty {
      delta = delta?.forcing(forced.items, itemCounts: Shape.itemCounts(merged.content))
    }
    let result = merged
    queues.delivery.async { [delta] in
      let transition = Transition<Shape>(
        source: held, target: result.content, delta: delta, forcedSections: forced.sections
      ) { self.report(result.outcomes($0)) }
      if result.isAccepted {
        self.present(transition)
      } else {
        self.finish(transition, as: .nothing)
      }
    }
  }

  /// The delta, unless the content is too large for one; rejects what would have an id twice.
  private func delta(
    _ merged: inout MergedOperations<Element>, from held: [Element],
    _ settings: PresentationSettings<Shape>
  ) -> Delta? {
    let limit = settings.dataCountAnimationThreshold
    let isTooLarge =
      !merged.ignoresDataCount
      && max(itemCount(held), itemCount(merged.content)) > limit
    do {
      if !isTooLarge { return try diff(held, merged.content) }
      _ = try diff([], merged.content)
      return nil
    } catch  where error.side == .target {
      merged.applyOneByOne {
        Shape.finished($0, settings)
      } _: { content throws(DuplicateIdentifier) in
        _ = try diff([], content)
      }
      return isTooLarge ? nil : try? diff(held, merged.content)
    } catch {
      // What is held has an id twice, as only the first content can: no delta starts from it.
      return nil
    }
  }

  private func itemCount(_ content: [Element]) -> Int {
    Shape.itemCounts(content).reduce(0, +)
  }

  private func report(
    _ outcomes: [(operation: Operation<Element>, outcome: UpdateOutcome)]
  ) {
    let delegate = settings.calculationDelegate
    for (operation, outcome) in outcomes {
      if case .rejected(let error) = outcome { delegate?.collectionDataDidReject(error) }
      operation.completion?(outcome)
    }
  }
}

// MARK: - Updates at once

extension UpdatePipeline {
  /// What became of an update that wants to be applied at once.
  enum Answer: Sendable {
    case done
    /// The content changed since the update was prepared.
    case stale
    /// An update is under way.
    case busy
  }

  /// Applies a prepared update: at once without a view; else it is shown as any other is.
  func commit(_ prepared: PreparedUpdate<Element>) -> Answer {
    let source = store.current
    guard source.revision == prepared.base else { return .stale }
    let (answer, hasView) = state.withLock { state in
      if state.line.isBusy { return (Answer.busy, false) }
      guard state.settings.view == nil else {
        let isCurrent = store.current.revision == prepared.base && state.line.occupy()
        return (isCurrent ? .done : .stale, true)
      }
      return (store.replace(by: prepared.content, at: prepared.base) ? .done : .stale, false)
    }
    guard answer == .done else { return answer }
    let transition = Transition<Shape>(
      source: source.content, target: prepared.content, delta: prepared.delta
    ) { _ in }
    if hasView {
      announceBegin()
      queues.delivery.async { self.present(transition) }
    } else if !prepared.delta.changes.removedItems.isEmpty, settings.deletionDelegate != nil {
      queues.delivery.async { self.announceDeletions(of: transition) }
    }
    return .done
  }
}

// MARK: - The end of an update

extension UpdatePipeline {
  /// Ends an update, on the delivery queue.
  ///
  /// Its callers hear of it, then those who want to know what is gone; then the next one starts.
  func finish(_ transition: Transition<Shape>, as presentation: AppliedUpdate.Presentation) {
    transition.report(AppliedUpdate(delta: transition.delta, presentation: presentation))
    announceDeletions(of: transition)
    if state.withLock({ $0.line.finish() }) {
      startNext()
    } else {
      settings.calculationDelegate?.collectionDataDidEndCalculating()
    }
  }

  private func announceDeletions(of transition: Transition<Shape>) {
    guard let delegate = settings.deletionDelegate else { return }
    let gone = transition.removedItems
    if !gone.isEmpty { delegate.didDeleteItems(gone) }
  }

  private func announceBegin() {
    guard settings.calculationDelegate != nil else { return }
    queues.delivery.async {
      self.settings.calculationDelegate?.collectionDataDidBeginCalculating()
    }
  }

  /// Whether an update is under way.
  var isBusy: Bool { state.withLock { $0.line.isBusy } }
}

// MARK: - Calculating only

extension UpdatePipeline {
  /// Calculates what a new content would change, and changes nothing.
  func calculateDelta(
    _ content: @escaping @Sendable ([Element]) -> [Element],
    completion: @escaping @Sendable (Result<Delta, DuplicateIdentifier>) -> Void
  ) {
    building.async {
      let held = self.store.content
      let new = content(held)
      self.queues.calculation.async {
        let result = Result { () throws(DuplicateIdentifier) in try self.diff(held, new) }
        self.queues.delivery.async { completion(result) }
      }
    }
  }
}
