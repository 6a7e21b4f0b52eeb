import Authentication
import CollectionService
import HTTP1
import SocketServer
import VersionedCollections

/// The resources of the public listener.
struct PublicRoutes: Sendable {
  let service: DeltaService
  let limits: WireLimits
  let requestLog: RequestLog
  let accessControl: AccessControl
  let shares: Shares
  /// nil for a socket that no browser reaches.
  var hosts: ServedHosts?

  private var crossOrigin: CrossOrigin { requestLog.crossOrigin }

  /// Bodies above this are not hashed on an event loop; less takes about a tenth of a millisecond.
  private static let hashedInPlaceBytesMax = 1 << 20

  /// Answers that event loops remember take up to a quarter of what the service's cache may.
  private static let rememberedShare = 4

  /// The listener that serves them at an address, on some event loops.
  func listener(at address: ListenAddress, loops: Int) -> Listener {
    // No page reaches a Unix socket.
    if case .unix = address, hosts != nil {
      var routes = self
      routes.hosts = nil
      return routes.listener(at: address, loops: loops)
    }
    let bytesMax = service.limits.cacheBytesMax / Self.rememberedShare / loops
    let remembered = (0..<loops).map { _ in RememberedAnswers(bytesMax: bytesMax) }
    return Listener(
      address: address,
      headCheck: { requestLog.note(decide($0, from: $1), of: $0, from: $1) }
    ) { request, responder in
      let remembered = remembered[responder.loop]
      if let answer = remembered.answer(to: request, on: responder.connectionNumber),
        answer.charge()
      {
        return requestLog.send(answer, to: request, responder)
      }
      let scope = RequestScope(request, responder, requestLog, remembered)
      do throws(Problem) {
        serve(scope, try target(of: request, from: responder.peer))
      } catch {
        scope.reply(error)
      }
    }
  }

  /// Decides by the head of a request what becomes of it: what is wrong with it is answered before
  /// its body is read.
  private func decide(_ head: HTTPRequest, from peer: PeerAddress) -> BodyDecision {
    do throws(Problem) {
      let target = try target(of: head, from: peer)
      guard let question = target.question, let route = target.route else { return reading(target) }
      return .later { decided in
        accessControl.decide(question, route.requirement(head.method)) { result in
          do throws(Problem) {
            decided(reading(try authorized(target, result, head, route)))
          } catch {
            decided(.refuse(error.response))
          }
        }
      }
    } catch {
      return .refuse(error.response)
    }
  }

  /// The decision to read the body of a request that is authorized.
  private func reading(_ target: RequestTarget) -> BodyDecision {
    let bytesMax = limits.server.request.bodyBytesMax
    let codings = target.bodyCodings
    let decoder = codings.isEmpty ? nil : BodyInflater(codings, bytesMax: bytesMax)
    return .read(decoder: decoder) { request, responder in
      serve(RequestScope(request, responder, requestLog), target)
    }
  }

  /// The target of a request that the backend has decided about.
  private func authorized(
    _ target: RequestTarget, _ result: Result<Authorization, Problem>, _ head: HTTPRequest,
    _ route: Route
  ) throws(Problem) -> RequestTarget {
    var target = target
    target.question = nil
    target.authorization = try result.get()
    try charge(&target, head, route)
    return target
  }

  private func target(
    of head: HTTPRequest, from peer: PeerAddress
  ) throws(Problem) -> RequestTarget {
    try hosts?.check(head)
    try crossOrigin.checkWrite(head)
    var target = try RequestTarget(head)
    if let route = target.route {
      try accessControl.authorize(&target, head, from: peer, route)
      try charge(&target, head, route)
    }
    return target
  }

  /// Counts a request against the share of its principal.
  ///
  /// - Throws: `rate-limited`, except for a stream: an `EventSource` never reconnects after any status but
  ///   200, so that its stream is opened and ended.
  private func charge(
    _ target: inout RequestTarget, _ head: HTTPRequest, _ route: Route
  ) throws(Problem) {
    do throws(Problem) {
      target.budget = try shares.charge(head, route, target.authorization)
    } catch {
      guard head.opensStream(of: route) else { throw error }
      target.isOverload = true
    }
  }

  private func serve(_ scope: RequestScope, _ target: RequestTarget) {
    guard let ticket = target.usedTicket else { return decide(scope, target) }
    service.use(ticket: ticket) { isFirst in
      guard isFirst != false else { return scope.reply(Problem(.badCredential)) }
      var target = target
      if isFirst == nil {
        accessControl.tickets.forget(ticket)
        target.isOverload = true
        // Its stream must not have a resume token: the ticket is as good as before.
        target.authorization = nil
      }
      begin(scope, target)
    }
  }

  private func decide(_ scope: RequestScope, _ target: RequestTarget) {
    guard var question = target.question, let route = target.route else {
      return begin(scope, target)
    }
    question.traceFields = scope.traceFields
    scope.stages?.begin(.authorize)
    accessControl.decide(question, route.requirement(scope.request.method)) { result in
      scope.stages?.end(.authorize)
      do throws(Problem) {
        begin(scope, try authorized(target, result, scope.request, route))
      } catch {
        scope.reply(error)
      }
    }
  }

  private func begin(_ scope: RequestScope, _ target: RequestTarget) {
    let request = scope.request
    if request.body.count > Self.hashedInPlaceBytesMax, request.field("idempotency-key") != nil {
      scope.onWorker { answer(scope, target) }
    } else {
      answer(scope, target)
    }
  }

  private func answer(_ scope: RequestScope, _ target: RequestTarget) {
    let request = scope.request
    guard let route = target.route else {
      return scope.reply(options(request, Route.allAllowed))
    }
    var scope = request.method.hasBody ? scope : scope.withoutBody()
    scope.authorization = target.authorization
    scope.budget = target.budget
    scope.subject.route = route
    scope.subject.kind = route.kind
    if target.isOverload { return end(.overload, scope, ticket: nil) }
    if request.body.isEmpty { return carryOut(scope, route, target) }
    // The credential may have ended while the body came.
    scope.ifAuthorized { [scope] in carryOut(scope, route, target) }
  }

  private func carryOut(_ scope: RequestScope, _ route: Route, _ target: RequestTarget) {
    do throws(Problem) {
      try answer(scope, route, target)
    } catch {
      refuse(error, route.collection, scope)
    }
  }

  /// Refuses a request, with the current version of the collection that it is about.
  private func refuse(_ problem: Problem, _ key: CollectionKey?, _ scope: RequestScope) {
    guard let key else { return scope.reply(problem) }
    service.version(of: key, requestID: scope.requestID) { version in
      var problem = problem
      problem.current = version
      scope.reply(problem)
    }
  }

  private func answer(
    _ scope: RequestScope, _ route: Route, _ target: RequestTarget
  ) throws(Problem) {
    let request = scope.request
    if request.method == .options {
      var response = options(request, route.allowed)
      if case .collection = route { response.setField("Accept-Patch", PatchLanguage.all) }
      return scope.reply(response)
    }
    // A write is carried out whatever codings its writer accepts.
    if route.isReading(request.method), scope.codings.best == nil { throw .noCoding }
    let query = try Query(request.query)
    switch route {
    case .capabilities: scope.reply(capabilities())
    case .contract: scope.reply(contract())
    case .inspector: try inspector(scope)
    case .health: scope.reply(health())
    case .webFile(let name, let version): try webFile(name, version, scope)
    case .diff: try diff(scope, query)
    case .changes: try changes(scope, query)
    case .clients: try clients(scope, query)
    case .client(let client): deleteClient(client, scope)
    case .batch(let client): try batch(client, scope)
    case .tickets(let client): tickets(client, scope)
    case .index(let client): try index(client, scope, query)
    case .sync(let client) where request.method == .post: try sync(client, scope, query)
    case .sync(let client): try syncStream(client, scope, query)
    case .versions(let key): try versions(key, scope, query)
    case .settings(let key): try settings(key, scope)
    case .revert(let key): try write(key, .revert(body: request.body), scope, query)
    case .delta(let key) where query[.from] != nil || query[.to] != nil:
      try between(key, scope, query)
    case .delta(let key) where request.acceptsEvents: try stream(key, scope, query)
    case .delta(let key): try delta(key, scope, query)
    case .collection(let key):
      switch request.method {
      case .post where target.patchLanguage != nil, .patch:
        try patch(key, target.patchLanguage, scope, query)
      case .put, .post: try write(key, .put(body: request.body), scope, query)
      case .delete: try delete(key, scope)
      default:
        if let version = query[.version] {
          try snapshot(key, at: version, scope, query)
        } else {
          try snapshot(key, scope, query)
        }
      }
    }
  }

  private func options(_ request: HTTPRequest, _ allowed: String) -> HTTPResponse {
    var response = HTTPResponse(status: 204)
    response.setField("Allow", allowed)
    crossOrigin.answerPreflight(&response, request, methods: allowed)
    return response
  }
}
