/// The reason a request is refused; it is answered and the connection closed.
public enum RequestError: Error, Equatable, Sendable {
  /// 400: the request violates the grammar.
  case malformed(RequestDefect)
  /// 413: the body is longer than allowed.
  case bodyTooLarge(limit: Int)
  /// 413: the body inflates to more than this multiple of its coded length.
  case bodyInflatesTooMuch(ratio: Int)
  /// 414: the target is longer than allowed.
  case targetTooLong(limit: Int)
  /// 417: the request has an expectation that the server does not support.
  case expectationFailed
  /// 431: the header block or trailer section is longer than allowed.
  case headerTooLarge(limit: Int)
  /// 431: there are more field lines than allowed.
  case tooManyFields(limit: Int)
  /// 501: the method is unknown.
  case methodNotImplemented
  /// 501: the transfer coding is unknown.
  case codingNotImplemented
  /// 505: the version is not HTTP/1.x.
  case versionNotSupported

  /// The status code of the response.
  public var status: Int { response.status }

  /// The stable, machine-readable name of the error.
  public var code: String { response.code }

  /// A human-readable description: a sentence without its full stop.
  public var detail: String { response.detail }

  /// The limit that was exceeded, if any.
  public var limit: Int? {
    switch self {
    case .bodyTooLarge(let limit), .bodyInflatesTooMuch(let limit), .targetTooLong(let limit),
      .headerTooLarge(let limit), .tooManyFields(let limit):
      limit
    default: nil
    }
  }

  private var response: (status: Int, code: String, detail: String) {
    switch self {
    case .malformed(let defect): (400, "bad-request", defect.rawValue)
    case .bodyTooLarge(let limit):
      (413, "body-too-large", "the body is longer than \(limit) bytes")
    case .bodyInflatesTooMuch(let ratio):
      (413, "body-too-large", "the body inflates to more than \(ratio) times what was sent")
    case .targetTooLong(let limit):
      (414, "target-too-long", "the request target is longer than \(limit) bytes")
    case .expectationFailed:
      (417, "expectation-failed", "the only expectation that is met is 100-continue")
    case .headerTooLarge(let limit):
      (431, "header-too-large", "the fields are longer than \(limit) bytes together")
    case .tooManyFields(let limit):
      (431, "too-many-fields", "there are more than \(limit) fields")
    case .methodNotImplemented:
      (
        501, "method-not-implemented",
        "the method is none of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
      )
    case .codingNotImplemented:
      (501, "coding-not-implemented", "the only transfer coding that is understood is chunked")
    case .versionNotSupported:
      (505, "version-not-supported", "the version is not HTTP/1.1 or HTTP/1.0")
    }
  }
}
