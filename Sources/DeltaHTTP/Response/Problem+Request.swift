import CollectionService
import SnapshotJSON
import VersionedCollections

// Problems found before the service is called.

extension Problem {
  static let notFound = Problem(
    404, .notFound,
    "there is no such resource; GET /openapi.json lists those there are")
  static let otherClientVersion = Problem(
    404, .notFound,
    "this service has the client in the version \(WebFile.version), at /client/\(WebFile.version)/")
  static let badIdentifier = Problem(
    400, .badIdentifier,
    "a client or collection is named by 1 to 128 bytes of A-Za-z0-9._~:@-, not . or ..",
    limit: 128)
  static let notAcceptable = Problem(
    406, .notAcceptable,
    "answers are application/json; the dialects of deltas, by Accept or ?dialect=, are "
      + Dialect.allNames)
  static let noCoding = Problem(
    406, .notAcceptable, "answers are coded as gzip, deflate or identity")
  static let originNotAllowed = Problem(
    403, .originNotAllowed,
    "pages of this origin may not change anything here; cors.origins lists those that may")
  static let severalCredentials = Problem(
    400, .badRequest, "there is more than one Authorization field")
  static let misdirected = Problem(
    421, .misdirected,
    "this service does not answer to that host name: use an address, localhost or a name of its machine, or add "
      + "the name to allowedHosts")
  static let internalFault = Problem(
    500, .internalFault, "a fault of the service")

  static func badParameter(_ detail: String) -> Problem { Problem(400, .badParameter, detail) }

  static func unknownMember(_ member: JSONValue.UnknownMember) -> Problem {
    var problem = Problem(422, .badParameter, "\(member.pointer): \(member.detail)")
    problem.entries = [Entry(pointer: member.pointer, detail: member.detail)]
    return problem
  }

  static func badToken(_ place: String) -> Problem {
    Problem(400, .badToken, "\(place) is not a version token: lineage.seq.digest", limit: 64)
  }

  static func methodNotAllowed(_ allowed: String) -> Problem {
    Problem(405, .methodNotAllowed, "this resource takes \(allowed)").with("Allow", allowed)
  }

  // MARK: Media types

  static let unsupportedBody = Problem(
    415, .unsupportedMediaType, "a body is application/json"
  ).with("Accept", MediaType.json)

  /// RFC 5789 §3.1.
  static let unsupportedPatch = Problem(
    415, .unsupportedMediaType, "a PATCH is written in \(PatchLanguage.all)"
  ).with("Accept-Patch", PatchLanguage.all)

  /// RFC 9110 §15.5.16.
  static let unsupportedCoding = Problem(
    415, .unsupportedMediaType,
    "a body is coded as gzip, deflate or not at all, and at most \(BodyInflater.codingsMax) times"
  ).with("Accept-Encoding", "gzip, deflate")

  static let changesAreEvents = Problem(
    406, .notAcceptable, "the feed of changes is text/event-stream")
  static let syncIsEvents = Problem(
    406, .notAcceptable, "a GET of sync is text/event-stream; POST it for one answer")

  // MARK: Single resources

  static let patchNeedsVersion = Problem(
    428, .preconditionRequired,
    "a JSON Patch needs If-Match or Collection-If-Version: its pointers are indices")

  static func syncTooLarge(_ count: Int, limit: Int) -> Problem {
    Problem(413, .tooManyItems, "\(count) collections in one sync", limit: limit)
  }
}
