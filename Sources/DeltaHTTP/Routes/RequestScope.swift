import Authentication
import CollectionService
import Dispatch
import HTTP1
import SocketServer

/// One request and the means to respond to it: all that the routes know of the server.
struct RequestScope: Sendable {
  private(set) var request: HTTPRequest
  /// The codings that the client accepts.
  let codings: AcceptedCodings
  /// The subject of the request, as far as it is known.
  var subject = RequestSubject()
  /// What the request was admitted with; nil where nobody has to say who they are.
  var pass: Pass?
  private var responder: Responder
  private let requestLog: RequestLog
  private let record: RequestRecord
  /// Where answers are kept for who asks the same again.
  private let remembered: RememberedAnswers?

  init(
    _ request: HTTPRequest, _ responder: Responder, _ requestLog: RequestLog,
    _ remembered: RememberedAnswers? = nil
  ) {
    self.request = request
    self.responder = responder
    self.requestLog = requestLog
    self.remembered = remembered
    codings = AcceptedCodings(request)
    record = requestLog.begin(request)
  }

  /// The same without the request's body, so that a waiting request does not keep it in memory.
  func withoutBody() -> RequestScope {
    var scope = self
    scope.request.body = []
    scope.responder = responder.withoutBody()
    return scope
  }

  /// The id of the request in its response and in the log.
  var requestID: RequestID { record.id }

  /// Contents above this are coded elsewhere: who answers is an event loop, or a shard that others
  /// wait for.
  private static let codedInPlaceBytesMax = 16 << 10
  private static let workers = DispatchQueue(
    label: "livedelta.exchange", attributes: .concurrent)

  /// Sends a response, in a coding if the client takes one and the response has none yet; once, from
  /// any thread.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - head: Who asks the same gets the same for as long as this is current; nil for not at all.
  func reply(_ response: HTTPResponse, of head: PublishedHead? = nil) {
    let coding = codings.coding(forTextOf: response.body.count)
    guard coding != .identity, response.body.count > 0,
      response.field("Content-Encoding") == nil
    else { return send(response, head) }
    guard response.body.count > Self.codedInPlaceBytesMax else {
      return send(response.coded(coding), head)
    }
    Self.workers.async { send(response.coded(coding), head) }
  }

  /// Does work that takes too long for an event loop.
  func onWorker(_ work: @escaping @Sendable () -> Void) { Self.workers.async(execute: work) }

  func reply(_ problem: Problem) { reply(problem.naming(requestID).response) }

  /// Replies with the response to a success, or with what went wrong.
  func reply<Success>(
    _ result: Result<Success, ServiceFailure>, _ response: (Success) -> HTTPResponse
  ) {
    switch result {
    case .success(let success): reply(response(success))
    case .failure(let failure): reply(Problem(failure))
    }
  }

  private func send(_ response: HTTPResponse, _ head: PublishedHead?) {
    var response = response
    let count = request.isHead ? 0 : response.body.count
    if let head, let remembered, request.isRepeatable {
      let logged = requestLog.repeated(request, subject, status: response.status, byteCount: count)
      remembered.insert(
        RememberedAnswer(request, head, pass, response, subject.kind, logged))
    }
    requestLog.mark(&response, record, request)
    requestLog.noteResponse(record, subject, status: response.status)
    requestLog.end(record, subject, request, status: response.status, byteCount: count)
    responder.send(response)
  }

  /// Has an action called if the peer goes away before it is answered.
  func onClose(_ action: @escaping @Sendable () -> Void) {
    responder.onClose {
      requestLog.end(record, subject, request, status: Self.closedByClient, byteCount: 0)
      action()
    }
  }

  /// The status in the log when the client closed the connection before its response.
  private static let closedByClient = 499

  /// Begins a response that is written piece by piece.
  func openStream(_ head: HTTPResponse) -> ResponseStream {
    var head = head
    requestLog.mark(&head, record, request)
    requestLog.noteResponse(record, subject, status: head.status)
    return responder.stream(head)
  }

  /// Logs the end of a response that was written piece by piece.
  func endStream(byteCount: Int) {
    requestLog.end(record, subject, request, status: 200, byteCount: byteCount)
  }
}
