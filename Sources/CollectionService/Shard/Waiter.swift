/// A reader that waits for news of some collections of one client; owned by its shard.
final class Waiter {
  /// Why a waiter is asked to look again.
  enum Event {
    /// A collection has a new version, or is new.
    case changed
    /// A collection is gone; the last version it had.
    case deleted(VersionToken)
    /// The reader's connection takes something again.
    case writable
    /// The time is up, of one wait or another.
    case deadline
    /// What it needs is there.
    case loaded
    /// What it needs could not be loaded.
    case failed(LoadFailure)

    var isLoaded: Bool { if case .loaded = self { true } else { false } }
  }

  /// What comes of looking.
  enum Outcome {
    /// The reader got its answer.
    case done
    /// It waits on, until something happens or this time has come.
    case park(until: Duration)
    /// There is something to tell, once this is there.
    case load(Needs)
  }

  let id: UInt64
  let names: [ResourceName]
  /// Looks at the collections, and answers if there is something to tell.
  let look: (Waiter.Event) -> Outcome
  /// What the log calls its request.
  let requestID: RequestID?
  /// Where the time it waits is noted.
  let parkedTime: ParkedTime?
  /// When it is to be evaluated again if nothing happens; it may be queued for an earlier time.
  var deadline = Duration.zero
  /// What it is to be told when its turn comes.
  var pendingEvent: Event?
  /// Whether collections that it needs are being loaded; it is evaluated when they are.
  var isLoading = false

  init(
    id: UInt64, names: [ResourceName], requestID: RequestID? = nil, parkedTime: ParkedTime? = nil,
    look: @escaping (Event) -> Outcome
  ) {
    self.id = id
    self.names = names
    self.requestID = requestID
    self.parkedTime = parkedTime
    self.look = look
  }
}
