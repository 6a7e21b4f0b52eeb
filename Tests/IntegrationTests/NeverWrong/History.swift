import Synchronization

/// What happened, as those tell it who wrote and read.
struct Event: Sendable {
  enum What: Sendable {
    /// A write was acknowledged. `previous` is what it said came before, if it said so.
    case wrote(version: String, previous: String?, isChange: Bool?)
    /// A write whose answer was lost was sent again, and its first answer came again.
    case claimed(version: String)
    /// A write was refused: it must not show.
    case refused
    /// The answer to a write never came: it may have happened, once.
    case lost
    /// A version was deleted with its collection; not acknowledged, it may have been.
    case deleted(version: String, isAcknowledged: Bool)
    /// A reader was told something.
    case read(Reading)
    /// There was no collection.
    case missing
    /// Two collections that are always written together were seen at one moment.
    case pair(Int?, Int?)
    /// A pair that was written, and refused.
    case refusedPair(Int)
    /// Who acted saw a law broken.
    case fault(String)
  }

  /// What a reader was told.
  struct Reading: Sendable {
    enum Asked: Sendable {
      /// Nothing was held, or the content was asked for.
      case nothing
      /// A version that was told before.
      case held(String)
      /// A version that never was.
      case forged(String)
    }

    var asked: Asked
    var kind: String
    var reset: String?
    var version: String
    var content: KnownContent?
  }

  var collection: String
  var actor: String
  /// Moments: each is later than those before.
  var start: Int
  var end: Int
  var what: What
}

/// The events of a run of the server, and the clock that orders those of all runs.
final class History: Sendable {
  private struct State {
    var events: [Event] = []
    var wanted = Int.max
  }

  private let clock = Atomic<Int>(0)
  private let state = Mutex(State())
  private let enough: AsyncStream<Void>.Continuation
  private let arrivals: AsyncStream<Void>

  init() { (arrivals, enough) = AsyncStream.makeStream() }

  /// The moment that it is.
  func now() -> Int { clock.add(1, ordering: .sequentiallyConsistent).newValue }

  /// Adds what ended just now.
  func add(_ what: Event.What, of collection: String, by actor: String, since start: Int) {
    let isEnough = state.withLock { state in
      state.events.append(
        Event(collection: collection, actor: actor, start: start, end: now(), what: what))
      return state.events.count == state.wanted
    }
    if isEnough { enough.yield() }
  }

  /// Returns once so many events have been added.
  func until(_ count: Int) async {
    let isEnough = state.withLock { state in
      state.wanted = count
      return state.events.count >= count
    }
    if isEnough { return }
    for await _ in arrivals { return }
  }

  /// Takes the events out.
  func take() -> [Event] {
    state.withLock { state in
      defer { state = State() }
      return state.events
    }
  }
}
