import Authentication
import CollectionService
import HTTP1
import SocketServer
import Telemetry
import VersionedCollections

/// What was decided about a request that is served.
struct Decision: Sendable {
  fileprivate(set) var target: RequestTarget
  /// The authorization of the request; `nil` if authentication is off or not required.
  fileprivate(set) var authorization: Authorization?
  /// Why the request is served only if anybody may read what it asks for; `nil` otherwise.
  fileprivate(set) var refusal: Refusal?
  /// What the request counts against; `nil` without limits.
  fileprivate(set) var budget: Budget?
  /// Whether it is a stream that cannot be served now, to be ended at once.
  fileprivate(set) var isOverload = false

  fileprivate init(_ target: RequestTarget) { self.target = target }

  /// Serves a request whose credential does not allow it, in so far as anybody may read what it asks for.
  ///
  /// Only the collection tells. The answer is the refusal if it is private, or does not exist.
  ///
  /// - Throws: The refusal, if it asks for anything else.
  fileprivate mutating func admitStranger(
    _ head: HTTPRequest, _ route: Route, _ refusal: Refusal
  ) throws(Problem) {
    guard head.method == .get || head.isHead, route.mayBePublic else { throw Problem(refusal) }
    self.refusal = refusal
  }
}

/// Decides by its head and its sender whether a request is served, before its body is read: by host,
/// origin, resource, credential and limits.
struct Gate: Sendable {
  /// What became of a head.
  enum Outcome: Sendable {
    /// The request is served.
    case decided(Decision)
    /// The backend must be asked first.
    case pending(PendingDecision)
  }

  /// Verifies credentials; `nil` if authentication is off.
  let authenticator: Authenticator?
  let shares: Shares
  /// The host names that are served; `nil` for a socket that no browser reaches.
  var hosts: ServedHosts?
  /// Returns which pages may use the service, which may change at any time.
  let crossOrigin: @Sendable () -> CrossOrigin

  /// Decides about a request.
  func decide(_ head: HTTPRequest, from peer: PeerAddress) throws(Problem) -> Outcome {
    try hosts?.check(head)
    try crossOrigin().checkWrite(head)
    var decision = Decision(try RequestTarget(head))
    guard let authenticator, let route = decision.target.route else {
      try decision.target.readBodyType(head)
      return .decided(decision)
    }
    let requirement = route.requirement(head.method)
    let credential = try head.credential
    do throws(Refusal) {
      switch try authenticator.authorize(
        credential, user: peer.user, cookies: head.fields("cookie"), from: peer.network,
        requirement)
      {
      case .authorized(let authorization): decision.authorization = authorization
      case .question(let question):
        return .pending(
          PendingDecision(
            question: question, decision: decision, head: head, route: route,
            network: peer.network, gate: self))
      }
    } catch {
      try decision.admitStranger(head, route, error)
    }
    try admit(&decision, head, route, peer.network)
    return .decided(decision)
  }

  /// Decides about a request of the operations listener, on which the backend is not asked; a probe may
  /// name any host, because its answer reveals nothing.
  func authorize(
    _ head: HTTPRequest, from peer: PeerAddress, _ requirement: Requirement, isProbe: Bool
  ) throws(Problem) -> Authorization? {
    if !isProbe { try hosts?.check(head) }
    try crossOrigin().checkWrite(head)
    guard let authenticator else { return nil }
    let credential = try head.credential
    do throws(Refusal) {
      return try authenticator.authorize(credential, user: peer.user, requirement)
    } catch {
      throw Problem(error)
    }
  }

  /// The gate of the operations listener: no page of another origin may change anything.
  var ofOperations: Gate {
    Gate(
      authenticator: authenticator, shares: shares, hosts: hosts,
      crossOrigin: { CrossOrigin([]) })
  }

  /// Counts a request that is allowed against the share of its principal, and checks the type of its body.
  ///
  /// - Throws: `rate-limited`, except for a stream: an `EventSource` never reconnects after any status
  ///   but 200, so that its stream is opened and ended; `unsupported-media-type`.
  fileprivate func admit(
    _ decision: inout Decision, _ head: HTTPRequest, _ route: Route, _ network: UInt64
  ) throws(Problem) {
    // Those without a credential share what one has, by where they are.
    let stranger = decision.refusal.map { _ in Shares.stranger(at: network) }
    let name = decision.authorization?.principal.name ?? stranger
    do throws(Problem) {
      decision.budget = try shares.charge(head, route, name)
    } catch {
      guard head.opensStream(of: route) else { throw error }
      decision.isOverload = true
    }
    try decision.target.readBodyType(head)
  }
}

/// A decision for which the backend must be asked about the caller.
struct PendingDecision: Sendable {
  fileprivate let question: ForwardQuestion
  fileprivate let decision: Decision
  fileprivate let head: HTTPRequest
  fileprivate let route: Route
  fileprivate let network: UInt64
  fileprivate let gate: Gate

  /// Asks.
  ///
  /// - Parameters:
  ///   - traceFields: The fields that continue its trace; none unless it is traced.
  ///   - completion: Called once, on any thread, with the decision or why the request is not served.
  func settle(
    traceFields: [(name: String, value: String)] = [],
    _ completion: @escaping @Sendable (Result<Decision, Problem>) -> Void
  ) {
    var question = question
    question.traceFields = traceFields
    gate.authenticator?.ask(question, route.requirement(head.method)) { result in
      completion(
        Result { () throws(Problem) in
          var decision = decision
          switch result {
          case .success(let authorization): decision.authorization = authorization
          case .failure(let refusal): try decision.admitStranger(head, route, refusal)
          }
          try gate.admit(&decision, head, route, network)
          return decision
        })
    }
  }
}

extension HTTPRequest {
  /// The value of the field `Authorization`; `nil` without one.
  ///
  /// - Throws: `bad-request` if there are several: a proxy in front may have checked another one than
  ///   the service would (RFC 9110 §5.3).
  fileprivate var credential: ArraySlice<UInt8>? {
    get throws(Problem) {
      guard let field = field("authorization") else { return nil }
      guard !repeats("authorization") else { throw .severalCredentials }
      return field
    }
  }
}
