import HTTP1

/// Determines which pages may use the service from another origin (Fetch, "HTTP-CORS protocol").
struct CrossOrigin: Sendable {
  /// Origins as browsers send them: `https://app.example`; `*` allows all.
  let origins: Set<String>
  /// Whether pages may send cookies and other credentials of the browser.
  let allowsCredentials: Bool
  /// The request fields that pages may send, as preflights list them.
  private let requestFields: String

  /// Response fields exposed to pages, besides those always exposed.
  private static let exposed = """
    Accept-Patch, Allow, Collection-Stale, Collection-Version, Collection-Wait, Content-Encoding, ETag, \
    Idempotency-Replayed, Location, Preference-Applied, RateLimit, RateLimit-Policy, Request-Id, \
    Retry-After, WWW-Authenticate
    """
  /// The request fields of the protocol.
  private static let accepted = """
    Accept, Authorization, Cache-Control, Collection-If-Version, Collection-Version, Content-Encoding, \
    Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Request-Id, \
    traceparent, tracestate
    """
  /// How long a browser may cache a preflight response, in seconds.
  private static let preflightSeconds = 600

  /// Creates the rules for some origins; `requestFields` are what their pages may send besides the protocol's fields.
  init(_ origins: [String], requestFields: [String] = [], allowsCredentials: Bool = false) {
    self.origins = Set(origins)
    self.allowsCredentials = allowsCredentials
    self.requestFields = ([Self.accepted] + requestFields).joined(separator: ", ")
  }

  /// Adds the fields that allow a browser to expose a response to a page.
  func mark(_ response: inout HTTPResponse, to request: borrowing HTTPRequest) {
    guard !origins.isEmpty else { return }
    if response.isPublic, !allowsCredentials {
      // Anybody may read it, and who asked first must not be told apart.
      response.appendField("Access-Control-Allow-Origin", "*")
      response.appendField("Access-Control-Expose-Headers", Self.exposed)
      return
    }
    // Required even if the origin is not allowed, so that caches keep the responses apart.
    response.appendField("Vary", "Origin")
    guard let origin = request.field("origin"), allows(origin) else { return }
    response.appendField("Access-Control-Allow-Origin", origin)
    response.appendField("Access-Control-Expose-Headers", Self.exposed)
    if allowsCredentials { response.appendField("Access-Control-Allow-Credentials", "true") }
  }

  /// Adds the preflight fields to the response to an OPTIONS request.
  func answerPreflight(
    _ response: inout HTTPResponse, _ request: borrowing HTTPRequest, methods: String
  ) {
    guard request.field("access-control-request-method") != nil,
      let origin = request.field("origin"), allows(origin)
    else { return }
    response.appendField("Access-Control-Allow-Methods", methods)
    response.appendField("Access-Control-Allow-Headers", requestFields)
    response.appendField("Access-Control-Max-Age", String(Self.preflightSeconds))
    // https://wicg.github.io/private-network-access/#cors-preflight
    if request.field("access-control-request-private-network")?.equals("true") == true {
      response.appendField("Access-Control-Allow-Private-Network", "true")
    }
  }

  /// Refuses a write from a page whose origin is not allowed.
  ///
  /// Browsers send `Origin` with every request other than `GET` and `HEAD` (Fetch, "append a
  /// request Origin header"), even if the page may not read the response. Other programs send
  /// neither this field nor `Sec-Fetch-Site`.
  ///
  /// - Throws: `origin-not-allowed`.
  func checkWrite(_ request: borrowing HTTPRequest) throws(Problem) {
    guard request.method.changesState else { return }
    if let origin = request.field("origin") {
      guard allows(origin) || isOwnPage(origin, request) else { throw .originNotAllowed }
    } else if request.field("sec-fetch-site")?.equals("cross-site") == true {
      throw .originNotAllowed
    }
  }

  /// Whether a page was loaded from the address that it now sends a request to.
  ///
  /// Only IP addresses and `localhost` count. Any other name can be pointed at this machine by its
  /// owner (DNS rebinding), and would then match `Host`.
  private func isOwnPage(_ origin: ArraySlice<UInt8>, _ request: borrowing HTTPRequest) -> Bool {
    guard let authority = request.authority else { return false }
    let text = lowercased(authority)
    guard ServedHosts.isAddress(authority) || text == "localhost" || text.hasPrefix("localhost:")
    else { return false }
    let origin = String(decoding: origin, as: UTF8.self)
    return origin == "http://" + text || origin == "https://" + text
  }

  private func allows(_ origin: ArraySlice<UInt8>) -> Bool {
    origins.contains("*") || origins.contains(String(decoding: origin, as: UTF8.self))
  }
}

extension HTTPMethod {
  /// Whether the method is not safe (RFC 9110 §9.2.1).
  fileprivate var changesState: Bool {
    switch self {
    case .get, .head, .options: false
    default: true
    }
  }
}
