import CollectionService
import HTTP1
import SocketServer

/// The resources of the operations listener.
struct OperationsRoutes: Sendable {
  let service: DeltaService
  let drainer: Drainer
  let requestLog: RequestLog
  let faults: FaultLog
  let accessControl: AccessControl
  /// Allows no other origin to change anything, regardless of `cors.origins`.
  private let crossOrigin = CrossOrigin([])
  /// Checks whether all event loops respond.
  let probe: @Sendable (_ completion: @escaping @Sendable (Bool) -> Void) -> Void

  /// Creates a listener that serves the resources at an address.
  func listener(at address: ListenAddress) -> Listener {
    Listener(
      address: address, headCheck: { requestLog.note(decide($0, from: $1), of: $0) }
    ) { request, responder in
      serve(RequestScope(request, responder, requestLog))
    }
  }

  private func decide(_ head: HTTPRequest, from peer: PeerAddress) -> BodyDecision {
    do throws(Problem) {
      try check(head, from: peer)
      return .read()
    } catch {
      return .refuse(error.response)
    }
  }

  private func serve(_ scope: RequestScope) {
    var scope = scope
    scope.subject.kind = .operations
    let request = scope.request
    do throws(Problem) {
      try check(request, from: scope.peer)
    } catch {
      return scope.reply(error)
    }
    let path = String(decoding: request.path, as: UTF8.self)
    guard let allowed = Self.allowed(path) else {
      scope.subject.kind = .none
      return scope.reply(.notFound)
    }
    if request.method == .options {
      var response = HTTPResponse(status: 204)
      response.setField("Allow", allowed)
      return scope.reply(response)
    }
    guard allowed.split(separator: ", ").contains(Substring(request.method.rawValue)) else {
      return scope.reply(.methodNotAllowed(allowed))
    }
    switch path {
    case "/livez": answerLiveness(scope)
    case "/readyz": scope.reply(readiness())
    case "/metrics": scope.reply(metrics())
    default:
      drainer.drain()
      scope.reply(state(202, "draining"))
    }
  }

  /// Refuses writes from other origins, and unauthorized requests.
  private func check(_ request: HTTPRequest, from peer: PeerAddress) throws(Problem) {
    try crossOrigin.checkWrite(request)
    let path = String(decoding: request.path, as: UTF8.self)
    _ = try accessControl.admit(request, from: peer, Self.requirement(request.method, path))
  }

  /// Returns the methods that a resource allows, or `nil` if it does not exist.
  private static func allowed(_ path: String) -> String? {
    switch path {
    case "/livez", "/readyz", "/metrics": "GET, HEAD, OPTIONS"
    case "/drain": "POST, OPTIONS"
    case "*": "GET, HEAD, POST, OPTIONS"
    default: nil
    }
  }

  /// Does not check the store, because restarting the process would not repair it.
  private func answerLiveness(_ scope: RequestScope) {
    probe { isAlive in scope.reply(isAlive ? state(200, "live") : state(503, "stuck")) }
  }

  private func readiness() -> HTTPResponse {
    if drainer.isDraining { return state(503, "draining") }
    return service.isReady ? state(200, "ready") : state(503, "store-unavailable")
  }

  private func state(_ status: Int, _ state: String) -> HTTPResponse {
    var response = HTTPResponse.json(
      Array("{\"status\":\"\(state)\"}".utf8), status: status, cache: "no-store")
    if status == 503 { response.setField("Retry-After", 5) }
    return response
  }

  private func metrics() -> HTTPResponse {
    var metrics = MetricsText()
    metrics.add(service.counters)
    metrics.add(faults)
    metrics.add(requestLog)
    var response = HTTPResponse(status: 200, body: .bytes(Array(metrics.text.utf8)))
    response.setField("Content-Type", MediaType.metrics)
    response.setField("Cache-Control", "no-store")
    response.setField("Vary", HTTPResponse.variance)
    return response
  }
}
