import DeltaEngine

/// Takes updates from their callers to the view of a collection.
///
/// One update is under way at a time: it is calculated on the calculation queue, shown on the
/// delivery queue, and finished when the view has shown it. Updates that arrive meanwhile wait.
final class UpdatePipeline<Shape: ContentShape>: CollectionPipeline {
  typealias Element = Shape.Element

  struct State: Sendable {
    var queue = UpdateQueue<Element>()
    var settings = PresentationSettings<Shape>()
    /// What the update under way leads to, once that is known.
    var wanted: [Element]?
  }

  let store: ContentStore<Element>
  let queues: CollectionQueues
  /// Where contents are built: the factory's queue, or the calculation queue.
  let building: WorkQueue
  let diff: ContentDiff<Element>
  let state = Locked(State())

  init(
    _ content: [Element], queues: CollectionQueues, building: WorkQueue?,
    diff: @escaping ContentDiff<Element>
  ) {
    store = ContentStore(content)
    self.queues = queues
    self.building = building ?? queues.calculation
    self.diff = diff
  }

  var settings: PresentationSettings<Shape> {
    get { state.withLock { $0.settings } }
    // No setter: two writers of whole settings would undo each other.
  }

  func withSettings<Result: Sendable>(
    _ body: @Sendable (inout PresentationSettings<Shape>) -> Result
  ) -> Result {
    state.withLock { body(&$0.settings) }
  }
}

extension UpdatePipeline {
  /// The settings that collections of both shapes have.
  var commonSettings: CommonSettings { state.withLock { $0.settings.common } }

  /// Changes settings that collections of both shapes have.
  func changeCommonSettings(_ body: @Sendable (inout CommonSettings) -> Void) {
    state.withLock { body(&$0.settings.common) }
  }

  /// A content as the settings want it.
  func finished(_ content: [Element]) -> [Element] {
    Shape.finished(content, dropsEmptySections: settings.dropsEmptySections)
  }
}

// MARK: - The end of an update

extension UpdatePipeline {
  /// Ends an update, on the delivery queue: calls its completions, then the deletion delegate; then
  /// starts the next one.
  func finish(_ transition: Transition<Shape>, as presentation: AppliedUpdate.Presentation) {
    transition.report(AppliedUpdate(delta: transition.delta, presentation: presentation))
    announceDeletions(of: transition)
    setWanted(nil)
    if state.withLock({ $0.queue.finish() }) {
      startNext()
    } else if let delegate = settings.common.calculationDelegate {
      MainActor.assumeIsolated { delegate.collectionDataDidEndCalculating() }
    }
  }

  func announceDeletions(of transition: Transition<Shape>) {
    guard let delegate = settings.deletionDelegate else { return }
    let gone = transition.deletedItems
    if !gone.isEmpty { MainActor.assumeIsolated { delegate.didDeleteItems(gone) } }
  }

  func announceBegin() {
    guard settings.common.calculationDelegate != nil else { return }
    queues.delivery.deliver {
      self.settings.common.calculationDelegate?.collectionDataDidBeginCalculating()
    }
  }

  var isBusy: Bool { state.withLock { $0.queue.isBusy } }

  /// What the update under way leads to, once that is known.
  var wanted: [Element]? { state.withLock { $0.wanted } }

  /// Sets what the update under way leads to.
  func setWanted(_ content: [Element]?) {
    // The old content is released outside the lock.
    var content = content
    state.withLock { swap(&$0.wanted, &content) }
  }
}
