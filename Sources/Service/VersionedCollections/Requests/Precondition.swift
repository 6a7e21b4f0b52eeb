/// The state that a collection must have for a write to proceed.
public struct Precondition: Hashable, Sendable {
  /// A set of versions.
  public enum Versions: Hashable, Sendable {
    /// Any version; the collection must exist.
    case any
    /// One of these version tokens.
    case oneOf([String])

    package func contains(_ token: VersionToken?) -> Bool {
      guard let token else { return false }
      switch self {
      case .any: return true
      case .oneOf(let tokens): return tokens.contains(token.description)
      }
    }
  }

  /// Versions of which the head must be one (`If-Match`).
  public var match: Versions?
  /// Versions of which the head must be none (`If-None-Match`).
  public var noneMatch: Versions?
  /// The version that the head must be.
  public var version: VersionToken?
  /// Whether the head must be the version named in the body.
  public var isInBody = false
  /// Tags of which the settings must have one; nil for no condition.
  public var settingsTags: [String]?

  /// Creates an empty precondition.
  public init() {}

  /// Whether it names a version by a token that a restricted reader was sent: the collection must be loaded to tell
  /// which one that is.
  package var hasRestrictedToken: Bool {
    let tags = [match, noneMatch].flatMap { versions -> [String] in
      if case .oneOf(let tags)? = versions { tags } else { [] }
    }
    return version?.restrictionMark != nil
      || tags.contains { VersionToken($0)?.restrictionMark != nil }
  }

  /// Whether there is no condition on the version.
  public var isEmpty: Bool {
    match == nil && noneMatch == nil && version == nil && !isInBody
  }

  /// Returns the error if the precondition fails; nil arguments mean that the collection does not
  /// exist.
  package func failure(head: VersionToken?, settings: CollectionSettings?) -> ServiceError? {
    if let settingsTags, let settings, !settingsTags.contains(settings.tag) {
      return .versionConflict
    }
    if let match, !match.contains(head) { return .versionConflict }
    if let version, version != head { return .versionConflict }
    if let noneMatch, noneMatch.contains(head) {
      return noneMatch == .any ? .collectionExists : .versionConflict
    }
    return nil
  }
}
