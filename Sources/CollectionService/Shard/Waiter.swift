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
  }

  /// What comes of looking.
  enum Outcome {
    /// The reader got its answer.
    case done
    /// It waits on, until something happens or this time has come.
    case park(until: Duration)
  }

  let id: UInt64
  let names: [ResourceName]
  /// Looks at the collections, and answers if there is something to tell.
  let look: (Waiter.Event) -> Outcome
  /// Where the time it waits is noted.
  let parkedTime: ParkedTime?
  /// The deadline that it is in the queue for.
  var deadline: Duration?

  init(
    id: UInt64, names: [ResourceName], parkedTime: ParkedTime? = nil,
    look: @escaping (Event) -> Outcome
  ) {
    self.id = id
    self.names = names
    self.parkedTime = parkedTime
    self.look = look
  }
}
