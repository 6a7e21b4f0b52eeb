/// The reason a call to the service failed.
public enum ClientError: Error, Hashable, Sendable {
  /// The address is invalid, for the reason given.
  case badAddress(String)
  /// The connection could not be established, or broke: the transport's code and message.
  case transport(code: Int, reason: String)
  /// The answer did not arrive completely in time.
  case timedOut(reason: String)
  /// A file could not be read or written, for the reason given.
  case file(reason: String)
  /// The waiting task was cancelled.
  case cancelled
  /// There is no credential, for the reason that its provider gives, or none for now.
  case noToken(String, isTemporary: Bool = false)
  /// The answer is larger than the client's limit, in bytes.
  case answerTooLarge(limit: Int)
  /// The service refused the request.
  case problem(ProblemDetails)
  /// The answer violates the protocol.
  case malformed(String)
  /// A write may have been carried out, as far as the last answer tells. To carry it out once at most, repeat it
  /// with this `Idempotency-Key`.
  case outcomeUnknown(key: String, reason: String)
}

extension ClientError: CustomStringConvertible {
  /// A description in one sentence.
  public var description: String {
    switch self {
    case .badAddress(let reason): "bad address \(reason)"
    case .transport(_, let reason): "no answer: \(reason)"
    case .timedOut(let reason): "timed out: \(reason)"
    case .file(let reason): "a file cannot be used: \(reason)"
    case .cancelled: "cancelled"
    case .noToken(let reason, _): "no credential: \(reason)"
    case .answerTooLarge(let limit): "the answer has more than \(limit) bytes"
    case .problem(let problem): problem.description
    case .malformed(let reason): "the answer makes no sense: \(reason)"
    case .outcomeUnknown(_, let reason): "this may have been written, or not: \(reason)"
    }
  }
}

extension ClientError {
  /// Whether the same request may succeed later; `outcomeUnknown` is not to be repeated with another key.
  public var isTemporary: Bool {
    switch self {
    case .transport, .timedOut, .file: true
    case .problem(let problem): [408, 429, 500, 502, 503, 504, 507].contains(problem.status)
    case .noToken(_, let isTemporary): isTemporary
    case .badAddress, .cancelled, .answerTooLarge, .malformed, .outcomeUnknown: false
    }
  }

  /// The error as a task throws it that was cancelled.
  var orCancellation: any Error { self == .cancelled ? CancellationError() : self }

  /// How long to wait at least before trying again, if the service says so.
  public var retryAfter: Duration? {
    guard case .problem(let problem) = self else { return nil }
    return problem.retryAfterSeconds.map { .seconds($0) }
  }
}

/// The problem details of a refused request (RFC 9457).
public struct ProblemDetails: Hashable, Sendable {
  /// An error at one place in the request's body.
  public struct Entry: Hashable, Sendable {
    /// A JSON Pointer (RFC 6901) into the request's body.
    public var pointer: String
    /// What is wrong there.
    public var detail: String

    /// Creates an entry.
    public init(pointer: String, detail: String) {
      self.pointer = pointer
      self.detail = detail
    }
  }

  /// The status code of the answer.
  public var status: Int
  /// The machine-readable code, such as `version-conflict`; its meaning never changes.
  ///
  /// It is `unknown` if the answer is not of the type `application/problem+json`: then it comes from a proxy, not
  /// from the service.
  ///
  /// `outcome-unknown` is that of a write that may have been made: repeat it with the same
  /// `Idempotency-Key`, which finds out.
  public var code: String
  /// A human-readable summary of the kind of problem.
  public var title: String
  /// A human-readable description of this occurrence.
  public var detail: String
  /// The collection's current version, in case of a version conflict.
  public var current: String?
  /// The limit that was exceeded, if any.
  public var limit: Int?
  /// The seconds to wait before trying again (`Retry-After`), if the service says so.
  public var retryAfterSeconds: Int?
  /// The individual errors.
  public var entries: [Entry]

  /// Creates problem details.
  public init(
    status: Int, code: String, title: String = "", detail: String = "", current: String? = nil,
    limit: Int? = nil, entries: [Entry] = []
  ) {
    self.status = status
    self.code = code
    self.title = title
    self.detail = detail
    self.current = current
    self.limit = limit
    self.entries = entries
  }
}

extension ProblemDetails: CustomStringConvertible {
  /// The status, the code, the description and the individual errors.
  public var description: String {
    let sentence = detail.isEmpty ? title : detail
    let places = entries.map { "\n  \($0.pointer): \($0.detail)" }.joined()
    return "\(status) \(code)\(sentence.isEmpty ? "" : ": " + sentence)\(places)"
  }
}
