import SocketServer

extension Problem {
  /// What the server itself refuses, in the form of all problems.
  init(_ problem: ServerProblem) {
    self.init(
      problem.status, Code(problem), problem.detail, limit: problem.limit,
      retryAfter: problem.retryAfter)
  }
}

extension Problem.Code {
  /// The protocol's own codes are few: what is wrong with a request as HTTP is `bad-request`, and the
  /// status says which way.
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
