import HTTP1

/// Which pages may use the service from another origin (Fetch, "HTTP-CORS protocol").
struct CrossOrigin: Sendable {
  /// Origins as browsers send them: `https://app.example`; `*` for all.
  let origins: Set<String>

  /// Answers' fields that pages may read; those that all may read anyway are left out.
  private static let exposed = """
    Accept-Patch, Allow, Collection-Version, Collection-Wait, Content-Encoding, ETag, \
    Idempotency-Replayed, Location, Preference-Applied, Request-Id, Retry-After, WWW-Authenticate
    """
  /// Requests' fields that pages may send.
  private static let accepted = """
    Accept, Authorization, Cache-Control, Collection-If-Version, Content-Encoding, Content-Type, \
    Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Request-Id, traceparent, \
    tracestate
    """
  /// Seconds that a browser may keep the response to a preflight.
  private static let preflightSeconds = 600

  init(_ origins: [String]) { self.origins = Set(origins) }

  /// Adds what a browser wants to see before it shows a response to a page.
  func mark(_ response: inout HTTPResponse, to request: borrowing HTTPRequest) {
    guard !origins.isEmpty else { return }
    // Whether the page was allowed or not: what is cached for one must not be shown to another.
    response.appendField("Vary", "Origin")
    guard let origin = request.field("origin"), allows(origin) else { return }
    response.appendField("Access-Control-Allow-Origin", origin)
    response.appendField("Access-Control-Expose-Headers", Self.exposed)
  }

  /// Adds what a preflight asks for to the response to an OPTIONS.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - request: The request.
  ///   - methods: Those of the resource.
  func answerPreflight(
    _ response: inout HTTPResponse, _ request: borrowing HTTPRequest, methods: String
  ) {
    guard request.field("access-control-request-method") != nil,
      let origin = request.field("origin"), allows(origin)
    else { return }
    response.appendField("Access-Control-Allow-Methods", methods)
    response.appendField("Access-Control-Allow-Headers", Self.accepted)
    response.appendField("Access-Control-Max-Age", String(Self.preflightSeconds))
  }

  /// Refuses a request that changes something and comes from a page that may not do that.
  ///
  /// Browsers send `Origin` with every request of another method than `GET` and `HEAD` (Fetch, "append a
  /// request Origin header"), also with those that a page sends without being allowed to see the
  /// answer. Programs that are no browsers send neither this field nor `Sec-Fetch-Site`.
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

  /// Whether a page was loaded from the address that it asks now.
  ///
  /// Only an address in digits and `localhost` count: any other name can be made to stand for this machine
  /// by its owner (DNS rebinding), and would then be equal to `Host`.
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
  /// Whether requests of the method may change something (RFC 9110 §9.2.1).
  fileprivate var changesState: Bool {
    switch self {
    case .get, .head, .options: false
    default: true
    }
  }
}
