import Authentication
import HTTP1
import Synchronization

/// The share of each principal, by its name.
final class Shares: Sendable {
  private let uptime: @Sendable () -> Duration
  private let state: Mutex<State>

  fileprivate struct State {
    var rules: ShareRules
    var shares: [String: Share] = [:]
    /// The number of shares above which unused ones are forgotten.
    var countMax = 10_000
  }

  init(_ limits: ShareLimits, uptime: @escaping @Sendable () -> Duration) {
    self.uptime = uptime
    state = Mutex(State(rules: ShareRules(limits)))
  }

  /// What each principal may use; may change at any time.
  var limits: ShareLimits {
    get { state.withLock { $0.rules.limits } }
    set {
      state.withLock { state in
        guard state.rules.limits != newValue else { return }
        state.rules.end()
        state.rules = ShareRules(newValue)
        for share in state.shares.values { share.limits = newValue }
      }
    }
  }

  /// Counts a request.
  ///
  /// - Parameters:
  ///   - request: Its head.
  ///   - route: Its resource.
  ///   - authorization: Its authorization; `nil` if it needed none.
  /// - Returns: What the request counts against; `nil` if it needed no authorization.
  /// - Throws: `rate-limited`.
  func charge(
    _ request: borrowing HTTPRequest, _ route: Route, _ authorization: Authorization?
  ) throws(Problem) -> Budget? {
    guard let authorization else { return nil }
    let (rules, share) = state.withLock { state in
      (
        state.rules,
        state.rules.limits.areThere ? state.share(authorization.principal.name, uptime) : nil
      )
    }
    let isLoad = rules.limits.snapshotsPerSecond > 0 && request.isInitialLoad(of: route)
    let budget = Budget(rules: rules, share: share, rate: isLoad ? .snapshots : .requests)
    try budget.charge()
    return budget
  }
}

extension Shares.State {
  fileprivate mutating func share(
    _ name: String, _ uptime: @escaping @Sendable () -> Duration
  ) -> Share {
    if let share = shares[name] { return share }
    if shares.count >= countMax {
      shares = shares.filter { !$1.isUnused }
      countMax = max(countMax, 2 * shares.count)
    }
    let share = Share(rules.limits, uptime)
    shares[name] = share
    return share
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

  /// Whether it asks for a whole snapshot rather than what changed; others may get one, too.
  fileprivate func isInitialLoad(of route: Route) -> Bool {
    switch route {
    case .collection: method == .get && field("if-none-match") == nil
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
  /// Counts the snapshots that answer the request, unless it was counted as an initial load when it
  /// came; refuses the request if the principal had too many.
  ///
  /// - Returns: Whether the request is still to be answered.
  mutating func mayLoad(_ snapshotCount: Int) -> Bool {
    do throws(Problem) {
      try chargeLoads(snapshotCount)
      return true
    } catch {
      reply(error)
      return false
    }
  }

  /// Counts the snapshots that answer the request, unless it was counted as an initial load when it
  /// came.
  ///
  /// - Throws: `rate-limited`.
  mutating func chargeLoads(_ snapshotCount: Int) throws(Problem) {
    guard snapshotCount > 0, !request.isHead, var loads = budget, loads.rate == .requests,
      loads.rules.limits.snapshotsPerSecond > 0
    else { return }
    loads.rate = .snapshots
    try loads.charge(snapshotCount)
    budget = loads
  }

  /// Takes a place in the principal's share for as long as the request exists.
  ///
  /// - Returns: Whether there is one.
  mutating func takePlace(_ place: Share.Place) -> Bool {
    guard let share = budget?.share else { return true }
    hold = share.hold(place)
    return hold != nil
  }

  /// Takes a place for a request that may wait.
  ///
  /// - Throws: `rate-limited`.
  mutating func takePlaceToWait() throws(Problem) {
    guard !takePlace(.waiting), let limit = budget?.share?.limits.waitingMax else { return }
    throw Problem(
      429, .rateLimited, "as many requests with this credential wait as may wait", limit: limit,
      retryAfter: 5
    ).rateLimited("waiting", limit, remaining: 0)
  }
}
