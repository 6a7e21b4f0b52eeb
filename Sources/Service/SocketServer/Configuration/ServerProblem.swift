public import HTTP1

/// The reason the server itself refuses a request, as problem details (RFC 9457).
public struct ServerProblem: Sendable, Equatable {
  /// The status code.
  public var status: Int
  /// The machine-readable name of the problem.
  public var code: String
  /// A human-readable description.
  public var detail: String
  /// The limit that was exceeded, if any.
  public var limit: Int?
  /// The number of seconds after which to retry.
  public var retryAfter: Int?

  /// The head or body of a request did not arrive in time.
  static func timeout(_ part: String) -> ServerProblem {
    ServerProblem(
      status: 408, code: "request-timeout",
      detail: "The \(part) of the request did not come in time.")
  }

  /// The limit on connections is reached.
  static let overloaded = ServerProblem(
    status: 503, code: "overloaded", detail: "There are too many connections.", retryAfter: 5)

  /// The limit on bytes held is reached.
  static let full = ServerProblem(
    status: 503, code: "overloaded", detail: "The server has no room for a body now.",
    retryAfter: 1)

  /// There is no room for the response beside other unsent ones.
  static let fullForResponse = ServerProblem(
    status: 503, code: "overloaded", detail: "The server has no room for the answer now.",
    retryAfter: 1)

  /// The problem as `application/problem+json`.
  public var response: HTTPResponse {
    // The server's own texts contain nothing to escape.
    var text = "{\"type\":\"about:blank\",\"title\":\"\(title)\",\"status\":\(status)"
    text += ",\"code\":\"\(code)\",\"detail\":\"\(detail)\""
    if let limit { text += ",\"limit\":\(limit)" }
    text += "}"
    var response = HTTPResponse(status: status, body: .bytes(Array(text.utf8)))
    response.setField("Content-Type", "application/problem+json")
    response.setField("Cache-Control", "no-store")
    if let retryAfter { response.setField("Retry-After", retryAfter) }
    return response
  }

  /// The reason phrase of the status.
  public var title: String { HTTPResponse.reason(status) }
}

extension ServerProblem {
  init(_ error: RequestError) {
    self.init(
      status: error.status, code: error.code, detail: error.detail + ".", limit: error.limit)
  }
}
