import CollectionService
import HTTP1
import SocketServer

/// The resources of the public listener.
struct PublicRoutes: Sendable {
  let service: DeltaService
  let limits: WireLimits
  let crossOrigin: CrossOrigin

  /// Bodies above this are not hashed on an event loop; less takes about a tenth of a millisecond.
  private static let hashedInPlaceBytesMax = 1 << 20

  /// Serves one request.
  func handle(_ scope: RequestScope) {
    let request = scope.request
    if request.body.count > Self.hashedInPlaceBytesMax, request.field("idempotency-key") != nil {
      scope.onWorker { serve(scope) }
    } else {
      serve(scope)
    }
  }

  private func serve(_ scope: RequestScope) {
    var scope = scope
    do throws(Problem) {
      try crossOrigin.checkWrite(scope.request)
      // RFC 9110 §9.3.7: what is asked is about the server as a whole.
      if scope.request.path.elementsEqual([UInt8(ascii: "*")]) {
        return scope.reply(options(scope.request, Route.allAllowed))
      }
      let route = try route(scope.request)
      if !route.allowsBody(scope.request.method) { scope = scope.withoutBody() }
      scope.subject.route = route
      scope.subject.kind = route.kind
      try serve(scope, route)
    } catch {
      scope.reply(error)
    }
  }

  /// What is wrong with a request that its head already shows: told before its body is read.
  func check(_ head: HTTPRequest) -> BodyDecision {
    do throws(Problem) {
      try crossOrigin.checkWrite(head)
      let route = try route(head)
      guard route.allowsBody(head.method) else { return .read }
      try checkBody(head, route)
      let codings = try ContentCoding.undone(head)
      guard !codings.isEmpty else { return .read }
      return .decode(BodyInflater(codings, bytesMax: limits.server.request.bodyBytesMax))
    } catch {
      return .refuse(error.response)
    }
  }

  private func serve(_ scope: RequestScope, _ route: Route) throws(Problem) {
    let request = scope.request
    if request.method == .options {
      var response = options(request, route.allowed)
      if case .collection = route { response.setField("Accept-Patch", PatchLanguage.all) }
      return scope.reply(response)
    }
    if route.allowsBody(request.method) { try checkBody(request, route) }
    // A write is done whatever its writer takes for a response.
    if route.isReading(request.method), scope.codings.best == nil { throw .noCoding }
    let query = try Query(request.query)
    switch route {
    case .capabilities: scope.reply(capabilities())
    case .contract: scope.reply(contract())
    case .inspector: scope.reply(inspector())
    case .diff: try diff(scope, query)
    case .changes: try changes(scope, query)
    case .client(let client): deleteClient(client, scope)
    case .batch(let client): try batch(client, scope)
    case .index(let client): try index(client, scope, query)
    case .sync(let client) where request.method == .post: try sync(client, scope, query)
    case .sync(let client): try syncStream(client, scope, query)
    case .versions(let key): versions(key, scope)
    case .settings(let key): try settings(key, scope)
    case .delta(let key) where query[.from] != nil || query[.to] != nil:
      try between(key, scope, query)
    case .delta(let key) where acceptsEvents(request): try stream(key, scope, query)
    case .delta(let key): try delta(key, scope, query)
    case .collection(let key):
      switch request.method {
      case .put, .post: try write(key, .put(body: request.body), scope, query)
      case .patch: try patch(key, scope, query)
      case .delete: try delete(key, scope)
      default:
        if let version = query[.version] {
          try structure(key, version, scope)
        } else {
          try snapshot(key, scope, query)
        }
      }
    }
  }

  /// The resource, if there is one and it takes the method.
  private func route(_ request: HTTPRequest) throws(Problem) -> Route {
    let route: Route
    do throws(RouteError) {
      route = try Route(path: request.path)
    } catch {
      switch error {
      case .notFound: throw .notFound
      case .badIdentifier: throw .badIdentifier
      }
    }
    guard request.method == .options || route.methods.contains(request.method) else {
      throw .methodNotAllowed(route.allowed)
    }
    return route
  }

  private func options(_ request: HTTPRequest, _ allowed: String) -> HTTPResponse {
    var response = HTTPResponse(status: 204)
    response.setField("Allow", allowed)
    crossOrigin.answerPreflight(&response, request, methods: allowed)
    return response
  }

  /// Refuses a body that is not of a type that the method takes, or in a coding.
  private func checkBody(_ request: HTTPRequest, _ route: Route) throws(Problem) {
    if request.method == .patch, case .collection = route {
      _ = try PatchLanguage(request)
    } else if let type = mediaType(request), !isJSON(type), !isUnlabelled(type, request) {
      throw .unsupportedBody
    }
    _ = try ContentCoding.undone(request)
  }

  /// Whether the type is only what `curl -d` and its like write when they are given none.
  ///
  /// A page of another origin can send this type without being asked first (Fetch, "CORS-safelisted
  /// request-header"), so that it counts only where no browser says on whose behalf it acts.
  private func isUnlabelled(_ type: String, _ request: HTTPRequest) -> Bool {
    type == "application/x-www-form-urlencoded" && request.field("origin") == nil
  }

  /// `application/json`, or any type that says it is JSON, except the languages of edits.
  private func isJSON(_ type: String) -> Bool {
    if PatchLanguage(rawValue: type) != nil { return false }
    return type == "application/json" || (type.contains("/") && type.hasSuffix("+json"))
  }
}

/// The media type of a body, without parameters; nil without one.
func mediaType(_ request: HTTPRequest) -> String? {
  guard let value = request.field("content-type"), !value.isEmpty else { return nil }
  return lowercased(split(value, at: UInt8(ascii: ";"))[0])
}

/// What a `PATCH` may be written in; the raw value is the media type.
enum PatchLanguage: String, CaseIterable {
  case edits = "application/vnd.livedelta.edits+json"
  case jsonPatch = "application/json-patch+json"

  /// The value of `Accept-Patch`.
  static var all: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The language of a request's body.
  ///
  /// - Throws: `unsupported-media-type` for another, with those there are (RFC 5789 §3.1).
  init(_ request: HTTPRequest) throws(Problem) {
    guard let language = mediaType(request).flatMap(PatchLanguage.init) else {
      throw .unsupportedPatch
    }
    self = language
  }
}

extension Route {
  /// The methods that the resource takes, in the order that `Allow` lists them.
  var methods: [HTTPMethod] {
    switch self {
    case .capabilities, .contract, .inspector, .changes, .index, .delta, .versions: [.get, .head]
    case .diff, .batch: [.post]
    case .sync: [.get, .head, .post]
    case .client: [.delete]
    case .settings: [.get, .head, .put, .patch]
    case .collection: [.get, .head, .put, .post, .patch, .delete]
    }
  }

  /// The value of `Allow`.
  var allowed: String { methods.map(\.rawValue).joined(separator: ", ") + ", OPTIONS" }

  /// What there is anywhere.
  static let allAllowed = HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")

  /// Whether a request changes nothing.
  func isReading(_ method: HTTPMethod) -> Bool {
    switch (self, method) {
    case (_, .get), (_, .head), (.diff, _), (.sync, _): true
    default: false
    }
  }

  /// Whether a request carries JSON.
  func allowsBody(_ method: HTTPMethod) -> Bool {
    method == .put || method == .post || method == .patch
  }
}
