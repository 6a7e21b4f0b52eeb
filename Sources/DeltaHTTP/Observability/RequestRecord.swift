import CollectionService
import HTTP1
import SnapshotJSON
import SocketServer
import Synchronization
import Telemetry
import VersionedCollections

/// What is known of one request from its beginning.
final class RequestRecord: Sendable {
  /// When the request was complete.
  let start: Duration
  /// The unique number of the request.
  let number: UInt64
  /// The id given by the client, or else the number.
  let id: RequestID
  /// Who sent it.
  let peer: PeerAddress
  /// Its method; `nil` if it could not be parsed.
  let method: HTTPMethod?
  /// The size of its body, decoded, in bytes.
  let bodyByteCount: Int
  /// The caller's span.
  let parent: TraceContext?
  /// The request's trace; `nil` unless it is traced.
  let trace: RequestTrace?
  private let markValue = Atomic<UInt8>(0)
  /// Whether it has ended; there is exactly one log line, whatever the response.
  let hasEnded = Atomic(false)

  init(
    _ request: HTTPRequest?, from peer: PeerAddress, number: UInt64, start: Duration,
    _ tracing: RequestTracing?
  ) {
    (self.peer, self.number, self.start) = (peer, number, start)
    method = request?.method
    bodyByteCount = request?.body.count ?? 0
    let parent = request.flatMap { TraceContext($0) }
    self.parent = parent
    trace = request.flatMap { tracing?.begin($0, parent, number) }
    id =
      request.flatMap { RequestID(given: $0) } ?? RequestID(checked: [UInt8](hexadecimal: number))
  }

  /// What the answer is.
  var mark: AnswerMark {
    get { AnswerMark(rawValue: markValue.load(ordering: .relaxed)) }
    set { markValue.store(newValue.rawValue, ordering: .relaxed) }
  }
}

/// What a request is about, as far as it is known.
struct RequestSubject: Sendable {
  var kind: RequestKind = .none
  var route: Route?
  /// How long the request has waited; `nil` for kinds that never wait.
  var parked: ParkedTime?

  var parkedDuration: Duration { parked?.duration ?? .zero }
}

/// How a request was answered, as the log, the metrics and its trace tell it.
///
/// `@unchecked Sendable`: ``text(_:)`` is called only on the log's queue; everything else is
/// immutable.
final class AnsweredRequest: @unchecked Sendable {
  let subject: RequestSubject
  let method: HTTPMethod?
  /// The size of the request's body, decoded, in bytes.
  let bytesReceived: Int
  let status: Int
  /// The size of the content sent, in bytes.
  let bytesSent: Int
  /// The code of the problem, if the answer is one.
  let code: String?
  let mark: AnswerMark
  /// The id of the request; `nil` if several requests were answered alike, each with its own.
  let id: RequestID?
  private let number: UInt64
  private let hashesNames: Bool
  private let parent: TraceContext?
  private let trace: TraceContext?
  private var parts: (beforeDuration: [UInt8], afterDuration: [UInt8])?

  /// The approximate memory it uses, in bytes.
  static let byteCount = 512

  /// The status is 499 if the client disconnected before the response; a shared answer answers other
  /// requests alike.
  init(
    _ record: RequestRecord, _ subject: RequestSubject, status: Int, bytesSent: Int = 0,
    code: String? = nil, hashesNames: Bool, isShared: Bool = false
  ) {
    self.subject = subject
    method = record.method
    bytesReceived = record.bodyByteCount
    (self.status, self.bytesSent, self.code) = (status, bytesSent, code)
    mark = record.mark
    id = isShared ? nil : record.id
    number = record.number
    self.hashesNames = hashesNames
    (trace, parent) = (record.trace?.context, record.parent)
  }

  /// The names in the path, as they are shown.
  var names: (client: [UInt8]?, collection: [UInt8]?) {
    guard let names = subject.route?.names else { return (nil, nil) }
    return (
      names.client?.logged(isHashed: hashesNames), names.collection?.logged(isHashed: hashesNames)
    )
  }

  /// The parts of its log line between the peer and the duration, and after the duration.
  func text(_ format: LogFormat) -> (beforeDuration: [UInt8], afterDuration: [UInt8]) {
    if let parts { return parts }
    let parts = (before(format), after(format))
    self.parts = parts
    return parts
  }

  private func before(_ format: LogFormat) -> [UInt8] {
    var members = LogMembers(format)
    members.add("method", method?.rawValue.utf8)
    members.add("kind", subject.kind.name.utf8)
    let (client, collection) = names
    if let client { members.add("client", client) }
    if let collection { members.add("collection", collection) }
    members.add("status", status)
    if let code { members.add("code", code.utf8) }
    if let dialect = mark.dialect { members.add("dialect", dialect.name.utf8) }
    if let outcome = mark.outcome { members.add("outcome", outcome.utf8) }
    if bytesReceived > 0 { members.add("bytesReceived", bytesReceived) }
    members.add("bytes", bytesSent)
    members.addName("durationMicroseconds")
    return members.bytes
  }

  private func after(_ format: LogFormat) -> [UInt8] {
    var members = LogMembers(format)
    if let parked = subject.parked {
      members.add("parkedMicroseconds", parked.duration.microseconds)
    }
    if let context = trace ?? parent {
      members.add("trace", context.trace)
      if let parent { members.add("parent", parent.span) }
      members.add("span", trace.map { Array($0.span) } ?? [UInt8](hexadecimal: number))
    }
    return members.bytes + Array((format == .json ? "}\n" : "\n").utf8)
  }
}

package enum LogFormat: String, CaseIterable, Sendable {
  /// A JSON object for each line.
  case json
  /// Readable text: the time, and `name=value` for everything else.
  case text
}

/// Formats members of a log line: `,"name":"value"`, or ` name=value`.
///
/// No value has a character that JSON escapes.
private struct LogMembers {
  private(set) var bytes: [UInt8] = []
  private let isJSON: Bool

  init(_ format: LogFormat) { isJSON = format == .json }

  /// Adds a name, to be followed by a number.
  mutating func addName(_ name: String) {
    bytes += (isJSON ? ",\"\(name)\":" : " \(name)=").utf8
  }

  mutating func add(_ name: String, _ number: Int) {
    addName(name)
    bytes += String(number).utf8
  }

  /// Adds a text, or null.
  mutating func add(_ name: String, _ text: (some Sequence<UInt8>)?) {
    addName(name)
    guard let text else {
      bytes += (isJSON ? "null" : "-").utf8
      return
    }
    if isJSON { bytes.append(UInt8(ascii: "\"")) }
    bytes += text
    if isJSON { bytes.append(UInt8(ascii: "\"")) }
  }
}

extension ResourceName {
  // Names are few and easily guessed. All logs of a process share the seed.
  private static let logSeed = UInt64.random(in: 0...UInt64.max)

  /// The name as it appears in a log.
  func logged(isHashed: Bool) -> [UInt8] {
    let text = Array(self.text.utf8)
    return isHashed ? [UInt8](hexadecimal: hash64(text, seed: Self.logSeed)) : text
  }
}
