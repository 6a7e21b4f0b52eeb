import CollectionService
import HTTP1
import SocketServer
import Synchronization
import Telemetry
import VersionedCollections

/// Records every request in its response, the log and the metrics.
final class RequestLog: Sendable {
  let metrics = RequestMetrics()
  let log: AccessLog?
  private let crossOrigins: Mutex<CrossOrigin>
  private let time: TimeSource
  private let style: LogStyle
  private let numbers = UniqueNumbers()
  private let secondsStale: @Sendable () -> Int?
  /// Whether cookies may authorize requests.
  private let variesByCookie: Bool
  /// Begins traces; `nil` if requests are not traced.
  private let tracing: RequestTracing?
  /// Requests without a parent whose number is not above it are traced; numbers are not zero.
  private let tracedNumberMax: UInt64

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - time: The clock to use.
  ///   - log: Receives an entry for each request; `nil` for no access log.
  ///   - namesAreHashed: Whether names of clients and collections are hashed in it.
  ///   - crossOrigin: Determines which pages may use the service.
  ///   - tracing: Begins traces; `nil` if requests are not traced.
  ///   - variesByCookie: Whether cookies may authorize requests.
  ///   - secondsStale: Returns how long the store has been away; `nil` if it is not.
  init(
    time: TimeSource, log: AccessLog?, namesAreHashed: Bool, crossOrigin: CrossOrigin,
    tracing: RequestTracing?, variesByCookie: Bool = false,
    secondsStale: @escaping @Sendable () -> Int?
  ) {
    self.variesByCookie = variesByCookie
    self.tracing = tracing
    tracedNumberMax = tracing?.numberMax ?? 0
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

  /// Begins the record of a request.
  ///
  /// - Parameters:
  ///   - request: The request; `nil` stands for one that could not be parsed.
  ///   - peer: Its sender.
  ///   - age: Returns how long ago it came, if that is known.
  ///   - mayTrace: Whether it may be traced.
  /// - Returns: The record.
  func begin(
    _ request: HTTPRequest?, from peer: PeerAddress, age: @autoclosure () -> RequestAge? = nil,
    mayTrace: Bool = true
  ) -> RequestRecord {
    let (start, number) = (time.uptime(), numbers.next())
    let parent = request.flatMap { TraceContext($0) }
    var trace: RequestTrace?
    if let tracing, let request, mayTrace {
      trace = tracing.begin(request, parent, number, age(), start)
    }
    return RequestRecord(start: start, number: number, request, peer, parent, trace)
  }

  /// Adds `Cookie` to what the choice of a response depends on, where a cookie may authorize requests: caches
  /// must not give an answer to the next user of a browser.
  func vary(_ response: inout HTTPResponse) {
    guard variesByCookie, let fields = response.field("Vary"),
      fields.starts(with: HTTPResponse.variance.utf8)
    else { return }
    response.appendField("Vary", "Cookie")
  }

  /// Adds the request id, the trace and the CORS fields to a response.
  func mark(_ response: inout HTTPResponse, _ record: RequestRecord, _ request: HTTPRequest?) {
    response.appendField("Request-Id", record.id.bytes)
    guard let request else { return }
    if let parent = record.parent {
      response.appendField(
        "traceparent", record.trace?.traceparent ?? parent.field(span: record.number))
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
    let end = time.uptime()
    let microseconds = (end - start).microseconds
    metrics.note(
      RequestMetrics.Note(
        kind: answer.kind, status: response.status, microseconds: microseconds,
        mark: answer.logged.mark, bytesSent: request.isHead ? 0 : response.body.count,
        isRepeated: true))
    log?.append(
      LogEntry(
        milliseconds: time.milliseconds(), number: number, microseconds: microseconds,
        peer: responder.peer, request: answer.logged))
    // Compared here: a request that is not traced does not so much as retain the tracing.
    guard number <= tracedNumberMax,
      let trace = tracing?.begin(request, nil, number, responder.age, start)
    else { return responder.send(response) }
    let traceEnd = RequestTrace.End(
      method: request.method, kind: answer.kind, parked: nil, names: [],
      answer: LoggedAnswer(response, isHead: request.isHead), mark: answer.logged.mark,
      requestID: RequestRecord.digits(number), bytesReceived: 0, peer: responder.peer)
    send(response, responder, trace, traceEnd, answered: end)
  }

  /// Sends a response whose trace ends when it is sent.
  func send(
    _ response: HTTPResponse, _ responder: Responder, _ trace: RequestTrace,
    _ end: RequestTrace.End, answered: Duration
  ) {
    responder.send(response) { [time] in
      trace.end(end, answered: answered, sent: time.uptime())
    }
  }

  /// How a request was answered, for its trace.
  func traceEnd(
    _ record: RequestRecord, _ subject: RequestSubject, _ request: HTTPRequest?,
    _ answer: LoggedAnswer
  ) -> RequestTrace.End {
    let (client, collection) = subject.names
    let names = [("livedelta.client", client), ("livedelta.collection", collection)]
    return RequestTrace.End(
      method: request?.method, kind: subject.route?.kind ?? subject.kind, parked: subject.parked,
      names: names.compactMap { key, name in name.map { (key, style.names.text($0)) } },
      answer: answer, mark: record.mark, requestID: record.id.bytes,
      bytesReceived: record.bodyByteCount, peer: record.peer)
  }

  /// Records a response in the metrics: its latency is the time to it without waiting.
  ///
  /// - Returns: The time.
  @discardableResult
  func noteResponse(
    _ record: RequestRecord, _ subject: RequestSubject, _ answer: LoggedAnswer
  ) -> Duration {
    let parked = subject.parkedDuration
    let now = time.uptime()
    let latency = max(.zero, now - record.start - parked)
    metrics.note(
      RequestMetrics.Note(
        kind: subject.kind, status: answer.status, microseconds: latency.microseconds,
        mark: record.mark, bytesReceived: record.bodyByteCount, bytesSent: answer.byteCount))
    if parked > .zero { metrics.noteParked(subject.kind, microseconds: parked.microseconds) }
    return now
  }

  /// Records the end of a request in the log, once.
  ///
  /// - Parameters:
  ///   - record: The record of the request.
  ///   - subject: What the request is about.
  ///   - request: The request; `nil` if it could not be parsed.
  ///   - answer: The response; its status is 499 if the client disconnected before it.
  ///   - isSent: Whether nothing of it is left to be sent, so that its trace ends, too.
  func end(
    _ record: RequestRecord, _ subject: RequestSubject, _ request: HTTPRequest?,
    _ answer: LoggedAnswer, isSent: Bool = true
  ) {
    if isSent, let trace = record.trace {
      let now = time.uptime()
      trace.end(traceEnd(record, subject, request, answer), answered: now, sent: now)
    }
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
  /// The caller's span.
  let parent: TraceContext?
  /// Its trace; `nil` if it is not traced.
  let trace: RequestTrace?
  private let markValue = Atomic<UInt8>(0)
  /// Whether its log line has been written; there is exactly one, whatever the response.
  let isLogged = Atomic(false)

  init(
    start: Duration, number: UInt64, _ request: HTTPRequest?, _ peer: PeerAddress,
    _ parent: TraceContext?, _ trace: RequestTrace?
  ) {
    self.start = start
    (self.parent, self.trace) = (parent, trace)
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

  /// The span of the server: 16 hexadecimal digits.
  var span: [UInt8] { trace?.context.map { Array($0.span) } ?? Self.digits(number) }

  /// Formats the number of a request as 16 hexadecimal digits.
  static func digits(_ number: UInt64) -> [UInt8] {
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
