/// Why a request is not served; each is answered and the connection closed.
public enum RequestError: Error, Equatable, Sendable {
  /// 400: it does not follow the grammar.
  case malformed(RequestDefect)
  /// 413: its body is longer than allowed.
  case bodyTooLarge(limit: Int)
  /// 413: its body is more times as long as what came of it than allowed.
  case bodyInflatesTooMuch(ratio: Int)
  /// 414: its target is longer than allowed.
  case targetTooLong(limit: Int)
  /// 417: it expects what the server does not do.
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
  public var status: Int {
    switch self {
    case .malformed: 400
    case .bodyTooLarge, .bodyInflatesTooMuch: 413
    case .targetTooLong: 414
    case .expectationFailed: 417
    case .headerTooLarge, .tooManyFields: 431
    case .methodNotImplemented, .codingNotImplemented: 501
    case .versionNotSupported: 505
    }
  }

  /// The name of the error for machines, which never changes.
  public var code: String {
    switch self {
    case .malformed: "bad-request"
    case .bodyTooLarge, .bodyInflatesTooMuch: "body-too-large"
    case .targetTooLong: "target-too-long"
    case .expectationFailed: "expectation-failed"
    case .headerTooLarge: "header-too-large"
    case .tooManyFields: "too-many-fields"
    case .methodNotImplemented: "method-not-implemented"
    case .codingNotImplemented: "coding-not-implemented"
    case .versionNotSupported: "version-not-supported"
    }
  }

  /// The limit that was passed.
  public var limit: Int? {
    switch self {
    case .bodyTooLarge(let limit), .bodyInflatesTooMuch(let limit), .targetTooLong(let limit),
      .headerTooLarge(let limit), .tooManyFields(let limit):
      limit
    default: nil
    }
  }

  /// What is wrong, for people: a sentence without its full stop.
  public var detail: String {
    switch self {
    case .malformed(let defect): defect.rawValue
    case .bodyTooLarge(let limit): "the body is longer than \(limit) bytes"
    case .bodyInflatesTooMuch(let ratio):
      "the body inflates to more than \(ratio) times what was sent"
    case .targetTooLong(let limit): "the request target is longer than \(limit) bytes"
    case .expectationFailed: "the only expectation that is met is 100-continue"
    case .headerTooLarge(let limit): "the fields are longer than \(limit) bytes together"
    case .tooManyFields(let limit): "there are more than \(limit) fields"
    case .methodNotImplemented:
      "the method is none of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
    case .codingNotImplemented: "the only transfer coding that is understood is chunked"
    case .versionNotSupported: "the version is not HTTP/1.1 or HTTP/1.0"
    }
  }
}
