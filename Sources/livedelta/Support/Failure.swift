import Glibc
import LiveCollectionsClient
import SnapshotJSON
import StoreSQLite

/// How a command ends when it does not succeed.
struct Failure: Error {
  /// One of several places that are wrong.
  struct Fault: Sendable {
    var place: SourcePlace?
    var pointer: String
    var detail: String
  }

  var status: ExitStatus
  /// What is wrong.
  var sentence: String
  /// Where it is wrong.
  var place: SourcePlace?
  /// Each place, if there are several.
  var faults: [Fault] = []
  /// What to do.
  var advice: String?
  /// What the service said.
  var problem: ProblemDetails?

  init(
    _ status: ExitStatus, _ sentence: String, at place: SourcePlace? = nil, advice: String? = nil
  ) {
    self.status = status
    self.sentence = sentence
    self.place = place
    self.advice = advice
  }

  /// An input is not what it should be.
  static func data(_ sentence: String, at place: SourcePlace? = nil) -> Failure {
    Failure(.data, sentence, at: place)
  }

  /// A setting is wrong, or asks for what cannot be.
  static func configuration(_ sentence: String, at place: SourcePlace? = nil) -> Failure {
    Failure(.configuration, sentence, at: place)
  }

  /// Makes a value from the settings; whatever is thrown is their fault.
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
  /// What a client of the service threw.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - address: Where the service is.
  ///   - source: The file that was sent; places in it are shown by line and column.
  init(_ error: ClientError, _ address: ServerAddress, sent source: SourceFile? = nil) {
    switch error {
    case .problem(let problem): self.init(problem, address, sent: source)
    case .badAddress: self.init(.configuration, "\(error)")
    case .timedOut:
      self.init(.notNow, "\(address): \(error)", advice: "a longer time: --timeout SECONDS")
    case .transport:
      self.init(.unreachable, "\(address): \(error)", advice: "is a service running there?")
      if case .unix(let path) = address { explain(socket: path) }
    case .cancelled: self.init(.interrupted, "interrupted")
    case .answerTooLarge, .malformed: self.init(.service, "\(address): \(error)")
    }
  }

  private init(_ problem: ProblemDetails, _ address: ServerAddress, sent source: SourceFile?) {
    let detail = problem.detail.isEmpty ? problem.title : problem.detail
    let subject = source?.name ?? "\(address)"
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

  /// What the store said of a directory or a file.
  init(_ error: StoreOpenError) {
    let status: ExitStatus =
      switch error.cause {
      case .missing: .missing
      case .permission: .denied
      case .inUse: .notNow
      case .newer, .damaged: .data
      case .full, .system: .conflict
      }
    self.init(status, "\(error)")
  }
}

extension ProblemDetails {
  /// The kind of mistake.
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
    case "unknown-version", "history-compacted": "which ones are kept: livedelta versions"
    default: nil
    }
  }
}
