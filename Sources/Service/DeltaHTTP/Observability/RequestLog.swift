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
  let faults: FaultSink
  private let secondsStale: @Sendable (Duration) -> Int?
  /// Whether cookies may authorize requests.
  private let variesByCookie: Bool
  /// Begins traces; `nil` if requests are not traced.
  let tracing: Tracing?
  /// Requests without a parent whose number is not above it are traced; numbers are not zero.
  let tracedNumberMax: UInt64

  /// Creates a log; `secondsStale` returns how long the store has been away, or had been when it came back within a
  /// duration until now; `nil` if it is not and has not.
  init(
    time: TimeSource, log: AccessLog?, hashesNames: Bool, crossOrigin: CrossOrigin,
    tracing: Tracing?, variesByCookie: Bool = false, faults: @escaping FaultSink = { _ in },
    secondsStale: @escaping @Sendable (Duration) -> Int?
  ) {
    self.variesByCookie = variesByCookie
    self.tracing = tracing
    tracedNumberMax = tracing?.numberMax ?? 0
    self.secondsStale = secondsStale
    self.time = time
    self.log = log
    self.hashesNames = hashesNames
    self.faults = faults
    crossOrigins = Mutex(crossOrigin)
  }

  /// Which pages may use the service; may change at any time.
  var crossOrigin: CrossOrigin {
    get { crossOrigins.withLock(\.self) }
    set { crossOrigins.withLock { $0 = newValue } }
  }

  /// Begins the record of a request, `nil` for one that could not be parsed.
  func begin(
    _ request: HTTPRequest?, from peer: PeerAddress, mayTrace: Bool = true
  ) -> RequestRecord {
    RequestRecord(
      request, from: peer, number: numbers.next(), start: time.uptime(), hashesNames: hashesNames,
      mayTrace ? tracing : nil)
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
  ///
  /// One that shared caches may keep has nothing of who asked first: neither an id nor a trace.
  func mark(
    _ response: inout HTTPResponse, _ record: RequestRecord, _ request: HTTPRequest?,
    _ parked: ParkedTime? = nil
  ) {
    guard let request else { return response.appendField("Request-Id", record.id.bytes) }
    // The answer is from memory if the store was away at any time since it is known to be current. That the store is
    // back for some does not make what others get current.
    let date = parked?.asOf ?? record.start
    if response.status < 400, let seconds = secondsStale(time.uptime() - date) {
      response.setField("Collection-Stale", seconds)
      // Nobody knows whether it is still public.
      if response.isPublic { response.setField("Cache-Control", "no-store") }
    }
    if !response.isPublic {
      response.appendField("Request-Id", record.id.bytes)
      if record.parent != nil, let span = record.span {
        response.appendField("traceparent", span.traceparent)
      }
    }
    crossOrigin.mark(&response, to: request)
  }

  /// Records a response in the metrics: its latency is the time to it without waiting.
  func countResponse(_ answered: AnsweredRequest) {
    let parked = answered.parked ?? .zero
    let latency = max(.zero, time.uptime() - answered.record.start - parked)
    metrics.count(answered, microseconds: latency.microseconds)
    if parked > .zero {
      metrics.countWait(answered.subject.kind, microseconds: parked.microseconds)
    }
  }

  /// Records the end of a request in the log and its trace, once.
  func end(_ answered: AnsweredRequest) {
    let record = answered.record
    guard !record.hasEnded.exchange(true, ordering: .relaxed) else { return }
    let microseconds = (time.uptime() - record.start).microseconds
    if let span = record.span {
      record.tracing?.export(
        answered, span, id: record.id, from: record.peer, microseconds: microseconds)
    }
    log?.append(
      LogEntry(
        milliseconds: time.milliseconds(), number: record.number, microseconds: microseconds,
        peer: record.peer, request: answered))
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
    let answered = AnsweredRequest(record, RequestSubject(), response)
    countResponse(answered)
    end(answered)
    return response
  }
}
