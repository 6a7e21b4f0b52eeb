import Authentication
import CollectionService
import HTTP1
import SocketServer
import VersionedCollections

/// Decides by its head whether a request is authorized; without keys every request is.
struct AccessControl: Sendable {
  /// Verifies credentials; `nil` if authentication is off.
  let authenticator: Authenticator?
  /// Issues and redeems tickets.
  let tickets: Tickets
  /// Seconds since 1970.
  let date: @Sendable () -> Int64

  /// Authorizes a request.
  ///
  /// - Parameters:
  ///   - request: The head of the request.
  ///   - peer: Its sender.
  ///   - requirement: What the request requires; not evaluated if authentication is off.
  /// - Returns: The authorization of the request; `nil` if authentication is off or not required.
  /// - Throws: `unauthenticated`, `token-expired`, `insufficient-scope`, `overloaded` if the credential
  ///   cannot be verified at present, or `bad-request` if there are several.
  func admit(
    _ request: borrowing HTTPRequest, from peer: PeerAddress,
    _ requirement: @autoclosure () -> Requirement
  ) throws(Problem) -> Authorization? {
    guard let authenticator else { return nil }
    let credential = try request.credential
    do throws(Refusal) {
      return try authenticator.admit(credential, user: peer.user, requirement())
    } catch {
      throw Problem(error)
    }
  }
}

extension AccessControl {
  /// Authorizes a request by its ticket or its credential, as far as its head alone allows: the backend may
  /// have to be asked.
  func authorize(
    _ target: inout RequestTarget, _ request: HTTPRequest, from peer: PeerAddress, _ route: Route
  ) throws(Problem) {
    guard let authenticator else { return }
    let requirement = route.requirement(request.method)
    let credential = try request.credential
    do throws(Refusal) {
      if let ticket = request.ticket(for: route) {
        (target.authorization, target.usedTicket) = try tickets.redeem(
          ticket, resume: request.resume, requirement, authenticator)
        return
      }
      switch try authenticator.admission(
        credential, user: peer.user, cookies: request.fields("cookie"), from: peer.network,
        requirement)
      {
      case .admitted(let authorization): target.authorization = authorization
      case .undecided(let question): target.question = question
      }
    } catch {
      throw Problem(error)
    }
  }

  /// Calls a completion once with the backend's verdict, on any thread.
  func decide(
    _ question: ForwardQuestion, _ requirement: Requirement,
    _ completion: @escaping @Sendable (Result<Authorization, Problem>) -> Void
  ) {
    authenticator?.decide(question, requirement) { completion($0.mapError { Problem($0) }) }
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

extension RequestScope {
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

  /// Goes on with a request that has waited, or whose body took its time; replies with a problem if it is
  /// no longer authorized.
  ///
  /// - Parameters:
  ///   - waitSeconds: How long the request may wait in all.
  ///   - goOn: Goes on with it.
  func ifAuthorized(waitSeconds: Int = 0, _ goOn: @escaping @Sendable () -> Void) {
    guard let authorization else { return goOn() }
    authorization.recheck(waitSeconds: waitSeconds) { refusal in
      if let refusal { self.reply(Problem(refusal)) } else { goOn() }
    }
  }
}

extension Problem {
  /// Creates the problem of an unauthorized request; it reveals nothing about the resource, not
  /// even whether it exists.
  init(_ refusal: Refusal) {
    switch refusal {
    case .noCredential:
      self.init(401, .unauthenticated, "a credential is needed: Authorization: Bearer …")
      fields = [("WWW-Authenticate", Self.challenge())]
    case .badCredential:
      self.init(401, .unauthenticated, "the credential is not known here")
      fields = [("WWW-Authenticate", Self.challenge("invalid_token"))]
    case .expired:
      self.init(401, .tokenExpired, "the credential has expired")
      fields = [("WWW-Authenticate", Self.challenge("invalid_token"))]
    case .insufficientScope:
      self.init(403, .insufficientScope, "the credential does not allow this")
      fields = [("WWW-Authenticate", Self.challenge("insufficient_scope"))]
    case .unavailable:
      self.init(503, .overloaded, "the credential cannot be checked now", retryAfter: 1)
    }
  }

  /// RFC 6750 §3: no error is given if no credential was sent.
  private static func challenge(_ error: String? = nil) -> String {
    #"Bearer realm="livedelta""# + (error.map { #", error="\#($0)""# } ?? "")
  }
}
