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
  /// Seconds that a browser may keep the answer to a preflight.
  private static let preflightSeconds = 600

  init(_ origins: [String]) { self.origins = Set(origins) }

  /// Adds what a browser wants to see before it shows an answer to a page.
  func mark(_ response: inout HTTPResponse, to request: borrowing HTTPRequest) {
    guard !origins.isEmpty else { return }
    // Whether the page was allowed or not: what is cached for one must not be shown to another.
    response.appendField("Vary", "Origin")
    guard let origin = request.field("origin"), allows(origin) else { return }
    response.appendField("Access-Control-Allow-Origin", origin)
    response.appendField("Access-Control-Expose-Headers", Self.exposed)
  }

  /// Adds what a preflight asks for to the answer to an OPTIONS.
  ///
  /// - Parameters:
  ///   - response: The answer.
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

  private func allows(_ origin: ArraySlice<UInt8>) -> Bool {
    origins.contains("*") || origins.contains(String(decoding: origin, as: UTF8.self))
  }
}
