/// Authorizations by a verdict of the backend, which expires.
extension Authorization {
  /// Seconds that a request waits at least for the backend to answer about it again.
  ///
  /// A wait that ends by itself ends up to 5.5 s early, so that all of it is over within a minute, which is what
  /// proxies wait.
  private static let verdictSecondsMin: Int64 = 5
  /// Seconds that a request waits for that beyond its own time, and since it came at most: one change wakes
  /// more readers than the backend can tell about at once.
  private static let (verdictSecondsMore, waitSecondsMax): (Int64, Int64) = (10, 60)

  /// Whether the backend has decided about it.
  package var isForwarded: Bool { basis != nil }

  /// Whether the backend must be asked again: its verdict has expired, and is from an earlier second.
  ///
  /// A verdict that must not be cached is thus valid for the request that caused it, and asked for once a second by a
  /// stream.
  func isDue(_ now: Int64) -> Bool {
    principal.hasExpired(now) && principal.answered.map { now > $0 } ?? false
  }

  /// Calls a completion once with the present authorization of the request, or with the reason why there is none.
  ///
  /// After an expired verdict the backend is asked. Without an answer the question is repeated until the request can
  /// wait no longer.
  ///
  /// - Parameters:
  ///   - waitSeconds: How long the request can wait, from when it came.
  ///   - hasWaited: Whether the request has waited; then a verdict that must not be cached has expired.
  ///   - completion: Receives the authorization.
  package func recheck(
    waitSeconds: Int = 0, hasWaited: Bool = false,
    _ completion: @escaping @Sendable (Result<Authorization, Refusal>) -> Void
  ) {
    guard let basis else { return completion(Result { () throws(Refusal) in try current() }) }
    let now = now
    if let latest = byCachedVerdict { return completion(latest) }
    guard hasWaited ? principal.hasExpired(now) : isDue(now) else {
      return completion(.success(self))
    }
    let end = max(basis.since + Int64(waitSeconds), now) + Self.verdictSecondsMore
    let latest = max(now + Self.verdictSecondsMin, min(end, basis.since + Self.waitSecondsMax))
    ask(until: latest, completion)
  }

  /// The authorization by the cached verdict, which may be later than the request's own; nil without one.
  var byCachedVerdict: Result<Authorization, Refusal>? {
    guard let basis, let forward = credentials.forward else { return nil }
    return forward.kept(basis.question).map(result)
  }

  /// Calls a completion once with the authorization by a verdict of this second.
  ///
  /// The backend is asked although an earlier verdict may not have expired; without an answer that one remains valid.
  /// For a key or a token the completion receives the present authorization at once.
  package func renew(_ completion: @escaping @Sendable (Result<Authorization, Refusal>) -> Void) {
    guard let basis, let answered = principal.answered, let forward = credentials.forward else {
      return completion(Result { () throws(Refusal) in try current() })
    }
    let now = now
    guard answered < now else { return completion(.success(self)) }
    forward.verdict(basis.question, since: now) { verdict in
      guard case .failure(.unavailable) = verdict else { return completion(result(verdict)) }
      completion(byCachedVerdict ?? (isCurrent ? .success(self) : result(verdict)))
    }
  }

  /// Asks the backend again, until a time in seconds since 1970.
  func ask(
    until: Int64, _ completion: @escaping @Sendable (Result<Authorization, Refusal>) -> Void
  ) {
    guard let basis, let forward = credentials.forward else {
      return completion(.failure(.badCredential))
    }
    forward.verdict(basis.question, recheckingUntil: until) { completion(result($0)) }
  }

  private func result(_ verdict: ForwardVerdicts.Verdict) -> Result<Authorization, Refusal> {
    verdict.flatMap { principal in Result { () throws(Refusal) in try with(principal) } }
  }
}
