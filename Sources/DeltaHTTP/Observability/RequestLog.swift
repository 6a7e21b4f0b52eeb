import CollectionService
import HTTP1
import SocketServer
import Synchronization

/// Records every request in its response, the log and the metrics.
final class RequestLog: Sendable {
  let metrics = RequestMetrics()
  let log: AccessLog?
  private let crossOrigins: Mutex<CrossOrigin>
  private let time: TimeSource
  private let style: LogStyle
  private let numbers = RequestNumbers()
  private let secondsStale: @Sendable () -> Int?

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - time: The clock to use.
  ///   - log: Receives an entry for each request; `nil` for no access log.
  ///   - namesAreHashed: Whether names of clients and collections are hashed in it.
  ///   - crossOrigin: Determines which pages may use the service.
  ///   - secondsStale: Returns how long the store has been away; `nil` if it is not.
  init(
    time: TimeSource, log: AccessLog?, namesAreHashed: Bool, crossOrigin: CrossOrigin,
    secondsStale: @escaping @Sendable () -> Int?
  ) {
    self.secondsStale = secondsStale
    self.time = time
    self.log = log
    style = LogStyle(
      names: LoggedNames(areHashed: namesAreHashed), format: log?.format ?? .json)
    crossOrigins = Mutex(crossOrigin)
  }

  /// Which pages may use the service; may change at any time.
  var crossOrigin: CrossOrigin {
    get { crossOrigins.withLock(\.self) }
    set { crossOrigins.withLock { $0 = newValue } }
  }

  /// Begins the record of a request; `nil` stands for one that could not be parsed.
  func begin(_ request: HTTPRequest?, from peer: PeerAddress) -> RequestRecord {
    RequestRecord(start: time.uptime(), number: numbers.next(), request, peer)
  }

  /// Adds the request id, the trace and the CORS fields to a response.
  func mark(_ response: inout HTTPResponse, _ record: RequestRecord, _ request: HTTPRequest?) {
    response.appendField("Request-Id", record.id.bytes)
    guard let request else { return }
    if let context = TraceContext(request) {
      response.appendField("traceparent", context.field(span: record.number))
    }
    // While the store is away, what is answered is from memory.
    if response.status < 400, let seconds = secondsStale() {
      response.setField("Collection-Stale", seconds)
    }
    crossOrigin.mark(&response, to: request)
  }

  /// Creates the log contents shared by all requests that are answered with this response again.
  func repeated(
    _ request: HTTPRequest, _ subject: RequestSubject, _ answer: LoggedAnswer, _ mark: AnswerMark
  ) -> LoggedRequest {
    var subject = subject
    subject.parked = subject.parked.map { _ in ParkedTime() }
    return LoggedRequest(request, subject, answer, mark, style, nil)
  }

  /// Sends a cached response, and records the request like any other.
  func send(_ answer: RememberedAnswer, to request: HTTPRequest, _ responder: Responder) {
    let start = time.uptime()
    let number = numbers.next()
    var response = answer.response
    response.appendField("Request-Id", hexadecimalDigits(number).span)
    crossOrigin.mark(&response, to: request)
    answer.head.use()
    let microseconds = (time.uptime() - start).microseconds
    metrics.note(
      RequestMetrics.Note(
        kind: answer.kind, status: response.status, microseconds: microseconds,
        mark: answer.logged.mark, bytesSent: request.isHead ? 0 : response.body.count,
        isRepeated: true))
    log?.append(
      LogEntry(
        milliseconds: time.milliseconds(), number: number, microseconds: microseconds,
        peer: responder.peer, request: answer.logged))
    responder.send(response)
  }

  /// Records a response in the metrics: its latency is the time to it without waiting.
  func noteResponse(_ record: RequestRecord, _ subject: RequestSubject, _ answer: LoggedAnswer) {
    let parked = subject.parkedDuration
    let latency = max(.zero, time.uptime() - record.start - parked)
    metrics.note(
      RequestMetrics.Note(
        kind: subject.kind, status: answer.status, microseconds: latency.microseconds,
        mark: record.mark, bytesReceived: record.bodyByteCount, bytesSent: answer.byteCount))
    if parked > .zero { metrics.noteParked(subject.kind, microseconds: parked.microseconds) }
  }

  /// Records the end of a request in the log, once.
  ///
  /// - Parameters:
  ///   - record: The record of the request.
  ///   - subject: What the request is about.
  ///   - request: The request; `nil` if it could not be parsed.
  ///   - answer: The response; its status is 499 if the client disconnected before it.
  func end(
    _ record: RequestRecord, _ subject: RequestSubject, _ request: HTTPRequest?,
    _ answer: LoggedAnswer
  ) {
    guard let log, !record.isLogged.exchange(true, ordering: .relaxed) else { return }
    log.append(
      LogEntry(
        milliseconds: time.milliseconds(), number: record.number,
        microseconds: (time.uptime() - record.start).microseconds, peer: record.peer,
        request: LoggedRequest(request, subject, answer, record.mark, style, record)))
  }
}

/// The record of one request.
final class RequestRecord: Sendable {
  /// When the request was complete.
  let start: Duration
  /// The unique number of the request.
  let number: UInt64
  /// The id given by the client, or else the number.
  let id: RequestID
  /// Who sent it.
  let peer: PeerAddress
  /// The size of its body, decoded, in bytes.
  let bodyByteCount: Int
  private let markValue = Atomic<UInt8>(0)
  /// Whether its log line has been written; there is exactly one, whatever the response.
  let isLogged = Atomic(false)

  init(start: Duration, number: UInt64, _ request: HTTPRequest?, _ peer: PeerAddress) {
    self.start = start
    self.peer = peer
    bodyByteCount = request?.body.count ?? 0
    self.number = number
    id = request.flatMap { RequestID(given: $0) } ?? RequestID(checked: Self.digits(number))
  }

  /// What the answer is.
  var mark: AnswerMark {
    get { AnswerMark(rawValue: markValue.load(ordering: .relaxed)) }
    set { markValue.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// The number as 16 hexadecimal digits.
  var span: [UInt8] { Self.digits(number) }

  private static func digits(_ number: UInt64) -> [UInt8] {
    var digits: [UInt8] = []
    digits.append(hexadecimal: number)
    return digits
  }
}

/// What a request is about, as far as it is known.
struct RequestSubject: Sendable {
  var kind: RequestKind = .none
  var route: Route?
  /// How long the request has waited; `nil` for kinds that never wait.
  var parked: ParkedTime?

  var parkedDuration: Duration { parked?.duration ?? .zero }

  /// The client and the collection named in the path.
  var names: (client: ResourceName?, collection: ResourceName?) { route?.names ?? (nil, nil) }
}
