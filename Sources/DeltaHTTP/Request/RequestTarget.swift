import Authentication
import HTTP1

/// What the head of a request asks for: found once, before any of its body is read.
struct RequestTarget: Sendable {
  /// The resource; nil for the server as a whole (`OPTIONS *`, RFC 9110 §9.3.7).
  let route: Route?
  /// What the edits of a collection are written in; nil for any other request.
  private(set) var patchLanguage: PatchLanguage?
  /// The content codings of the body, in the order that they were applied.
  private(set) var bodyCodings: [ContentCoding] = []
  /// What the request was admitted with; nil where nobody has to say who they are.
  var authorization: Authorization?
  /// The question to the backend that decides whether the request is admitted; nil if that is decided.
  var question: ForwardQuestion?
  /// What the request counts against; `nil` without limits.
  var budget: Budget?
  /// The ticket that admitted it, unless that was used here before; nil for any other request.
  var usedTicket: [UInt8]?
  /// Whether it is a stream that cannot be served now, to be ended at once.
  var isOverload = false

  /// Finds the resource, and checks that it takes the method and the type of the body.
  ///
  /// - Throws: `collection-not-found`, `bad-identifier`, `bad-parameter` for the method, or
  ///   `unsupported-media-type`.
  init(_ head: HTTPRequest) throws(Problem) {
    guard !(head.method == .options && head.path.equals("*")) else {
      route = nil
      return
    }
    let route = try Route(path: head.path)
    self.route = route
    guard head.method == .options || route.methods.contains(head.method) else {
      throw .methodNotAllowed(route.allowed)
    }
    guard head.method.hasBody else { return }
    if case .collection = route, head.isEdit {
      patchLanguage = try PatchLanguage(head)
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

/// `application/json`, or any type that says it is JSON, except the languages of edits.
private func isJSON(_ type: String) -> Bool {
  if PatchLanguage(rawValue: type) != nil { return false }
  return type == MediaType.json || (type.contains("/") && type.hasSuffix("+json"))
}

/// Whether the type is a tool's default rather than a choice.
///
/// A page of another origin can send this type without being asked first (Fetch, "CORS-safelisted
/// request-header"), so that it counts only where no browser says on whose behalf it acts.
private func isUnlabeled(_ type: String, _ request: HTTPRequest) -> Bool {
  type == MediaType.form && request.field("origin") == nil
}

/// What edits may be written in; the raw value is the media type.
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

extension HTTPRequest {
  /// Whether a request of a collection edits it: a `PATCH`, or a `POST` of edits, for clients that cannot send
  /// the former.
  fileprivate var isEdit: Bool {
    method == .patch || (method == .post && mediaType(self) == PatchLanguage.edits.rawValue)
  }
}

extension HTTPMethod {
  /// Whether requests of the method carry JSON.
  var hasBody: Bool { self == .put || self == .post || self == .patch }
}

extension Route {
  /// The methods that the resource takes, in the order that `Allow` lists them.
  var methods: [HTTPMethod] {
    switch self {
    case .capabilities, .contract, .inspector, .health, .webFile, .changes, .clients, .index,
      .delta, .versions:
      [.get, .head]
    case .diff, .batch, .revert, .tickets: [.post]
    case .sync: [.get, .head, .post]
    case .client: [.delete]
    case .settings: [.get, .head, .put, .patch]
    case .collection: [.get, .head, .put, .post, .patch, .delete]
    }
  }

  /// The value of `Allow`.
  var allowed: String { methods.map(\.rawValue).joined(separator: ", ") + ", OPTIONS" }

  /// The value of `Allow` for the server as a whole.
  static let allAllowed = HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")

  /// Whether a request changes nothing.
  func isReading(_ method: HTTPMethod) -> Bool {
    switch (self, method) {
    case (_, .get), (_, .head), (.diff, _), (.sync, _), (.tickets, _): true
    default: false
    }
  }
}
