import Authentication
import CollectionService
import SnapshotJSON
import VersionedCollections

// Problems found before the service is called.

extension Problem {
  static let notFound = Problem(
    404, .notFound, "there is no such resource; GET /openapi.json lists all resources")
  static let badIdentifier = Problem(
    400, .badIdentifier,
    "the name of a client or collection must have 1 to 128 of the characters A-Z a-z 0-9 . _ ~ : @ -, "
      + "and must not be . or ..", limit: 128)
  static let noCoding = Problem(
    406, .notAcceptable, "Accept-Encoding must allow gzip or identity")
  static let originNotAllowed = Problem(
    403, .originNotAllowed,
    "pages of this origin may not change anything; add the origin to cors.origins to allow it")
  static let severalCredentials = Problem(
    400, .badRequest, "the request has more than one Authorization field")
  static let misdirected = Problem(
    421, .misdirected,
    "the service does not answer to this host name; use an IP address, localhost or a name of its machine, "
      + "or add the name to allowedHosts")
  static let internalFault = Problem(500, .internalFault, "an internal error occurred")

  static func badParameter(_ detail: String) -> Problem { Problem(400, .badParameter, detail) }

  /// A member that an object must not have; `pointer` leads to the object in the request's body.
  init(_ fault: MemberFault, of pointer: String) {
    let place = pointer + fault.pointer
    self.init(422, .badParameter, "\(place): \(fault.detail)")
    self = at(place, fault.detail)
  }

  /// A view that cannot be understood; `pointer` leads to it in a request's body.
  init(_ error: ViewError, at pointer: String = "") {
    self.init(400, .badParameter, error.description, limit: error.limit)
    self = at(pointer + error.pointer, "byte \(error.offset): \(error.detail)")
  }

  static func badToken(_ place: String) -> Problem {
    Problem(400, .badToken, "\(place) is not a version token (lineage.seq.digest)", limit: 64)
  }

  static func methodNotAllowed(_ allowed: String) -> Problem {
    Problem(405, .methodNotAllowed, "this resource allows \(allowed)").with("Allow", allowed)
  }

  static let unsupportedBody = Problem(
    415, .unsupportedMediaType, "the body must be application/json"
  ).with("Accept", MediaType.json)

  /// RFC 9110 §15.5.16.
  static let unsupportedCoding = Problem(
    415, .unsupportedMediaType,
    "Content-Encoding must be gzip or identity, and at most \(BodyInflater.codingsMax) codings"
  ).with("Accept-Encoding", "gzip")

  /// Only events can be sent; `instead` says what else there is.
  static func onlyEvents(_ instead: String = "") -> Problem {
    Problem(406, .notAcceptable, "Accept must allow text/event-stream" + instead)
  }

  static let viewOfSeveral: Problem = .badParameter(
    "a view is of one collection: in the body of POST …/sync, or in the query of each collection's delta"
  )

  static func tooManyCollections(_ count: Int, limit: Int) -> Problem {
    Problem(
      413, .tooManyItems, "the request names \(count) collections; the limit is \(limit)",
      limit: limit)
  }
}

extension Problem {
  /// Creates the problem of a request that is not authorized; it reveals nothing about the resource,
  /// not even whether it exists.
  init(_ refusal: Refusal) {
    switch refusal {
    case .noCredential:
      self.init(
        401, .unauthenticated, "a credential is required, in the field Authorization: Bearer …")
      fields = [("WWW-Authenticate", Self.challenge())]
    case .badCredential:
      self.init(401, .unauthenticated, "the credential is unknown")
      fields = [("WWW-Authenticate", Self.challenge("invalid_token"))]
    case .expired:
      self.init(401, .tokenExpired, "the credential has expired")
      fields = [("WWW-Authenticate", Self.challenge("invalid_token"))]
    case .insufficientScope:
      self.init(403, .insufficientScope, "the credential does not allow this request")
      fields = [("WWW-Authenticate", Self.challenge("insufficient_scope"))]
    case .unavailable:
      self.init(503, .overloaded, "the credential cannot be verified at present", retryAfter: 1)
    }
  }

  /// RFC 6750 §3: no error is given if no credential was sent.
  private static func challenge(_ error: String? = nil) -> String {
    #"Bearer realm="livedelta""# + (error.map { #", error="\#($0)""# } ?? "")
  }
}
