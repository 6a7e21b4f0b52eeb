/// The authorization of a request: what it requires, and on whose credential it was authorized.
///
/// An authorization never changes. A request that waits, or a stream, gets another one with the present principal of
/// its credential: from ``current()``, ``recheck(waitSeconds:hasWaited:_:)`` or ``watch(changed:ended:)``.
package struct Authorization: Sendable {
  /// Who sent the request.
  package private(set) var principal: Principal
  private let requirement: Requirement
  /// What was required of it later: most requests have none, and take no memory for it.
  private var laterRequirements: [Requirement] = []
  let credentials: Credentials
  private let watches: Watches<Authorization>
  /// The backend's part in it; nil for a key or a token.
  let basis: Basis?

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

  init(
    _ principal: Principal, _ requirement: Requirement, _ credentials: Credentials,
    _ watches: Watches<Authorization>, _ basis: Basis?
  ) {
    self.principal = principal
    self.requirement = requirement
    self.credentials = credentials
    self.watches = watches
    self.basis = basis
  }

  var now: Int64 { credentials.now() }

  /// Admits the request for more than was known when it came; throws `insufficientScope`.
  package mutating func require(_ requirement: Requirement) throws(Refusal) {
    guard principal.meets(requirement) else { throw .insufficientScope }
    laterRequirements.append(requirement)
  }

  /// Whether the request is authorized as it was: asked for each repeated request, without a lock.
  ///
  /// When it is not, ``current()`` finds out whether the credential still allows it.
  package var isCurrent: Bool {
    !principal.isWithdrawn && !principal.hasExpired(now)
  }

  /// The present authorization of the request, without asking the backend.
  ///
  /// - Throws: `Refusal`; `expired` for an expired verdict.
  package func current() throws(Refusal) -> Authorization {
    if isCurrent { return self }
    guard let current = credentials.current(principal) else { throw .badCredential }
    if current.hasExpired(now) { throw .expired }
    return try with(current)
  }

  /// The authorization of the request for another principal of its credential.
  ///
  /// - Throws: `insufficientScope` if that principal does not meet all requirements of the request.
  func with(_ principal: Principal) throws(Refusal) -> Authorization {
    guard ([requirement] + laterRequirements).allSatisfy(principal.meets) else {
      throw .insufficientScope
    }
    var authorization = self
    authorization.principal = principal
    return authorization
  }

  /// Whether another authorization of the same request imposes the same views, compared as written.
  package func hasSameViews(as other: Authorization) -> Bool {
    principal === other.principal
      || ([requirement] + laterRequirements).allSatisfy {
        principal.hasSameViews(as: other.principal, $0)
      }
  }

  /// Watches the authorization of a stream; its actions are called within a second, on any thread.
  ///
  /// - Parameters:
  ///   - changed: Receives the present authorization each time that the imposed views change.
  ///   - ended: Receives the reason, once, when the request is no longer authorized; `unavailable` if the backend did
  ///     not answer in time.
  /// - Returns: A closure that ends the watch.
  package func watch(
    changed: @escaping @Sendable (Authorization) -> Void,
    ended: @escaping @Sendable (Refusal) -> Void
  ) -> @Sendable () -> Void {
    let (watches, id) = (watches, watches.add(self, changed: changed, ended: ended))
    return { watches.remove(id) }
  }
}
