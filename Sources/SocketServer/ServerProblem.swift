public import HTTP1

/// Why the server itself refuses a request (RFC 9457).
public struct ServerProblem: Sendable, Equatable {
  /// The status code.
  public var status: Int
  /// The name of the problem for machines.
  public var code: String
  /// What is wrong, for people.
  public var detail: String
  /// The limit that was passed.
  public var limit: Int?
  /// Seconds after which to try again.
  public var retryAfter: Int?

  /// Makes a problem.
  public init(
    status: Int, code: String, detail: String, limit: Int? = nil, retryAfter: Int? = nil
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.limit = limit
    self.retryAfter = retryAfter
  }

  /// What a reader of requests refuses.
  init(_ error: RequestError) {
    self.init(
      status: error.status, code: error.code, detail: error.detail + ".", limit: error.limit)
  }

  /// The head or the body of a request did not come in time.
  static func timeout(_ part: String) -> ServerProblem {
    ServerProblem(
      status: 408, code: "request-timeout",
      detail: "The \(part) of the request did not come in time.")
  }

  /// There are as many connections as there may be.
  static let overloaded = ServerProblem(
    status: 503, code: "overloaded", detail: "There are too many connections.", retryAfter: 1)

  /// The server holds as many bytes as it may.
  static let full = ServerProblem(
    status: 503, code: "overloaded", detail: "The server has no room for a body now.",
    retryAfter: 1)

  /// The response has no room beside those that wait to be sent.
  static let fullForResponse = ServerProblem(
    status: 503, code: "overloaded", detail: "The server has no room for the answer now.",
    retryAfter: 1)

  /// The problem as `application/problem+json`.
  public var response: HTTPResponse {
    // The texts are the server's own: they have nothing to escape.
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
