import Authentication
import HTTP1
import Synchronization

/// The share of each principal, by its name.
final class Shares: Sendable {
  private let limits: ShareLimits
  private let uptime: @Sendable () -> Duration
  private let state = Mutex(State())

  private struct State {
    var shares: [String: Share] = [:]
    /// The number of shares above which unused ones are forgotten.
    var countMax = 10_000
  }

  init(_ limits: ShareLimits, uptime: @escaping @Sendable () -> Duration) {
    self.limits = limits
    self.uptime = uptime
  }

  /// Counts a request.
  ///
  /// - Parameters:
  ///   - request: Its head.
  ///   - route: Its resource.
  ///   - authorization: Its authorization; `nil` if it needed none.
  /// - Returns: What the request counts against; `nil` if there are no limits.
  /// - Throws: `rate-limited`.
  func charge(
    _ request: borrowing HTTPRequest, _ route: Route, _ authorization: Authorization?
  ) throws(Problem) -> Budget? {
    guard limits.areThere, let authorization else { return nil }
    let isLoad = limits.snapshotsPerSecond > 0 && request.isInitialLoad(of: route)
    let budget = Budget(
      share: share(of: authorization.principal.name), rate: isLoad ? .snapshots : .requests)
    try budget.charge()
    return budget
  }

  private func share(of name: String) -> Share {
    state.withLock { state in
      if let share = state.shares[name] { return share }
      if state.shares.count >= state.countMax {
        state.shares = state.shares.filter { !$1.isUnused }
        state.countMax = max(state.countMax, 2 * state.shares.count)
      }
      let share = Share(limits, uptime)
      state.shares[name] = share
      return share
    }
  }
}

extension HTTPRequest {
  /// Whether its answer is a stream of events.
  func opensStream(of route: Route) -> Bool {
    switch route {
    case .changes, .delta, .sync: method == .get && acceptsEvents
    default: false
    }
  }

  /// Whether it asks for a whole snapshot rather than what changed.
  fileprivate func isInitialLoad(of route: Route) -> Bool {
    switch route {
    case .collection: method == .get
    case .delta:
      field("last-event-id") == nil
        && !(query ?? []).split(separator: UInt8(ascii: "&")).contains {
          ($0.starts(with: "since=".utf8) && $0.count > 6) || $0.starts(with: "from=".utf8)
        }
    default: false
    }
  }
}

extension RequestScope {
  /// Takes a place in the principal's share for as long as the request exists.
  ///
  /// - Returns: Whether there is one.
  mutating func takePlace(_ place: Share.Place) -> Bool {
    guard let budget else { return true }
    hold = budget.share.hold(place)
    return hold != nil
  }

  /// Takes a place for a request that may wait.
  ///
  /// - Throws: `rate-limited`.
  mutating func takePlaceToWait() throws(Problem) {
    guard !takePlace(.waiting), let limit = budget?.share.limits.waitingMax else { return }
    throw Problem(
      429, .rateLimited, "as many requests with this credential wait as may wait", limit: limit,
      retryAfter: 5
    ).rateLimited("waiting", limit, remaining: 0)
  }
}
