import VersionedCollections

/// A reader waiting for changes to some collections of one client; owned by its shard.
final class Waiter {
  /// The reasons to evaluate a waiter.
  enum Event {
    /// A collection has a new version or was created.
    case changed
    /// A collection was deleted; its last version.
    case deleted(VersionToken)
    /// The reader's connection is writable again.
    case writable
    /// The deadline has passed.
    case deadline
    /// The reader waits for changes no longer.
    case waitEnded
    /// The requirements have been loaded.
    case loaded
    /// The requirements could not be loaded.
    case failed(LoadFailure)

    var isLoaded: Bool { if case .loaded = self { true } else { false } }
  }

  /// The results of an evaluation.
  enum Outcome {
    /// The reader was answered.
    case done
    /// There is nothing to send; evaluate again at the deadline or on the next event.
    case wait(until: Duration)
    /// There is something to send once the requirements are loaded.
    case load(Requirements)
  }

  let id: UInt64
  let client: ClientState
  /// The collections it waits for.
  let names: [ResourceName]
  /// Reads the collections and answers if something changed.
  let evaluate: (Waiter.Event) -> Outcome
  /// Records the time spent waiting.
  let parkedTime: ParkedTime?
  /// Records how long it takes to wake it; nil unless the request is traced.
  let stages: RequestStages?
  /// The time of the next evaluation; the deadline queue may hold an earlier one.
  var deadline = Duration.zero
  /// The event it is queued for.
  var pendingEvent: Event?
  /// When the change happened that it is to be told of; nil if there is none.
  var notified: Duration?
  /// Whether its requirements are being loaded; it is evaluated afterwards.
  var isLoading = false

  init(
    id: UInt64, _ client: ClientState, names: [ResourceName], parkedTime: ParkedTime? = nil,
    stages: RequestStages? = nil,
    evaluate: @escaping (Event) -> Outcome
  ) {
    self.id = id
    self.client = client
    self.names = names
    self.parkedTime = parkedTime
    self.stages = stages
    self.evaluate = evaluate
  }
}
