/// The authorization of a request: what it requires, and on whose credential it was authorized.
///
/// What waits or lives long is looked at again with it: ``refusal()`` tells whether the request would still
/// be authorized.
package struct Authorization: Sendable {
  /// Who sent the request.
  package let principal: Principal
  private let requirement: Requirement
  /// What was required of it later: most requests have none, and take no memory for it.
  private var laterRequirements: [Requirement] = []
  private let credentials: Credentials
  private let watches: Watches<Authorization>
  /// The backend's part in it; nil for a key or a token.
  private let basis: Basis?
  /// When the backend is asked again, in seconds since 1970.
  private var recheckAt: Int64 = 0

  /// The question that the backend answered; one pointer, since authorizations are copied often.
  final class Basis: Sendable {
    let question: ForwardQuestion
    /// When the request came, in seconds since 1970.
    let since: Int64

    init(_ question: ForwardQuestion, since: Int64) {
      self.question = question
      self.since = since
    }
  }

  /// Seconds that a request waits or streams at least before the backend is asked about it again.
  private static let recheckSecondsMin: Int64 = 5
  /// Seconds that a request waits at least for the backend to answer about it again.
  ///
  /// A wait that ends by itself ends up to 5.5 s early, so that all of it is over within a minute, which is what
  /// proxies wait.
  private static let verdictSecondsMin: Int64 = 5
  /// Seconds that a request waits for that beyond its own time, and since it came at most: one change wakes
  /// more readers than the backend can tell about at once.
  private static let (verdictSecondsMore, waitSecondsMax): (Int64, Int64) = (10, 60)

  init(
    _ principal: Principal, _ requirement: Requirement, _ credentials: Credentials,
    _ watches: Watches<Authorization>, _ basis: Basis?
  ) {
    self.principal = principal
    self.requirement = requirement
    self.credentials = credentials
    self.watches = watches
    self.basis = basis
    if isForwarded { postpone(principal, now) }
  }

  private var now: Int64 { credentials.now() }

  /// Has the backend asked again when its verdict is over, but not at once.
  mutating func postpone(_ principal: Principal, _ now: Int64) {
    recheckAt = max(principal.expires ?? 0, now + Self.recheckSecondsMin)
  }

  /// Whether the backend has decided about it.
  var isForwarded: Bool { basis != nil }

  /// Whether the backend must be asked again.
  func isDue(_ now: Int64) -> Bool { isForwarded && now >= recheckAt }

  /// Admits the request for more than was known when it came; throws `insufficientScope`.
  package mutating func require(_ requirement: Requirement) throws(Refusal) {
    guard principal.meets(requirement) else { throw .insufficientScope }
    laterRequirements.append(requirement)
  }

  /// Whether the request is authorized as it was: asked for each repeated request, without a lock.
  ///
  /// When it is not, ``refusal()`` tells whether the credential allows it for other reasons.
  package var isCurrent: Bool {
    !principal.isWithdrawn && !principal.hasExpired(now)
  }

  /// Why the request would not be authorized any more; nil as long as it would.
  package func refusal() -> Refusal? {
    if isCurrent { return nil }
    guard let current = credentials.current(principal) else { return .badCredential }
    if current.hasExpired(now) { return .expired }
    return isAllowed(current) ? nil : .insufficientScope
  }

  /// Whether a principal that takes the place of the request's own may do and see the same.
  func isAllowed(_ current: Principal) -> Bool {
    ([requirement] + laterRequirements).allSatisfy {
      current.meets($0) && current.sees($0, as: principal)
    }
  }

  /// Calls a completion once with the reason why the request would not be authorized any more; nil as long as
  /// it would.
  ///
  /// The backend is asked, if it was asked before and its verdict is over; without an answer again and again, until
  /// the request can wait no longer.
  ///
  /// - Parameters:
  ///   - waitSeconds: How long the request can wait, from when it came.
  ///   - completion: Receives the reason.
  package func recheck(
    waitSeconds: Int = 0, _ completion: @escaping @Sendable (Refusal?) -> Void
  ) {
    guard let since = basis?.since else { return completion(refusal()) }
    let now = now
    guard isDue(now) else { return completion(nil) }
    let end = max(since + Int64(waitSeconds), now) + Self.verdictSecondsMore
    renew(until: max(now + Self.verdictSecondsMin, min(end, since + Self.waitSecondsMax))) {
      verdict in
      completion(refusal(verdict))
    }
  }

  /// Asks the backend again, until a time in seconds since 1970.
  func renew(until: Int64, _ completion: @escaping ForwardQuestions.Completion) {
    guard let question = basis?.question, let forward = credentials.forward else {
      return completion(.failure(.badCredential))
    }
    forward.verdict(question, recheckingUntil: until, completion)
  }

  private func refusal(_ verdict: ForwardVerdicts.Verdict) -> Refusal? {
    switch verdict {
    case .failure(let refusal): refusal
    case .success(let principal): isAllowed(principal) ? nil : .insufficientScope
    }
  }

  /// Has an action called once when the request would not be authorized any more, within a second.
  ///
  /// - Parameter action: Receives the reason; `unavailable` if the backend did not answer about it in time.
  /// - Returns: What takes it back.
  package func watch(
    _ action: @escaping @Sendable (Refusal) -> Void
  ) -> @Sendable () -> Void {
    let (watches, id) = (watches, watches.add(self, action))
    return { watches.remove(id) }
  }
}
