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

  /// The name of the share of those without a credential, by where they are.
  static func stranger(at network: UInt64) -> String { "\0" + String(network, radix: 16) }

  /// Counts a request of somebody without a credential; returns whether it is allowed.
  func take(_ rate: Share.Rate, ofStrangerAt network: UInt64) -> Bool {
    let share = state.withLock { $0.share(Self.stranger(at: network), uptime) }
    return share.take(1, rate) == nil
  }

  /// Counts a request of a principal, and returns what it counts against; `nil` if it needed no authorization.
  func charge(
    _ request: borrowing HTTPRequest, _ route: Route, _ principal: String?
  ) throws(Problem) -> Budget? {
    guard let principal else { return nil }
    let (rules, share) = state.withLock { state in
      (
        state.rules,
        state.rules.limits.areNone ? nil : state.share(principal, uptime)
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
  /// Whether it asks for a whole snapshot rather than what changed; others may get one, too.
  fileprivate func isInitialLoad(of route: Route) -> Bool {
    switch route.kind {
    case .collection: method == .get && field("if-none-match") == nil
    case .delta:
      field("last-event-id") == nil
        && !(query ?? []).split(separator: UInt8(ascii: "&")).contains {
          ($0.starts(with: "since=".utf8) && $0.count > 6) || $0.starts(with: "from=".utf8)
            || ($0.starts(with: "lastEventId=".utf8) && $0.count > 12)
        }
    default: false
    }
  }
}
