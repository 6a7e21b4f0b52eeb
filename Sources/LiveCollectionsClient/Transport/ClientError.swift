/// Why a call to the service failed.
public enum ClientError: Error, Hashable, Sendable {
  /// An invalid address; the text says why.
  case badAddress(String)
  /// No connection, or one that broke: libcurl's code and message.
  case transport(code: Int, reason: String)
  /// No complete answer in time.
  case timedOut(reason: String)
  /// The task that waited was cancelled.
  case cancelled
  /// An answer with more bytes than the client's limit.
  case answerTooLarge(limit: Int)
  /// The service refused, and said why.
  case problem(ProblemDetails)
  /// An answer that does not follow the protocol.
  case malformed(String)
}

extension ClientError: CustomStringConvertible {
  /// What went wrong, in one sentence.
  public var description: String {
    switch self {
    case .badAddress(let reason): "bad address \(reason)"
    case .transport(_, let reason): "no answer: \(reason)"
    case .timedOut(let reason): "timed out: \(reason)"
    case .cancelled: "cancelled"
    case .answerTooLarge(let limit): "the answer has more than \(limit) bytes"
    case .problem(let problem): problem.description
    case .malformed(let reason): "the answer makes no sense: \(reason)"
    }
  }
}

/// The problem details of a refused request (RFC 9457).
public struct ProblemDetails: Hashable, Sendable {
  /// A fault at one place of the request's body.
  public struct Entry: Hashable, Sendable {
    /// A JSON pointer (RFC 6901) into the body that was sent.
    public var pointer: String
    /// What is wrong there.
    public var detail: String

    /// A place and what is wrong there.
    public init(pointer: String, detail: String) {
      self.pointer = pointer
      self.detail = detail
    }
  }

  /// The status code of the answer.
  public var status: Int
  /// The code for machines, such as `version-conflict`; never changes its meaning.
  public var code: String
  /// The kind of problem, for people.
  public var title: String
  /// What went wrong this time, for people.
  public var detail: String
  /// The collection's current version, for a conflict of versions.
  public var current: String?
  /// The limit that was exceeded.
  public var limit: Int?
  /// The places that are wrong.
  public var entries: [Entry]

  /// The details of a problem.
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
  /// The status, the code, and what is wrong where.
  public var description: String {
    let sentence = detail.isEmpty ? title : detail
    let places = entries.map { "\n  \($0.pointer): \($0.detail)" }.joined()
    return "\(status) \(code)\(sentence.isEmpty ? "" : ": " + sentence)\(places)"
  }
}
