import Glibc
import LiveDeltaClient
import LiveDeltaCurl

extension DeltaClient {
  /// Creates a client of the service at an address that the user named.
  static func to(
    _ address: String, trusting caFile: String?, connectSeconds: Int = 5, answerSeconds: Int,
    token: String? = nil
  ) throws -> DeltaClient {
    var limits = Limits()
    limits.connectMilliseconds = min(connectSeconds, answerSeconds) * 1000
    limits.answerMilliseconds = answerSeconds * 1000
    return try Failure.configuring {
      DeltaClient(
        try ServerAddress(address), transport: CurlTransport(caFile: caFile), limits: limits,
        tokens: { _ in token })
    }
  }

  /// Runs a closure, converting client errors to failures, with positions in the file that was sent.
  func run(
    sending source: SourceFile? = nil, about subject: String? = nil,
    _ work: (DeltaClient) async throws -> Void
  ) async throws {
    do {
      try await work(self)
    } catch let error as ClientError {
      throw Failure(error, address, sent: source, about: subject)
    }
  }
}

extension Failure {
  /// Creates a failure from a client error, with lines and columns of the file that was sent, or else about
  /// the subject, which is the service if `nil`.
  init(
    _ error: ClientError, _ address: ServerAddress, sent source: SourceFile? = nil,
    about subject: String? = nil
  ) {
    switch error {
    case .problem(let problem):
      self.init(problem, source?.name ?? subject ?? "\(address)", sent: source)
    case .badAddress, .file: self.init(.configuration, "\(error)")
    case .timedOut:
      self.init(.notNow, "\(address): \(error)", advice: "a longer time: --timeout SECONDS")
    case .transport where error.isAboutCertificate:
      self.init(
        .unreachable, "\(address): its certificate is not trusted: \(error)",
        advice: "name that of the authority: --cacert FILE, or SSL_CERT_FILE in the environment")
    case .transport:
      self.init(.unreachable, "\(address): \(error)", advice: "is a service running there?")
      if case .unix(let path) = address { explain(socket: path) }
    case .cancelled: self.init(.interrupted, "interrupted")
    case .noToken: self.init(.denied, "\(address): \(error)")
    case .answerTooLarge, .malformed: self.init(.service, "\(address): \(error)")
    case .outcomeUnknown(let key, _):
      self.init(
        .notNow, "\(source?.name ?? subject ?? "\(address)"): \(error)",
        advice: "to write it at most once, repeat the command with --idempotency-key \(key)")
    }
  }

  private init(_ problem: ProblemDetails, _ subject: String, sent source: SourceFile?) {
    let detail = problem.detail.isEmpty ? problem.title : problem.detail
    self.init(
      problem.exitStatus,
      "\(subject): \(problem.status) \(problem.code)\(detail.isEmpty ? "" : ": " + detail)")
    self.problem = problem
    faults = problem.entries.map {
      Fault(place: source?.place(of: $0.pointer), pointer: $0.pointer, detail: $0.detail)
    }
    advice = problem.advice
  }

  private mutating func explain(socket path: String) {
    guard access(path, F_OK) != 0 else { return }
    sentence = "unix:\(path): there is no such socket"
    advice = "start the service with: livedelta serve --listen unix:\(path)"
  }
}

extension ProblemDetails {
  fileprivate var exitStatus: ExitStatus {
    if ["bad-identifier", "bad-token"].contains(code) || (status, code) == (400, "bad-parameter") {
      return .usage
    }
    if code == "not-found" { return .service }
    return switch status {
    case 400, 406, 413, 415, 422: .data
    case 401, 403: .denied
    case 404, 410: .missing
    case 409, 412, 424, 428: .conflict
    case 408, 429, 503, 504, 507: .notNow
    default: .service
    }
  }

  fileprivate var advice: String? {
    switch code {
    case "version-conflict":
      "see what changed, then write again: livedelta delta CLIENT/NAME --since VERSION"
    case "precondition-required": "name the version that this is based on: --if-version VERSION"
    case "collection-not-found": "which ones there are: livedelta ls CLIENT"
    case "not-found": "the service has no such function; is it an older release?"
    case "outcome-unknown": "see whether it was written: livedelta get CLIENT/NAME"
    case "unknown-version", "history-compacted":
      "which ones are kept: livedelta versions CLIENT/NAME"
    case "unauthenticated", "token-expired":
      "give a key or token: --token-file FILE, or LIVEDELTA_TOKEN in the environment"
    default: nil
    }
  }
}
