import Authentication
import CollectionService
import HTTP1
import SocketServer
import Telemetry
import VersionedCollections

/// The resources of the public listener.
///
/// A request has one way: the gate decides by its head, it is served, and its route answers it.
struct PublicRoutes: Sendable {
  let service: DeltaService
  let limits: ServerLimits
  let requestLog: RequestLog
  var gate: Gate
  /// Does what would take too long on an event loop.
  let workers: WorkQueue
  let jitter: Jitter
  /// Resets of readers whose restriction changes.
  let viewChanges = ViewChanges()
  /// How long streams live, in milliseconds: 300 s ± 20 %, so that readers do not reconnect all at once.
  var streamLifetimes = 240_000...360_000

  /// Bodies above this are not hashed on an event loop; less takes about a tenth of a millisecond.
  private static let hashedInPlaceBytesMax = 64 << 10

  /// Answers that event loops remember take up to a quarter of what the service's cache may.
  private static let rememberedShare = 4

  /// The listener that serves them at an address, on some event loops.
  func listener(at address: ListenAddress, loops: Int) -> Listener {
    var routes = self
    // No page reaches a Unix socket.
    if case .unix = address { routes.gate.hosts = nil }
    return routes.listener(
      at: address, remembering: service.limits.cacheBytesMax / Self.rememberedShare / loops, loops)
  }

  private func listener(
    at address: ListenAddress, remembering bytesMax: Int, _ loops: Int
  ) -> Listener {
    let remembered = (0..<loops).map { _ in RememberedAnswers(bytesMax: bytesMax) }
    return Listener(
      address: address,
      headCheck: { requestLog.record(check($0, from: $1), of: $0, from: $1) }
    ) { request, responder in
      let remembered = remembered[responder.loop]
      if let answer = remembered.answer(to: request, on: responder.connectionNumber),
        answer.charge(gate.shares, at: responder.peer.network)
      {
        return requestLog.send(answer, to: request, responder)
      }
      let scope = RequestScope(request, responder, requestLog, workers, remembered)
      scope.attempt { () throws(Problem) in
        switch try gate.decide(request, from: responder.peer) {
        case .decided(let decision): serve(scope, decision)
        case .pending(let pending):
          let span = scope.beginSpan("authorize")
          pending.settle(traceFields: span?.context.fields ?? []) { result in
            scope.end(span, hasFailed: false)
            scope.attempt { () throws(Problem) in serve(scope, try result.get()) }
          }
        }
      }
    }
  }

  /// Decides by the head of a request before its body is read: what is refused need not be sent.
  private func check(_ head: HTTPRequest, from peer: PeerAddress) -> BodyDecision {
    do throws(Problem) {
      switch try gate.decide(head, from: peer) {
      case .decided(let decision): return reading(decision)
      case .pending(let pending):
        return .later { decided in
          pending.settle { result in
            switch result {
            case .success(let decision): decided(reading(decision))
            case .failure(let problem): decided(.refuse(problem.response))
            }
          }
        }
      }
    } catch {
      return .refuse(error.response)
    }
  }

  /// The decision to read the body of a request that is served.
  private func reading(_ decision: Decision) -> BodyDecision {
    let codings = decision.target.bodyCodings
    let decoder =
      codings.isEmpty ? nil : BodyInflater(codings, bytesMax: limits.request.bodyBytesMax)
    return .read(decoder: decoder) { request, responder in
      serve(RequestScope(request, responder, requestLog, workers), decision)
    }
  }

  /// Serves a request, whose body has been read.
  private func serve(_ scope: RequestScope, _ decision: Decision) {
    let request = scope.request
    guard let route = decision.target.route else {
      return scope.reply(options(request, HTTPMethod.allCases.map(\.rawValue)))
    }
    var scope = request.method.hasBody ? scope : scope.withoutBody()
    scope.enter(decision)
    if decision.isOverload { return end(.overload, scope) }
    let carryOut: @Sendable (RequestScope) -> Void = { scope in
      do throws(Problem) {
        try answer(scope, route, isEdit: decision.target.isEdit)
      } catch {
        refuse(error, route.collection, scope)
      }
    }
    if request.body.isEmpty { return carryOut(scope) }
    if request.body.count > Self.hashedInPlaceBytesMax, request.field("idempotency-key") != nil {
      return scope.onWorker { [scope] in scope.ifAuthorized(carryOut) }
    }
    // The credential may have ended while the body came.
    scope.ifAuthorized(carryOut)
  }

  /// Refuses a request, with the current version of the collection that it is about.
  private func refuse(_ problem: Problem, _ key: CollectionKey?, _ scope: RequestScope) {
    guard let key else { return scope.reply(problem) }
    if let refusal = scope.refusal {
      // What is wrong with a request is told only to somebody who may make one.
      return service.isPublic(key, requestID: scope.requestID) {
        scope.reply($0 ? problem : Problem(refusal))
      }
    }
    // A restricted reader knows versions by other tokens.
    guard scope.readsAll(of: key) else {
      return scope.reply(problem)
    }
    service.version(of: key, requestID: scope.requestID) { version in
      var problem = problem
      problem.current = version
      scope.reply(problem)
    }
  }

  /// Answers a request that is served: each resource and method has its function here.
  private func answer(
    _ scope: RequestScope, _ route: Route, isEdit: Bool
  ) throws(Problem) {
    let request = scope.request
    if request.method == .options {
      var response = options(request, (route.methods + [.options]).map(\.rawValue))
      if route.kind == .collection { response.setField("Accept-Patch", MediaType.edits) }
      return scope.reply(response)
    }
    // A write is carried out whatever codings its writer accepts.
    if route.isReading(request.method), scope.codings.best == nil { throw .noCoding }
    let query = try Query(request.query)
    // What has no state is decided here; all that reads has its state in the answer, and writes have preconditions.
    if !route.hasState(request.method) { try scope.requireMatch() }
    switch route {
    case .webFile(let name, let version): try webFile(name, version, scope)
    case .service(.capabilities): scope.reply(capabilities())
    case .service(.contract): scope.reply(contract())
    case .service(.inspector): try webFile("inspector/index.html", "latest", scope)
    case .service(.health): scope.reply(health())
    case .service(.diff): try diff(scope, query)
    case .service(.changes): try changes(scope, query)
    case .service(.clients): try clients(scope, query)
    case .client(let client, .client): deleteClient(client, scope)
    case .client(let client, .batch): try batch(client, scope)
    case .client(let client, .index): try index(client, scope, query)
    case .client(let client, .sync) where request.method == .post:
      try sync(client, scope, query)
    case .client(let client, .sync): try syncStream(client, scope, query)
    case .collection(let key, .versions): try versions(key, scope, query)
    case .collection(let key, .settings): try settings(key, scope)
    case .collection(let key, .revert): try write(key, .revert(body: request.body), scope, query)
    case .collection(let key, .delta) where query[.from] != nil || query[.to] != nil:
      try between(key, scope, query)
    case .collection(let key, .delta) where request.acceptsEvents: try stream(key, scope, query)
    case .collection(let key, .delta): try delta(key, scope, query)
    case .collection(let key, .collection):
      switch request.method {
      case .post where isEdit, .patch: try write(key, .edit(body: request.body), scope, query)
      case .put, .post: try write(key, .put(body: request.body), scope, query)
      case .delete: try delete(key, scope)
      default:
        if query[.version] != nil {
          try retained(key, scope, query)
        } else {
          try snapshot(key, scope, query)
        }
      }
    // No path leads to anything else.
    case .service, .client, .collection: throw .notFound
    }
  }

  private func options(_ request: HTTPRequest, _ methods: [String]) -> HTTPResponse {
    let allowed = methods.joined(separator: ", ")
    var response = HTTPResponse(status: 204)
    response.setField("Allow", allowed)
    requestLog.crossOrigin.answerPreflight(&response, request, methods: allowed)
    return response
  }
}
