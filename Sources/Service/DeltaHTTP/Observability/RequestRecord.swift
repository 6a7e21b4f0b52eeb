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
  let number: UInt64
  /// The id given by the client, or else the number.
  let id: RequestID
  let peer: PeerAddress
  /// Its method; `nil` if it could not be parsed.
  let method: HTTPMethod?
  /// The size of its body, decoded, in bytes.
  let bodyByteCount: Int
  /// The caller's span.
  let parent: TraceContext?
  /// Its own span, if it has a parent or is traced.
  let span: TraceContext?
  /// What its span is exported with; `nil` if it is not traced.
  let tracing: Tracing?
  /// Whether the log and the trace have hashes in place of names.
  let hashesNames: Bool
  private let markValue = Atomic<UInt8>(0)
  /// Whether its end was recorded; there is exactly one, whatever the response.
  let hasEnded = Atomic(false)

  init(
    _ request: HTTPRequest?, from peer: PeerAddress, number: UInt64, start: Duration,
    hashesNames: Bool = true, _ tracing: Tracing? = nil
  ) {
    (self.peer, self.number, self.start) = (peer, number, start)
    self.hashesNames = hashesNames
    method = request?.method
    bodyByteCount = request?.body.count ?? 0
    let parent = request.flatMap { TraceContext($0) }
    let own = request == nil ? nil : tracing?.context(parent, number)
    self.parent = parent
    self.tracing = own == nil ? nil : tracing
    span = own ?? parent.map { TraceContext(childOf: $0, span: number) }
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
}

/// How a request was answered, as the log, the metrics and its trace tell it.
///
/// `@unchecked Sendable`: ``text(_:)`` is called only on the log's queue; everything else is
/// immutable.
final class AnsweredRequest: @unchecked Sendable {
  let record: RequestRecord
  let subject: RequestSubject
  let status: Int
  /// The size of the content sent, in bytes.
  let bytesSent: Int
  /// The code of the problem, if the answer is one.
  let code: String?
  let mark: AnswerMark
  /// Whether several requests were answered alike, each with its own id.
  let isShared: Bool
  private var parts: (beforeDuration: [UInt8], afterDuration: [UInt8])?

  static let byteCount = 512

  /// The status is 499 if the client disconnected before the response; a shared answer answers other
  /// requests alike.
  init(
    _ record: RequestRecord, _ subject: RequestSubject, status: Int, bytesSent: Int = 0,
    code: String? = nil, isShared: Bool = false
  ) {
    (self.record, self.subject, mark, self.isShared) = (record, subject, record.mark, isShared)
    (self.status, self.bytesSent, self.code) = (status, bytesSent, code)
  }

  convenience init(
    _ record: RequestRecord, _ subject: RequestSubject, _ response: HTTPResponse,
    isHead: Bool = false, isShared: Bool = false
  ) {
    self.init(
      record, subject, status: response.status, bytesSent: isHead ? 0 : response.body.count,
      code: response.problemCode, isShared: isShared)
  }

  /// How long the request has waited; `nil` for kinds that never wait.
  var parked: Duration? { isShared ? subject.parked.map { _ in .zero } : subject.parked?.duration }

  /// The names in the path, as they are shown.
  var names: (client: String?, collection: String?) {
    let names = subject.route?.names
    return (
      names?.client?.logged(isHashed: record.hashesNames),
      names?.collection?.logged(isHashed: record.hashesNames)
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
    members.add("method", record.method?.rawValue)
    members.add("kind", subject.kind.name)
    let (client, collection) = names
    if let client { members.add("client", client) }
    if let collection { members.add("collection", collection) }
    members.add("status", status)
    if let code { members.add("code", code) }
    if let dialect = mark.dialect { members.add("dialect", dialect.name) }
    if let outcome = mark.outcome { members.add("outcome", outcome) }
    if record.bodyByteCount > 0 { members.add("bytesReceived", record.bodyByteCount) }
    members.add("bytes", bytesSent)
    members.addName("durationMicroseconds")
    return members.bytes
  }

  private func after(_ format: LogFormat) -> [UInt8] {
    var members = LogMembers(format)
    if let parked { members.add("parkedMicroseconds", parked.microseconds) }
    if let span = record.span, !isShared {
      members.add("trace", span.traceDigits)
      if let parent = record.parent { members.add("parent", parent.spanDigits) }
      members.add("span", span.spanDigits)
    }
    return members.bytes + (format == .json ? "}\n" : "\n").utf8
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
/// No value has a character that JSON escapes. Bytes, since strings cost each request 13,000 instructions.
private struct LogMembers {
  private(set) var bytes: [UInt8] = []
  private let isJSON: Bool

  init(_ format: LogFormat) {
    isJSON = format == .json
    bytes.reserveCapacity(256)
  }

  /// Adds a name, to be followed by a number.
  mutating func addName(_ name: String) {
    bytes += (isJSON ? ",\"" : " ").utf8
    bytes += name.utf8
    bytes += (isJSON ? "\":" : "=").utf8
  }

  mutating func add(_ name: String, _ number: Int) {
    addName(name)
    bytes += String(number).utf8
  }

  /// Adds a text, or null.
  mutating func add(_ name: String, _ text: String?) {
    addName(name)
    guard let text else { return bytes += (isJSON ? "null" : "-").utf8 }
    if isJSON { bytes.append(UInt8(ascii: "\"")) }
    bytes += text.utf8
    if isJSON { bytes.append(UInt8(ascii: "\"")) }
  }
}

extension ResourceName {
  // Names are few and easily guessed. All logs of a process share the seed.
  private static let logSeed = UInt64.random(in: 0...UInt64.max)

  /// The name as it appears in a log.
  func logged(isHashed: Bool) -> String {
    isHashed ? hexadecimalText(hash64(Array(text.utf8), seed: Self.logSeed)) : text
  }
}

extension Tracing {
  /// Exports the span of a request that ends now.
  func export(
    _ request: AnsweredRequest, _ context: TraceContext, id: RequestID, from peer: PeerAddress,
    microseconds: Int
  ) {
    let end = Int(time.nanoseconds())
    var span = TraceSpan(
      context, childOf: request.record.parent, .server, request.spanName,
      from: max(0, end - microseconds * 1000), to: end)
    span.attributes = request.attributes(id: id, from: peer)
    // What a client did wrong is no error of the server's span.
    span.hasFailed = request.status >= 500
    exporter.append(span)
  }
}

extension AnsweredRequest {
  /// The path with placeholders; a stream has that of its resource.
  private var path: String? { (subject.route?.kind ?? subject.kind).path }

  fileprivate var spanName: String {
    [record.method?.rawValue, path].compactMap(\.self).joined(separator: " ")
  }

  /// The attributes of its span, by OpenTelemetry's conventions for HTTP servers.
  ///
  /// The path is not among them, for it has names.
  fileprivate func attributes(
    id: RequestID, from peer: PeerAddress
  ) -> [(name: String, value: TraceSpan.Value)] {
    let names = names
    let texts = [
      ("http.request.method", record.method?.rawValue),
      ("http.route", record.method == nil ? nil : path), ("url.scheme", "http"),
      ("network.peer.address", peer.host), ("error.type", code),
      ("livedelta.request.id", id.description), ("livedelta.client", names.client),
      ("livedelta.collection", names.collection), ("livedelta.dialect", mark.dialect?.name),
      ("livedelta.outcome", mark.outcome),
    ]
    let numbers = [
      ("http.response.status_code", status),
      ("http.request.body.size", record.bodyByteCount > 0 ? record.bodyByteCount : nil),
      ("http.response.body.size", bytesSent),
    ]
    return texts.compactMap { name, value in value.map { (name, .text($0)) } }
      + numbers.compactMap { name, value in value.map { (name, .number($0)) } }
  }
}
