import CollectionService
import HTTP1
import SocketServer
import Synchronization

/// Records every request: in its response, the log and the metrics.
final class RequestLog: Sendable {
  let metrics = RequestMetrics()
  let log: AccessLog?
  let crossOrigin: CrossOrigin
  private let time: TimeSource
  private let names: LoggedNames
  private let numbers = RequestNumbers()

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - time: What durations are measured by.
  ///   - log: Gets a line for each request; nil for none.
  ///   - namesAreHashed: Whether clients and collections appear in it as hashes.
  ///   - crossOrigin: Which pages may use the service.
  init(time: TimeSource, log: AccessLog?, namesAreHashed: Bool, crossOrigin: CrossOrigin) {
    self.time = time
    self.log = log
    names = LoggedNames(areHashed: namesAreHashed)
    self.crossOrigin = crossOrigin
  }

  /// Begins the record of a request; nil where it could not be read as one.
  func begin(_ request: HTTPRequest?) -> RequestRecord {
    RequestRecord(start: time.uptime(), number: numbers.next(), request)
  }

  /// Adds the request's id, its trace and the fields for browsers to a response.
  func mark(_ response: inout HTTPResponse, _ record: RequestRecord, _ request: HTTPRequest?) {
    response.appendField("Request-Id", record.id.bytes)
    guard let request else { return }
    if let context = TraceContext(request) {
      response.appendField("traceparent", context.field(span: record.number))
    }
    crossOrigin.mark(&response, to: request)
  }

  /// What the log says of requests that are answered from memory as this one was answered.
  func repeated(
    _ request: HTTPRequest, _ subject: RequestSubject, status: Int, byteCount: Int
  ) -> LoggedRequest {
    var subject = subject
    subject.parked = subject.parked.map { _ in ParkedTime() }
    return LoggedRequest(request, subject, status: status, byteCount: byteCount, names, nil)
  }

  /// Sends an answer that was given before, and records the request as any other.
  func send(_ answer: RememberedAnswer, to request: HTTPRequest, _ responder: Responder) {
    let start = time.uptime()
    let number = numbers.next()
    var response = answer.response
    response.appendField("Request-Id", hexadecimalDigits(number).span)
    crossOrigin.mark(&response, to: request)
    answer.head.use()
    let microseconds = (time.uptime() - start).microseconds
    metrics.note(answer.kind, status: response.status, microseconds: microseconds, isRepeated: true)
    log?.append(
      LogEntry(
        date: time.date(), number: number, microseconds: microseconds, request: answer.logged))
    responder.send(response)
  }

  /// Notes the latency of a request: the time to its response, without what it was parked.
  func noteResponse(_ record: RequestRecord, _ subject: RequestSubject, status: Int) {
    let latency = max(.zero, time.uptime() - record.start - subject.parkedDuration)
    metrics.note(subject.kind, status: status, microseconds: latency.microseconds)
  }

  /// Ends a request: its line in the log.
  ///
  /// - Parameters:
  ///   - record: What was noted of it.
  ///   - subject: What it was about.
  ///   - request: The request; nil for what could not be read as one.
  ///   - status: Of the response; 499 if the client did not wait for it.
  ///   - byteCount: Of the content that was sent.
  func end(
    _ record: RequestRecord, _ subject: RequestSubject, _ request: HTTPRequest?, status: Int,
    byteCount: Int
  ) {
    guard let log, !record.isLogged.exchange(true, ordering: .relaxed) else { return }
    log.append(
      LogEntry(
        date: time.date(), number: record.number,
        microseconds: (time.uptime() - record.start).microseconds,
        request: LoggedRequest(
          request, subject, status: status, byteCount: byteCount, names, record)))
  }
}

/// One request as it is noted.
final class RequestRecord: Sendable {
  /// When it was complete.
  let start: Duration
  /// Tells it from others.
  let number: UInt64
  /// The id that the client gave it, else its number.
  let id: RequestID
  /// Whether its line was written: there is one, whatever becomes of its response.
  let isLogged = Atomic(false)

  init(start: Duration, number: UInt64, _ request: HTTPRequest?) {
    self.start = start
    self.number = number
    id = request.flatMap { RequestID(given: $0) } ?? RequestID(checked: Self.digits(number))
  }

  /// The number in 16 digits.
  var span: [UInt8] { Self.digits(number) }

  private static func digits(_ number: UInt64) -> [UInt8] {
    var digits: [UInt8] = []
    digits.append(hexadecimal: number)
    return digits
  }
}

/// The subject of a request, as far as it is known.
struct RequestSubject: Sendable {
  var kind: RequestKind = .none
  var route: Route?
  /// How long it was parked; nil if it never is.
  var parked: ParkedTime?

  var parkedDuration: Duration { parked?.duration ?? .zero }

  /// The client and the collection in the path.
  var names: (client: ResourceName?, collection: ResourceName?) { route?.names ?? (nil, nil) }
}
