import CollectionService
import HTTP1
import VersionedCollections

/// How long an answer to a reader may be kept, and by whom (RFC 9111 §5.2.2, RFC 5861 §3).
struct AnswerCaching: Sendable {
  enum Content {
    /// The collection as it is.
    case state
    /// The changes since a version, or the first snapshot; they were waited for, or not.
    case changes(waited: Bool, isInitial: Bool)
    /// What never changes: a version, or the delta between two.
    case version
    /// What is true only now: no changes, resets and refusals.
    case moment
  }

  /// Whether the reader wants no answer of a cache.
  let isRefused: Bool
  /// Whether the answer depends on a preference that the address does not name.
  let dependsOnPreference: Bool

  /// The caching that a request allows; throws `bad-parameter` for any `maxage` but 0.
  init(_ request: HTTPRequest, _ query: Query, _ representation: Representation) throws(Problem) {
    isRefused = try query.refusesCaches
    dependsOnPreference = representation.patchesItems ? try !query.patchesItems : false
  }

  /// Marks an answer.
  ///
  /// What is public is the same for everybody, and its `Vary` the same for all answers: caches tell apart and wait
  /// by it. The reader of a delta asks for another address next, so that an old one sends nobody in a circle.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - content: What it is.
  ///   - ages: How long anybody may keep it; nil unless anybody may read it.
  func mark(_ response: inout HTTPResponse, as content: Content, _ ages: PublicAges?) {
    var isPublic = ages != nil && !isRefused
    if case .state = content {} else { isPublic = isPublic && !dependsOnPreference }
    let age: String?
    if isPublic, let ages {
      age = Self.publicAge(content, ages)
      if age != nil { response.setField("Vary", HTTPResponse.publicVariance) }
    } else {
      age = isRefused ? nil : Self.privateAge(content)
    }
    response.setField("Cache-Control", age ?? "no-store")
  }

  private static func publicAge(_ content: Content, _ ages: PublicAges) -> String? {
    switch content {
    case .state, .changes(_, isInitial: true): age(ages.snapshot, stale: ages.snapshotStale)
    case .changes: age(ages.delta, stale: ages.deltaStale)
    case .version: "public, max-age=\(ages.version), immutable"
    case .moment: nil
    }
  }

  private static func age(_ seconds: Int, stale: Int) -> String {
    "public, max-age=\(seconds)" + (stale > 0 ? ", stale-while-revalidate=\(stale)" : "")
  }

  private static func privateAge(_ content: Content) -> String? {
    switch content {
    case .state, .changes(waited: false, _): "private, no-cache"
    // Versions never change; settings do, and are left out of what tells of versions alone.
    case .version: "private, max-age=31536000, immutable"
    case .changes, .moment: nil
    }
  }
}
