/// Why a request is refused; each is answered and the connection closed.
public enum RequestError: Error, Equatable, Sendable {
  /// 400: it does not follow the grammar.
  case malformed(RequestDefect)
  /// 413: its body is longer than allowed.
  case bodyTooLarge(limit: Int)
  /// 413: its body inflates to more times its coded length than allowed.
  case bodyInflatesTooMuch(ratio: Int)
  /// 414: its target is longer than allowed.
  case targetTooLong(limit: Int)
  /// 417: it has an expectation that the server does not meet.
  case expectationFailed
  /// 431: its header block or trailer section is longer than allowed.
  case headerTooLarge(limit: Int)
  /// 431: it has more field lines than allowed.
  case tooManyFields(limit: Int)
  /// 501: its method is not one the server knows.
  case methodNotImplemented
  /// 501: its body has a transfer coding that the server does not know.
  case codingNotImplemented
  /// 505: its version is not HTTP/1.x.
  case versionNotSupported

  /// The status code of the response.
  public var status: Int { response.status }

  /// The name of the error for machines, which never changes.
  public var code: String { response.code }

  /// What is wrong, for people: a sentence without its full stop.
  public var detail: String { response.detail }

  /// The limit that was passed.
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
