import Glibc
import LiveDeltaClient
import SnapshotJSON
import StoreSQLite

/// The reason a command fails, with its exit status.
struct Failure: Error {
  /// One of several errors in an input.
  struct Fault: Sendable {
    var place: SourcePlace?
    var pointer: String
    var detail: String
  }

  var status: ExitStatus
  /// What is wrong.
  var sentence: String
  /// The position of the error.
  var place: SourcePlace?
  /// The individual errors, if there are several.
  var faults: [Fault] = []
  /// What the user can do.
  var advice: String?
  /// The problem that the service answered with.
  var problem: ProblemDetails?

  init(
    _ status: ExitStatus, _ sentence: String, at place: SourcePlace? = nil, advice: String? = nil
  ) {
    self.status = status
    self.sentence = sentence
    self.place = place
    self.advice = advice
  }

  /// Creates a failure for invalid input.
  static func data(_ sentence: String, at place: SourcePlace? = nil) -> Failure {
    Failure(.data, sentence, at: place)
  }

  /// Creates a failure for an invalid setting.
  static func configuration(_ sentence: String, at place: SourcePlace? = nil) -> Failure {
    Failure(.configuration, sentence, at: place)
  }

  /// Calls a closure that depends on settings, reporting any error as one of configuration.
  static func configuring<Value>(_ make: () throws -> Value) throws -> Value {
    do {
      return try make()
    } catch let failure as Failure {
      throw failure
    } catch {
      throw configuration("\(error)")
    }
  }
}

extension Failure {
  /// Creates a failure from a client error.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - address: The address of the service.
  ///   - source: The file that was sent, to turn pointers into lines and columns.
  ///   - subject: What the request was about if no file was sent; `nil` for the service.
  init(
    _ error: ClientError, _ address: ServerAddress, sent source: SourceFile? = nil,
    about subject: String? = nil
  ) {
    switch error {
    case .problem(let problem):
      self.init(problem, source?.name ?? subject ?? "\(address)", sent: source)
    case .badAddress: self.init(.configuration, "\(error)")
    case .timedOut:
      self.init(.notNow, "\(address): \(error)", advice: "a longer time: --timeout SECONDS")
    case .transport:
      self.init(.unreachable, "\(address): \(error)", advice: "is a service running there?")
      if case .unix(let path) = address { explain(socket: path) }
    case .cancelled: self.init(.interrupted, "interrupted")
    case .noToken: self.init(.denied, "\(address): \(error)")
    case .answerTooLarge, .malformed: self.init(.service, "\(address): \(error)")
    case .outcomeUnknown(let key, _):
      self.init(
        .notNow, "\(source?.name ?? subject ?? "\(address)"): \(error)",
        advice: "to write it once at most, the same command with --idempotency-key \(key)")
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

  /// Creates a failure from an error in opening the store.
  init(_ error: StoreOpenError) {
    let status: ExitStatus =
      switch error.cause {
      case .missing: .missing
      case .permission: .denied
      case .inUse: .notNow
      case .newer, .older, .damaged: .data
      case .full, .system: .conflict
      }
    self.init(status, "\(error)")
  }
}

extension ProblemDetails {
  /// The exit status for the problem.
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

  /// What the user can do.
  fileprivate var advice: String? {
    switch code {
    case "version-conflict":
      "look at what changed: livedelta delta --since VERSION; then write again"
    case "precondition-required": "name the version that this builds on: --if-version VERSION"
    case "collection-not-found": "which ones there are: livedelta ls CLIENT"
    case "not-found": "this service cannot do that; is it of an older release?"
    case "outcome-unknown": "look whether it was written: livedelta get; then write again"
    case "unknown-version", "history-compacted": "which ones are kept: livedelta versions"
    default: nil
    }
  }
}
