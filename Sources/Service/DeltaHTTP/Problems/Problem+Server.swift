import SocketServer

extension Problem {
  /// Converts a refusal by the server itself.
  init(_ problem: ServerProblem) {
    self.init(
      problem.status, Code(problem), problem.detail, limit: problem.limit,
      retryAfter: problem.retryAfter)
  }
}

extension Problem.Code {
  /// Maps the server's codes to the protocol's fewer ones: a violation of HTTP is `bad-request`,
  /// and the status tells more.
  fileprivate init(_ problem: ServerProblem) {
    switch problem.code {
    case "overloaded": self = .overloaded
    case "body-too-large": self = .bodyTooLarge
    case "unsupported-media-type", "coding-not-implemented": self = .unsupportedMediaType
    case "method-not-implemented": self = .methodNotImplemented
    case "version-not-supported": self = .versionNotSupported
    case "internal": self = .internalFault
    default: self = .badRequest
    }
  }
}
