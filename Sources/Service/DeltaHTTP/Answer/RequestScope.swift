import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import SocketServer
import Synchronization
import Telemetry
import VersionedCollections

/// A request and the means to respond to it; the only access that routes have to the server.
struct RequestScope: Sendable {
  private(set) var request: HTTPRequest
  /// The content codings that the client accepts.
  let codings: AcceptedCodings
  /// What the request is about, as far as it is known.
  var subject = RequestSubject()
  /// The authorization of the request; `nil` if authentication is off.
  var authorization: Authorization?
  /// Why the request is served only if anybody may read what it asks for; `nil` otherwise.
  var refusal: Refusal?
  /// What the request counts against; `nil` without limits.
  var budget: Budget?
  /// The place that the request takes while it waits or streams.
  var hold: PlaceHold?
  private var responder: Responder
  private let requestLog: RequestLog
  /// Does what would take too long on an event loop.
  private let workers: WorkQueue
  private let record: RequestRecord
  /// The cache of responses for repeated requests.
  private let remembered: RememberedAnswers?

  init(
    _ request: HTTPRequest, _ responder: Responder, _ requestLog: RequestLog,
    _ workers: WorkQueue, _ remembered: RememberedAnswers? = nil, mayTrace: Bool = true
  ) {
    self.request = request
    self.responder = responder
    self.requestLog = requestLog
    self.workers = workers
    self.remembered = remembered
    codings = AcceptedCodings(request)
    record = requestLog.begin(request, from: responder.peer, mayTrace: mayTrace)
  }

  /// Returns a copy without the request's body, so that a waiting request does not hold it in
  /// memory.
  func withoutBody() -> RequestScope {
    var scope = self
    scope.request.body = []
    scope.responder = responder.withoutBody()
    return scope
  }

  var peer: PeerAddress { responder.peer }

  /// The request's id in its response and in the log.
  var requestID: RequestID { record.id }

  /// Begins the span of a request to another service for this one; `nil` if this one is not traced.
  func beginSpan(_ name: String) -> TraceSpan? { record.tracing?.begin(name, of: record.span) }

  /// Ends the span of a request to another service.
  func end(_ span: TraceSpan?, hasFailed: Bool) { record.tracing?.end(span, hasFailed: hasFailed) }

  /// The time since the service started.
  var uptime: Duration { requestLog.time.uptime() }

  /// Has something done once an uptime is reached.
  func after(_ uptime: Duration, _ work: @escaping @Sendable () -> Void) {
    _ = requestLog.time.after(uptime, work)
  }

  /// Logs a fault.
  func report(_ fault: Fault) { requestLog.faults(fault) }

  /// Performs work that would take too long on an event loop.
  func onWorker(_ work: @escaping @Sendable () -> Void) { workers.async(work) }

  /// The largest content that is encoded on the current queue, an event loop or a shard, in bytes;
  /// larger contents are encoded on a worker.
  private static let codedInPlaceBytesMax = 16 << 10
}

extension RequestScope {
  /// Sends a response, encoding its content if the client accepts that and it is not encoded yet.
  ///
  /// It is called once, from any thread; the response may be repeated while `head` is current.
  func reply(_ response: HTTPResponse, of head: PublishedHead? = nil) {
    if let problem = matchFailure(response) { return reply(problem) }
    let coding = codings.coding(forTextOf: response.body.count)
    guard coding != .identity, response.body.count > 0,
      response.field("Content-Encoding") == nil
    else { return send(response, head) }
    guard response.body.count > Self.codedInPlaceBytesMax else {
      return send(response.coded(coding), head)
    }
    onWorker { send(response.coded(coding), head) }
  }

  func reply(_ problem: Problem) {
    reply(problem.explaining(request).naming(requestID).response)
  }

  /// Sends the response to a success, or the problem of a failure.
  func reply<Success>(
    _ result: Result<Success, ServiceFailure>, _ response: (Success) -> HTTPResponse
  ) {
    switch result {
    case .success(let success): reply(response(success))
    case .failure(let failure): reply(Problem(failure))
    }
  }

  /// Performs work; its problem is the response.
  func attempt(_ work: () throws(Problem) -> Void) {
    do throws(Problem) {
      try work()
    } catch {
      reply(error)
    }
  }

  private func send(_ response: HTTPResponse, _ head: PublishedHead?) {
    var response = response
    requestLog.vary(&response)
    // What the peer may do is not told by the bytes that the cache goes by.
    let isPeer = authorization?.principal.isPeer ?? false
    if let head, let remembered, request.isRepeatable, !isPeer {
      let answered = AnsweredRequest(
        record, subject, response, isHead: request.isHead, isShared: true)
      remembered.insert(
        RememberedAnswer(
          request, head, authorization, budget, isForStrangers: refusal != nil, response, answered))
    }
    requestLog.mark(&response, record, request, subject.parked)
    let answered = AnsweredRequest(record, subject, response, isHead: request.isHead)
    requestLog.countResponse(answered)
    requestLog.end(answered)
    responder.send(response)
  }

  /// Records what the answer is, for the log and the metrics.
  func note(_ answer: ReadAnswer, _ dialect: Dialect) { record.mark = AnswerMark(answer, dialect) }

  /// Ends a read's wait when the peer shuts down its side of the connection, and cancels the read when the
  /// peer has disconnected.
  ///
  /// A reader that waits is watched, too: it begins anew as soon as it may see something else.
  func endWaitOnHangup(_ ticket: ReadTicket, _ watch: WaitWatch? = nil) {
    onHangup(ticket.endWait) {
      ticket.cancel()
      watch?.end()
    }
    watch?.begin(authorization, ticket)
  }

  /// Ends work when the peer has disconnected before there is a response.
  func onHangup(
    _ endWait: @escaping @Sendable () -> Void = {}, _ cancel: @escaping @Sendable () -> Void
  ) {
    responder.onHangup { hangup in
      switch hangup {
      case .sending: endWait()
      case .both:
        requestLog.end(AnsweredRequest(record, subject, status: Self.closedByClient))
        cancel()
      }
    }
  }

  /// The logged status of a request whose client disconnected before the response.
  private static let closedByClient = 499
}

extension RequestScope {
  /// Starts a response that is written in pieces, up to `endStream(byteCount:)`.
  func openStream(_ head: HTTPResponse) -> ResponseStream {
    var head = head
    requestLog.vary(&head)
    requestLog.mark(&head, record, request, subject.parked)
    requestLog.countResponse(AnsweredRequest(record, subject, status: head.status))
    requestLog.metrics.streams.wrappingAdd(1, ordering: .relaxed)
    return responder.stream(head)
  }

  /// Counts an answer about several collections, or an event of a stream.
  func count(_ answer: SyncAnswer, _ dialect: Dialect) {
    for news in answer.news {
      requestLog.metrics.countStreamed(AnswerMark(news.answer, dialect))
    }
  }

  func countStreamed(byteCount: Int) { requestLog.metrics.countStreamed(byteCount: byteCount) }

  /// Logs the end of a response written in pieces; called once.
  func endStream(byteCount: Int) {
    requestLog.metrics.streams.wrappingSubtract(1, ordering: .relaxed)
    requestLog.end(AnsweredRequest(record, subject, status: 200, bytesSent: byteCount))
  }
}
