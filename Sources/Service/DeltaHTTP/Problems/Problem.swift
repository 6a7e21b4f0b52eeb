import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

/// An error response: `application/problem+json` (RFC 9457).
struct Problem: Error, Sendable {
  var status: Int
  /// The machine-readable code.
  var code: Code
  /// What is wrong, where, and the limit or remedy.
  var detail: String
  /// The collection's current version, if it matters.
  var current: VersionToken?
  /// Whether `current` is written even if it is `null`.
  var showsCurrent = false
  var limit: Int?
  /// The address to ask instead, which no shared cache has an answer to.
  var next: String?
  /// The places in the request that are invalid.
  var entries: [SnapshotError.Entry] = []
  /// Additional fields of the response.
  var fields: [(name: StaticString, value: String)] = []
  /// After how many seconds to try again.
  var retryAfter: Int?

  /// Creates a problem; `retryAfter` is in seconds.
  init(
    _ status: Int, _ code: Code, _ detail: String, limit: Int? = nil, retryAfter: Int? = nil
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.limit = limit
    self.retryAfter = retryAfter
  }

  /// Returns a copy with an additional field.
  func with(_ name: StaticString, _ value: String) -> Problem {
    var problem = self
    problem.fields.append((name, value))
    return problem
  }

  /// Returns a copy that names a place in the request.
  func at(_ pointer: String, _ detail: String) -> Problem {
    var problem = self
    problem.entries = [SnapshotError.Entry(pointer: pointer, detail: detail)]
    return problem
  }

  /// Returns a copy with the fields of a limit (draft-ietf-httpapi-ratelimit-headers-10).
  func rateLimited(
    _ name: String, _ limit: Int, remaining: Int, policy: String = "", state: String = ""
  ) -> Problem {
    with("RateLimit-Policy", "\"\(name)\";q=\(limit)\(policy)")
      .with("RateLimit", "\"\(name)\";r=\(remaining)\(state)")
  }

  /// Returns a copy as the answer to a request.
  ///
  /// An internal fault refers to the log. Readers who are turned away together return apart, after up to twice the
  /// seconds, by their requests' IDs; only the seconds of a view that costs too much stay as they are, for they grow.
  func naming(_ id: RequestID) -> Problem {
    var problem = self
    if status == 500 { problem.detail += "; look for request \(id) in the service's log" }
    if status == 503, code != .tooMuchWork, let retryAfter, retryAfter > 1 {
      let number = id.bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
      problem.retryAfter = retryAfter + number % (retryAfter + 1)
    }
    return problem
  }

  var response: HTTPResponse { response { _ in } }

  /// Returns the response, with additional members after the common ones.
  func response(_ extend: (inout JSONWriter) -> Void) -> HTTPResponse {
    var writer = JSONWriter()
    write(to: &writer, extend)
    var response = HTTPResponse(status: status, body: .bytes(writer.bytes))
    response.problemCode = code.rawValue
    response.setField("Content-Type", MediaType.problem)
    response.appendField("Cache-Control", "no-store")
    response.appendField("Vary", HTTPResponse.variance)
    if let current { response.setField("Collection-Version", current.description) }
    if let retryAfter { response.setField("Retry-After", retryAfter) }
    for field in fields { response.setField(field.name, field.value) }
    return response
  }

  func write(to writer: inout JSONWriter, _ extend: (inout JSONWriter) -> Void = { _ in }) {
    writer.beginObject()
    writer.member("type", "urn:livedelta:problem:" + code.rawValue)
    writer.member("title", Self.title(code.rawValue))
    writer.member("status", status)
    writer.member("code", code.rawValue)
    writer.member("detail", detail)
    if showsCurrent { writer.member("current", orNull: current?.description) }
    if let limit { writer.member("limit", limit) }
    if let next { writer.member("next", next) }
    if !entries.isEmpty {
      writer.array("errors", entries) { writer, entry in
        writer.object {
          $0.member("pointer", entry.pointer)
          $0.member("code", code.rawValue)
          $0.member("detail", entry.detail)
        }
      }
    }
    extend(&writer)
    writer.endObject()
  }

  /// Returns a code as a title: `version-conflict` becomes `Version conflict`.
  private static func title(_ code: String) -> String {
    let words = code.split(separator: "-").joined(separator: " ")
      .replacing("json", with: "JSON")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
