import HTTP1

/// What the head of a request asks for, found before any of its body is read.
struct RequestTarget: Sendable {
  /// The resource; nil for the server as a whole (`OPTIONS *`, RFC 9110 §9.3.7).
  let route: Route?
  /// Whether the request edits a collection.
  private(set) var isEdit = false
  /// The content codings of the body, in the order that they were applied.
  private(set) var bodyCodings: [ContentCoding] = []

  /// Finds the resource, and checks that it takes the method.
  ///
  /// - Throws: `not-found`, `bad-identifier` or `method-not-allowed`.
  init(_ head: HTTPRequest) throws(Problem) {
    guard !(head.method == .options && head.path.equals("*")) else {
      route = nil
      return
    }
    let route = try Route(path: head.path)
    self.route = route
    guard head.method == .options || route.methods.contains(head.method) else {
      throw .methodNotAllowed(route.methods.allowed)
    }
  }

  /// Finds out what the body is, once the request is known to be allowed.
  ///
  /// - Throws: `unsupported-media-type`.
  mutating func readBodyType(_ head: HTTPRequest) throws(Problem) {
    guard let route, head.method.hasBody else { return }
    if route.kind == .collection, head.isEdit {
      guard mediaType(head) == MediaType.edits else { throw .unsupportedPatch }
      isEdit = true
    } else if let type = mediaType(head), !isJSON(type), !isUnlabeled(type, head) {
      throw .unsupportedBody
    }
    bodyCodings = try ContentCoding.undone(head)
  }
}

/// The media type of a body, without parameters; nil without one.
private func mediaType(_ request: HTTPRequest) -> String? {
  guard let value = request.field("content-type"), !value.isEmpty else { return nil }
  return lowercased(split(value, at: UInt8(ascii: ";"))[0])
}

/// `application/json`, or any type that says it is JSON, except edits and JSON Patch.
private func isJSON(_ type: String) -> Bool {
  if type == MediaType.edits || type == MediaType.jsonPatch { return false }
  return type == MediaType.json || (type.contains("/") && type.hasSuffix("+json"))
}

/// Whether the type is a tool's default rather than a choice.
///
/// A page of another origin can send this type without being asked first (Fetch, "CORS-safelisted
/// request-header"), so that it counts only where no browser says on whose behalf it acts.
private func isUnlabeled(_ type: String, _ request: HTTPRequest) -> Bool {
  type == MediaType.form && request.field("origin") == nil
}

extension Problem {
  /// RFC 5789 §3.1.
  static let unsupportedPatch = Problem(
    415, .unsupportedMediaType, "the body of a PATCH must be \(MediaType.edits)"
  ).with("Accept-Patch", MediaType.edits)
}

extension ContentCoding {
  /// Returns the codings of a request's body, in the order that they were applied.
  ///
  /// - Throws: `unsupported-media-type`, listing the supported codings (RFC 9110 §15.5.16), if one
  ///   is unknown or there are too many.
  static func undone(_ request: HTTPRequest) throws(Problem) -> [ContentCoding] {
    var codings: [ContentCoding] = []
    for element in listElements(request.fields("content-encoding")) {
      switch lowercased(element) {
      case "identity": continue
      case "gzip", "x-gzip": codings.append(.gzip)
      default: throw .unsupportedCoding
      }
    }
    guard codings.count <= BodyInflater.codingsMax else { throw .unsupportedCoding }
    return codings
  }
}

extension HTTPRequest {
  /// Whether a request of a collection edits it: a `PATCH`, or a `POST` of edits, for clients that
  /// cannot send the former.
  fileprivate var isEdit: Bool {
    method == .patch || (method == .post && mediaType(self) == MediaType.edits)
  }
}

extension HTTPMethod {
  /// Whether requests of the method carry JSON.
  var hasBody: Bool { self == .put || self == .post || self == .patch }
}

extension [HTTPMethod] {
  /// The value of `Allow` for a resource that takes these methods.
  var allowed: String { (self + [.options]).map(\.rawValue).joined(separator: ", ") }
}
