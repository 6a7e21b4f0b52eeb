import Authentication
import CollectionService
import HTTP1
import SocketServer
import Telemetry
import VersionedCollections

/// The resources of the operations listener.
struct OperationsRoutes: Sendable {
  let service: DeltaService
  let drainer: Drainer
  let requestLog: RequestLog
  let faults: FaultLog
  let viewChanges: ViewChanges
  /// Allows no page of another origin to change anything, regardless of `cors.origins`.
  var gate: Gate
  /// Does what would take too long on an event loop.
  let workers: WorkQueue
  let webhook: WebhookSender?
  let spans: SpanExporter?
  /// Adds the numbers that only the server knows, and returns the bytes held for requests.
  let addServer: @Sendable (inout MetricsText) -> Int
  /// Checks whether all event loops respond.
  let probe: @Sendable (_ completion: @escaping @Sendable (Bool) -> Void) -> Void
  /// Lets one compaction at a time begin.
  let compaction = Compaction()

  /// The largest body of a request that needs none, in bytes.
  private static let bodyBytesMax = 4 << 10

  /// Creates a listener that serves the resources at an address.
  func listener(at address: ListenAddress) -> Listener {
    var routes = self
    // No page reaches a Unix socket.
    if case .unix = address { routes.gate.hosts = nil }
    return Listener(
      address: address,
      headCheck: { [routes] in
        requestLog.record(routes.check($0, from: $1), of: $0, from: $1, mayTrace: false)
      }
    ) { [routes] request, responder in
      routes.serve(RequestScope(request, responder, requestLog, workers, mayTrace: false))
    }
  }

  /// Decides by the head of a request before its body is read.
  private func check(_ head: HTTPRequest, from peer: PeerAddress) -> BodyDecision {
    do throws(Problem) {
      _ = try authorize(head, from: peer)
      guard let length = head.declaredLength, length <= Self.bodyBytesMax else {
        throw Problem(
          413, .bodyTooLarge, "this resource takes no body", limit: Self.bodyBytesMax)
      }
      return .read()
    } catch {
      return .refuse(error.response)
    }
  }

  /// Authorizes a request; what does not exist requires as much as the most of what does.
  private func authorize(
    _ request: HTTPRequest, from peer: PeerAddress
  ) throws(Problem) -> Authorization? {
    let route = OperationsRoute(path: request.path)
    let requirement =
      route?.requirement(request.method) ?? (request.method == .options ? .nothing : .admin)
    return try gate.authorize(
      request, from: peer, requirement, isProbe: route?.isHealthCheck == true)
  }

  private func serve(_ scope: RequestScope) {
    var scope = scope
    scope.subject.kind = .operations
    let request = scope.request
    do throws(Problem) {
      scope.authorization = try authorize(request, from: scope.peer)
      guard let route = OperationsRoute(path: request.path) else {
        if request.path.elementsEqual("*".utf8) {
          return answerOptions([.get, .head, .post, .delete], scope)
        }
        scope.subject.kind = .none
        throw .notFound
      }
      if request.method == .options { return answerOptions(route.methods, scope) }
      guard route.methods.contains(request.method) else {
        throw .methodNotAllowed(route.methods.allowed)
      }
      try answer(route, scope)
    } catch {
      scope.reply(error)
    }
  }

  private func answer(_ route: OperationsRoute, _ scope: RequestScope) throws(Problem) {
    switch route {
    case .liveness: answerLiveness(scope)
    case .readiness: scope.reply(readiness(forWrites: false))
    case .writeReadiness: scope.reply(readiness(forWrites: true))
    case .metrics:
      service.oldestWait { [scope] in scope.reply(metrics(scope.request, oldestWait: $0)) }
    case .drain:
      drainer.drain()
      scope.reply(state(202, "draining"))
    case .compact: compact(scope)
    case .clients: try clients(scope, Query(scope.request.query))
    case .client(let client) where scope.request.method == .delete: deleteClient(client, scope)
    case .client(let client): try usage(of: client, scope, Query(scope.request.query))
    }
  }

  private func answerOptions(_ methods: [HTTPMethod], _ scope: RequestScope) {
    var response = HTTPResponse(status: 204)
    response.setField("Allow", methods.allowed)
    scope.reply(response)
  }

  /// Does not check the store, because restarting the process would not repair it.
  private func answerLiveness(_ scope: RequestScope) {
    probe { isAlive in scope.reply(isAlive ? state(200, "live") : state(503, "stuck")) }
  }

  /// Readers are served while the store is away or full, so that only writers are turned away then.
  ///
  /// The service does not listen before it has opened its store.
  private func readiness(forWrites: Bool) -> HTTPResponse {
    if drainer.isDraining { return state(503, "draining") }
    guard let outage = service.outage else {
      return state(200, "ready", #""writes":"available""#)
    }
    let writes = #""writes":"unavailable","reason":"\#(outage.rawValue)""#
    return state(forWrites ? 503 : 200, "ready", writes)
  }

  private func state(_ status: Int, _ state: String, _ more: String = "") -> HTTPResponse {
    let body = "{\"status\":\"\(state)\"\(more.isEmpty ? "" : "," + more)}"
    var response = HTTPResponse.json(Array(body.utf8), status: status, cache: "no-store")
    if status == 503 { response.setField("Retry-After", 5) }
    return response
  }

  private func metrics(_ request: HTTPRequest, oldestWait: Duration) -> HTTPResponse {
    service.recountCollections()
    let format = MetricsText.Format(request)
    var metrics = MetricsText(format)
    let heldBytes = addServer(&metrics)
    metrics.gauge(
      "ready", "Whether the service is ready for readers.", drainer.isDraining ? 0 : 1)
    metrics.gauge(
      "ready_writes", "Whether it is ready for writers too.",
      readiness(forWrites: true).status == 200 ? 1 : 0)
    metrics.gauge("draining", "Whether the service is draining.", drainer.isDraining ? 1 : 0)
    metrics.add(
      "memory_bytes", "gauge", "Approximate memory by what it is used for.", by: "owner",
      [
        "collections": service.counters.residentBytes.value, "answers": service.cachedBytes,
        "requests": heldBytes,
      ])
    metrics.add(service.counters)
    metrics.add(viewChanges)
    metrics.addWaiting(service.counters, oldest: oldestWait, requestLog.metrics)
    metrics.add(service.storeStatistics)
    metrics.add(service.feedState)
    metrics.add(noticesArrive: service.noticesArrive)
    metrics.add(webhook)
    metrics.add(spans)
    metrics.add(gate.authenticator?.forwardStatistics ?? ForwardStatistics())
    metrics.add(faults)
    metrics.add(requestLog)
    metrics.addProcess()
    metrics.end()
    var response = HTTPResponse(status: 200, body: .bytes(Array(metrics.text.utf8)))
    response.setField("Content-Type", format.mediaType)
    response.setField("Cache-Control", "no-store")
    response.setField("Vary", HTTPResponse.variance)
    return response
  }
}
