import Authentication
import CollectionService
import HTTP1
import SocketServer
import VersionedCollections

extension RequestScope {
  /// Takes over what was decided about the request.
  mutating func enter(_ decision: Decision) {
    authorization = decision.authorization
    refusal = decision.refusal
    budget = decision.budget
    subject.route = decision.target.route
    subject.kind = decision.target.route?.kind ?? .none
  }

  /// Authorizes the request for collections named in its body or query.
  ///
  /// - Throws: `insufficient-scope` for the first collection that is not allowed, whether or not it
  ///   exists.
  mutating func require(
    _ access: Access, _ names: some Sequence<ResourceName>, of client: ResourceName
  ) throws(Problem) {
    guard var authorization else { return }
    do throws(Refusal) {
      for name in names {
        try authorization.require(.collection(access, client: client.text, name: name.text))
      }
    } catch {
      throw Problem(error)
    }
    self.authorization = authorization
  }

  /// Goes on with a request that has waited, or whose body took its time, as it is authorized by now; replies with a
  /// problem if it is no longer authorized.
  func ifAuthorized(
    waitSeconds: Int = 0, _ goOn: @escaping @Sendable (RequestScope) -> Void
  ) {
    guard let authorization else { return goOn(self) }
    let hasWaited = subject.parked?.startTime != nil
    authorization.recheck(waitSeconds: waitSeconds, hasWaited: hasWaited) { authorized($0, goOn) }
  }

  /// Goes on with a request as it is authorized by a verdict that was given within this second.
  func ifAuthorizedAnew(_ goOn: @escaping @Sendable (RequestScope) -> Void) {
    guard let authorization else { return goOn(self) }
    authorization.renew { authorized($0, goOn) }
  }

  private func authorized(
    _ result: Result<Authorization, Refusal>, _ goOn: (RequestScope) -> Void
  ) {
    switch result {
    case .failure(let refusal): reply(Problem(refusal))
    case .success(let current):
      var scope = self
      scope.authorization = current
      goOn(scope)
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

  /// Who waits for the answer: answers that take long are made by turns, and what views take counts against the share.
  ///
  /// - Throws: `rate-limited` for a view, if those of the principal have taken too much.
  func interest(isViewed: Bool) throws(Problem) -> ReadInterest {
    // Strangers are told apart by where they are, and so is everybody without authentication.
    let asker = authorization?.principal.name ?? "\0" + String(peer.network, radix: 16)
    guard isViewed, let share = budget?.share, share.limits.viewMillisecondsPerSecond > 0 else {
      return ReadInterest(asker: asker)
    }
    if let seconds = share.secondsUntilView() {
      let limit = share.limits.viewMillisecondsPerSecond
      throw Problem(
        429, .rateLimited,
        "the views of this credential may take \(limit) ms of the processor per second",
        limit: limit,
        retryAfter: seconds
      ).rateLimited("views", limit, remaining: 0, policy: ";w=1", state: ";t=\(seconds)")
    }
    return ReadInterest(asker: asker) { share.spend($0) }
  }

  /// Takes a place in the principal's share for as long as the request exists.
  ///
  /// - Returns: Whether there is one.
  mutating func takePlace(_ place: Share.Place) -> Bool {
    guard let share = budget?.share else { return true }
    hold = share.hold(place)
    return hold != nil
  }

  /// Takes a place for a request that may wait; throws `rate-limited`.
  mutating func takePlaceToWait() throws(Problem) {
    guard !takePlace(.waiting), let limit = budget?.share?.limits.waitingMax else { return }
    throw Problem(
      429, .rateLimited, "\(limit) requests with this credential are waiting, which is the limit",
      limit: limit, retryAfter: 5
    ).rateLimited("waiting", limit, remaining: 0)
  }
}
