import CollectionService
import HTTP1
import SocketServer
import Synchronization
import Telemetry
import VersionedCollections

/// Records every request in its response, the log, the metrics and its trace.
final class RequestLog: Sendable {
  let metrics = RequestMetrics()
  let log: AccessLog?
  let time: TimeSource
  let numbers = UniqueNumbers()
  private let crossOrigins: Mutex<CrossOrigin>
  private let hashesNames: Bool
  private let secondsStale: @Sendable (Duration) -> Int?
  /// Whether cookies may authorize requests.
  private let variesByCookie: Bool
  /// Begins traces; `nil` if requests are not traced.
  let tracing: RequestTracing?
  /// Requests without a parent whose number is not above it are traced; numbers are not zero.
  let tracedNumberMax: UInt64

  /// Creates a log; `secondsStale` returns how long the store has been away, or had been when it came back within a
  /// duration until now; `nil` if it is not and has not.
  init(
    time: TimeSource, log: AccessLog?, hashesNames: Bool, crossOrigin: CrossOrigin,
    tracing: RequestTracing?, variesByCookie: Bool = false,
    secondsStale: @escaping @Sendable (Duration) -> Int?
  ) {
    self.variesByCookie = variesByCookie
    self.tracing = tracing
    tracedNumberMax = tracing?.numberMax ?? 0
    self.secondsStale = secondsStale
    self.time = time
    self.log = log
    self.hashesNames = hashesNames
    crossOrigins = Mutex(crossOrigin)
  }

  /// Which pages may use the service; may change at any time.
  var crossOrigin: CrossOrigin {
    get { crossOrigins.withLock(\.self) }
    set { crossOrigins.withLock { $0 = newValue } }
  }

  /// Begins the record of a request; `nil` for one that could not be parsed.
  func begin(
    _ request: HTTPRequest?, from peer: PeerAddress, mayTrace: Bool = true
  ) -> RequestRecord {
    RequestRecord(
      request, from: peer, number: numbers.next(), start: time.uptime(), mayTrace ? tracing : nil)
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
  func mark(
    _ response: inout HTTPResponse, _ record: RequestRecord, _ request: HTTPRequest?,
    _ parked: ParkedTime? = nil
  ) {
    response.appendField("Request-Id", record.id.bytes)
    guard let request else { return }
    if let parent = record.parent {
      response.appendField(
        "traceparent", record.trace?.traceparent ?? parent.field(span: record.number))
    }
    // What is answered is from memory if the store was away when it was decided; a wait decides at its end.
    let decided = parked?.lastEvaluation ?? record.start
    if response.status < 400, let seconds = secondsStale(time.uptime() - decided) {
      response.setField("Collection-Stale", seconds)
      // Nobody knows whether it is still public.
      if response.isPublic { response.setField("Cache-Control", "no-store") }
    }
    crossOrigin.mark(&response, to: request)
  }

  /// Returns how a request was answered; `isShared` if others will be answered alike.
  func answered(
    _ record: RequestRecord, _ subject: RequestSubject, _ response: HTTPResponse,
    isHead: Bool = false, isShared: Bool = false
  ) -> AnsweredRequest {
    var subject = subject
    if isShared { subject.parked = subject.parked.map { _ in ParkedTime() } }
    return AnsweredRequest(
      record, subject, status: response.status, bytesSent: isHead ? 0 : response.body.count,
      code: response.problemCode, hashesNames: hashesNames, isShared: isShared)
  }

  /// Returns how a request without a complete response ended.
  func answered(
    _ record: RequestRecord, _ subject: RequestSubject, status: Int, bytesSent: Int = 0
  ) -> AnsweredRequest {
    AnsweredRequest(
      record, subject, status: status, bytesSent: bytesSent, hashesNames: hashesNames)
  }

  /// Records a response in the metrics: its latency is the time to it without waiting.
  func countResponse(_ record: RequestRecord, _ answered: AnsweredRequest) {
    let parked = answered.subject.parkedDuration
    let latency = max(.zero, time.uptime() - record.start - parked)
    metrics.count(answered, microseconds: latency.microseconds)
    if parked > .zero {
      metrics.countWait(answered.subject.kind, microseconds: parked.microseconds)
    }
  }

  /// Records the end of a request in the log and its trace; later calls have no effect.
  func end(_ record: RequestRecord, _ answered: AnsweredRequest) {
    guard !record.hasEnded.exchange(true, ordering: .relaxed) else { return }
    record.trace?.end(answered, id: record.id.bytes, from: record.peer, start: record.start)
    log?.append(
      LogEntry(
        milliseconds: time.milliseconds(), number: record.number,
        microseconds: (time.uptime() - record.start).microseconds, peer: record.peer,
        request: answered))
  }
}

extension RequestLog {
  /// Records the decision on a head whose body has not been read: a refusal is logged like any
  /// request.
  func record(
    _ decision: BodyDecision, of head: HTTPRequest, from peer: PeerAddress, mayTrace: Bool = true
  ) -> BodyDecision {
    var response: HTTPResponse
    switch decision {
    case .read: return decision
    case .later(let decide):
      return .later { decided in
        decide { decided(self.record($0, of: head, from: peer, mayTrace: mayTrace)) }
      }
    case .refuse(let refusal): response = refusal
    }
    vary(&response)
    return .refuse(record(head, from: peer, mayTrace: mayTrace) { _ in response })
  }

  /// Creates and records the response to a request that the server itself refuses.
  func refuse(_ problem: ServerProblem, from peer: PeerAddress) -> HTTPResponse {
    record(nil, from: peer) { Problem(problem).naming($0).response }
  }

  private func record(
    _ request: HTTPRequest?, from peer: PeerAddress, mayTrace: Bool = true,
    _ respond: (RequestID) -> HTTPResponse
  ) -> HTTPResponse {
    let record = begin(request, from: peer, mayTrace: mayTrace)
    var response = respond(record.id)
    mark(&response, record, request)
    let answered = answered(record, RequestSubject(), response)
    countResponse(record, answered)
    end(record, answered)
    return response
  }
}
