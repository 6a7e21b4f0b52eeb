/// A reader that waits for news of some collections of one client; owned by its shard.
final class Waiter {
  /// Why a waiter is evaluated.
  enum Event {
    /// A collection has a new version, or was created.
    case changed
    /// A collection was deleted; the last version it had.
    case deleted(VersionToken)
    /// The reader's connection takes something again.
    case writable
    /// A deadline has passed.
    case deadline
    /// What it requires is loaded.
    case loaded
    /// What it requires could not be loaded.
    case failed(LoadFailure)

    var isLoaded: Bool { if case .loaded = self { true } else { false } }
  }

  /// What comes of an evaluation.
  enum Outcome {
    /// The reader got its answer.
    case done
    /// There is nothing to tell until something happens or this time has come.
    case wait(until: Duration)
    /// There is something to tell, once this is loaded.
    case load(Requirements)
  }

  let id: UInt64
  let client: ClientState
  /// The collections that it waits for.
  let names: [ResourceName]
  /// Reads the collections, and answers if there is something to tell.
  let evaluate: (Waiter.Event) -> Outcome
  /// Where the time it waits is noted.
  let parkedTime: ParkedTime?
  /// When it is to be evaluated again if nothing happens; it may be queued for an earlier time.
  var deadline = Duration.zero
  /// What it is to be evaluated for when its turn comes.
  var pendingEvent: Event?
  /// Whether what it requires is being loaded; it is evaluated when that is done.
  var isLoading = false

  init(
    id: UInt64, _ client: ClientState, names: [ResourceName], parkedTime: ParkedTime? = nil,
    evaluate: @escaping (Event) -> Outcome
  ) {
    self.id = id
    self.client = client
    self.names = names
    self.parkedTime = parkedTime
    self.evaluate = evaluate
  }
}
