import HTTP1
import Synchronization

/// What each principal may use; 0 stands for no limit.
package struct ShareLimits: Sendable, Hashable {
  /// Requests per second without initial loads, in bursts of at most one second's worth.
  package var requestsPerSecond = 0
  /// Initial loads per second: snapshots in answers, whatever was asked.
  package var snapshotsPerSecond = 0
  /// Milliseconds per second that views may take of the processor; what is over is owed.
  package var viewMillisecondsPerSecond = 0
  /// Requests that wait.
  package var waitingMax = 0
  /// Event streams.
  package var streamsMax = 0

  package init() {}

  var areNone: Bool { self == ShareLimits() }
}

/// Limits that hold until others replace them.
final class ShareRules: Sendable {
  let limits: ShareLimits
  private let areReplaced = Atomic(false)

  init(_ limits: ShareLimits) { self.limits = limits }

  var areCurrent: Bool { !areReplaced.load(ordering: .relaxed) }

  /// Marks them as replaced.
  func end() { areReplaced.store(true, ordering: .relaxed) }
}

/// What one principal uses.
final class Share: Sendable {
  /// What is limited per second; the raw value is its name in `RateLimit`.
  enum Rate: String {
    case requests, snapshots
  }

  /// What is limited at any time.
  enum Place {
    case waiting, streams
  }

  private let uptime: @Sendable () -> Duration
  private let state: Mutex<State>

  private struct State {
    var limits: ShareLimits
    var requests: TokenBucket
    var snapshots: TokenBucket
    var views: TokenBucket
    var waiting = 0
    var streams = 0

    init(_ limits: ShareLimits, now: Duration) {
      self.limits = limits
      requests = TokenBucket(rate: limits.requestsPerSecond, now: now)
      snapshots = TokenBucket(rate: limits.snapshotsPerSecond, now: now)
      views = TokenBucket(rate: limits.viewMillisecondsPerSecond, now: now)
    }
  }

  init(_ limits: ShareLimits, _ uptime: @escaping @Sendable () -> Duration) {
    self.uptime = uptime
    state = Mutex(State(limits, now: uptime()))
  }

  /// What the principal may use; when it changes, the places that are taken stay so.
  var limits: ShareLimits {
    get { state.withLock { $0.limits } }
    set {
      let now = uptime()
      state.withLock { state in
        let old = state
        state = State(newValue, now: now)
        (state.waiting, state.streams) = (old.waiting, old.streams)
      }
    }
  }

  /// Counts requests or snapshots; returns `nil` if they are allowed; otherwise the seconds until one is.
  func take(_ count: Int, _ rate: Rate) -> Int? {
    let now = uptime()
    return state.withLock { state in
      switch rate {
      case .requests: state.requests.take(count, at: now)
      case .snapshots: state.snapshots.take(count, at: now)
      }
    }
  }

  /// Returns the seconds until another view is allowed; `nil` if one is now.
  func secondsUntilView() -> Int? {
    let now = uptime()
    return state.withLock { $0.views.take(0, at: now) }
  }

  /// Counts what views took of the processor.
  func spend(_ duration: Duration) {
    let now = uptime()
    state.withLock { $0.views.owe(max(1, duration.microseconds / 1000), at: now) }
  }

  /// Takes a place until the result is released; `nil` if all are taken.
  func hold(_ place: Place) -> PlaceHold? {
    let isFree = state.withLock { state in
      let (path, limit) = Self.path(place, state.limits)
      guard limit == 0 || state[keyPath: path] < limit else { return false }
      state[keyPath: path] += 1
      return true
    }
    return isFree ? PlaceHold(share: self, place: place) : nil
  }

  fileprivate func release(_ place: Place) {
    state.withLock { $0[keyPath: Self.path(place, $0.limits).0] -= 1 }
  }

  private static func path(
    _ place: Place, _ limits: ShareLimits
  ) -> (WritableKeyPath<State, Int>, limit: Int) {
    switch place {
    case .waiting: (\.waiting, limits.waitingMax)
    case .streams: (\.streams, limits.streamsMax)
    }
  }

  /// Whether a new share would be the same.
  var isUnused: Bool {
    let now = uptime()
    return state.withLock { state in
      state.waiting == 0 && state.streams == 0 && state.requests.isFull(at: now)
        && state.snapshots.isFull(at: now) && state.views.isFull(at: now)
    }
  }
}

/// A place among the waiting requests or the streams of a principal, until it is released.
final class PlaceHold: Sendable {
  private let share: Share
  private let place: Share.Place

  fileprivate init(share: Share, place: Share.Place) {
    self.share = share
    self.place = place
  }

  deinit { share.release(place) }
}

/// The part of a share that a request counts against.
struct Budget: Sendable {
  /// The limits that it was found by.
  let rules: ShareRules
  /// The share of the principal; `nil` if there are no limits.
  let share: Share?
  var rate: Share.Rate

  /// Counts a request, or the snapshots that answer it.
  ///
  /// - Returns: `nil` if they are allowed; otherwise the seconds until one is.
  func take(_ count: Int = 1) -> Int? { share.flatMap { $0.take(count, rate) } }

  /// Counts a request, or the snapshots that answer it; throws `rate-limited`.
  func charge(_ count: Int = 1) throws(Problem) {
    guard let seconds = take(count) else { return }
    let limits = rules.limits
    let limit = rate == .requests ? limits.requestsPerSecond : limits.snapshotsPerSecond
    throw Problem(
      429, .rateLimited, "the limit of this credential is \(limit) \(rate.rawValue) per second",
      limit: limit, retryAfter: seconds
    ).rateLimited(rate.rawValue, limit, remaining: 0, policy: ";w=1", state: ";t=\(seconds)")
  }
}
