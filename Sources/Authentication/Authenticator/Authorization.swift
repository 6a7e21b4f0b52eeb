/// The authorization of a request: what it requires, and on whose credential it was authorized.
///
/// It never changes. What waits or lives long gets another one, with the principal that its credential stands for by
/// then: ``current()``, ``recheck(waitSeconds:hasWaited:_:)`` and ``watch(changed:ended:)``.
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
  /// When it is not, ``current()`` tells whether its credential allows it by now for other reasons.
  package var isCurrent: Bool {
    !principal.isWithdrawn && !principal.hasExpired(now)
  }

  /// The authorization as it is by now; a verdict that has expired is refused, since nobody is asked.
  package func current() throws(Refusal) -> Authorization {
    if isCurrent { return self }
    guard let current = credentials.current(principal) else { throw .badCredential }
    if current.hasExpired(now) { throw .expired }
    return try with(current)
  }

  /// The authorization by a principal that takes the place of the request's own; throws `insufficientScope` if it may
  /// do less.
  func with(_ principal: Principal) throws(Refusal) -> Authorization {
    guard ([requirement] + laterRequirements).allSatisfy(principal.meets) else {
      throw .insufficientScope
    }
    var authorization = self
    authorization.principal = principal
    return authorization
  }

  /// Whether its views are those of another authorization of the same request, as they are written.
  package func sees(as other: Authorization) -> Bool {
    principal === other.principal
      || ([requirement] + laterRequirements).allSatisfy { principal.sees($0, as: other.principal) }
  }

  /// Has actions called when what the request is authorized for becomes something else, within a second.
  ///
  /// - Parameters:
  ///   - changed: Receives the authorization as it is by now, each time that other views are imposed.
  ///   - ended: Receives the reason, once, when the request would not be authorized any more; `unavailable` if the
  ///     backend did not answer about it in time.
  /// - Returns: What takes it back.
  package func watch(
    changed: @escaping @Sendable (Authorization) -> Void,
    ended: @escaping @Sendable (Refusal) -> Void
  ) -> @Sendable () -> Void {
    let (watches, id) = (watches, watches.add(self, changed: changed, ended: ended))
    return { watches.remove(id) }
  }
}
