import CollectionService
import HTTP1
import Telemetry
import VersionedCollections

/// The contents of an access log entry apart from its time and duration; shared by all responses
/// repeated from a cached one.
///
/// `@unchecked Sendable`: ``text`` is accessed only on the log's queue; everything else is
/// immutable.
final class LoggedRequest: @unchecked Sendable {
  private let method: HTTPMethod?
  private let subject: RequestSubject
  private let answer: LoggedAnswer
  /// What the answer is.
  let mark: AnswerMark
  private let style: LogStyle
  /// The record of this request; `nil` for an entry that several requests share.
  private let record: RequestRecord?

  /// The approximate memory it uses, in bytes.
  static let byteCount = 512

  /// - Parameters:
  ///   - request: The request; `nil` if it could not be parsed.
  ///   - subject: What the request is about.
  ///   - answer: The response.
  ///   - mark: What the answer is.
  ///   - style: How it is formatted.
  ///   - record: The record of the request; `nil` for an entry that several requests share.
  init(
    _ request: HTTPRequest?, _ subject: RequestSubject, _ answer: LoggedAnswer,
    _ mark: AnswerMark, _ style: LogStyle, _ record: RequestRecord?
  ) {
    method = request?.method
    self.subject = subject
    self.answer = answer
    self.mark = mark
    self.style = style
    self.record = record
  }

  /// Whether several requests share it.
  var isShared: Bool { record == nil }

  /// The id given by the client.
  var id: RequestID? { record?.id }

  /// The parts of the line between the peer and the duration, and after the duration.
  private(set) lazy var text: (beforeDuration: [UInt8], afterDuration: [UInt8]) = (before, after)

  private var before: [UInt8] {
    var members = LogMembers(style.format)
    let (client, collection) = subject.names
    members.add("method", method?.rawValue.utf8)
    members.add("kind", subject.kind.name.utf8)
    if let client { members.add("client", style.names.text(client)) }
    if let collection { members.add("collection", style.names.text(collection)) }
    members.add("status", answer.status)
    if let code = answer.code { members.add("code", code.utf8) }
    if let dialect = mark.dialect { members.add("dialect", dialect.name.utf8) }
    if let outcome = mark.outcome { members.add("outcome", outcome.name.utf8) }
    if let count = record?.bodyByteCount, count > 0 { members.add("bytesReceived", count) }
    members.add("bytes", answer.byteCount)
    members.addName("durationMicroseconds")
    return members.bytes
  }

  private var after: [UInt8] {
    var members = LogMembers(style.format)
    if let parked = subject.parked {
      members.add("parkedMicroseconds", parked.duration.microseconds)
    }
    if let record, let trace = record.trace?.context ?? record.parent {
      members.add("trace", trace.trace)
      if let parent = record.parent { members.add("parent", parent.span) }
      members.add("span", record.span)
    }
    return members.bytes + Array((style.format == .json ? "}\n" : "\n").utf8)
  }
}

/// What a log line says about a response.
struct LoggedAnswer: Sendable {
  var status: Int
  /// The size of the content sent.
  var byteCount = 0
  /// The code of the problem, if it is one.
  var code: String?
}

extension LoggedAnswer {
  init(_ response: HTTPResponse, isHead: Bool = false) {
    self.init(
      status: response.status, byteCount: isHead ? 0 : response.body.count,
      code: response.problemCode)
  }
}

extension Duration {
  /// Whole microseconds.
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}
