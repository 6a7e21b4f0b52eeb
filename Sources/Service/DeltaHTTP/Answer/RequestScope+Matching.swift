import CollectionService
import HTTP1
import VersionedCollections

/// `If-Match` in requests that change nothing (RFC 9110 §13.1.1): the answer is sent only if it is of a state that the
/// field names.
extension RequestScope {
  /// The problem of a request whose `If-Match` does not name the state in an answer; nil for any other.
  ///
  /// It comes before `If-None-Match` (§13.2.2), so that 304 is such an answer; a request that fails without the field
  /// fails as it would (§13.2.1).
  func matchFailure(_ response: HTTPResponse) -> Problem? {
    guard request.method == .get || request.isHead,
      200..<300 ~= response.status || response.status == 304,
      let condition = EntityTag.condition(request)
    else { return nil }
    let version = response.field("Collection-Version").flatMap { VersionToken($0) }
    let tag = response.field("ETag")
    let isMatched = tag.map { condition.matches($0[...]) } ?? condition.matches(version)
    return isMatched ? nil : matchFailure(at: version)
  }

  /// The problem of a request whose `If-Match` does not name a version; nil for any other.
  func matchFailure(_ version: VersionToken?) -> Problem? {
    guard let condition = EntityTag.condition(request), !condition.matches(version) else {
      return nil
    }
    return matchFailure(at: version)
  }

  /// Throws if the request has an `If-Match` that names a state, for a resource that has none.
  func requireMatch() throws(Problem) {
    if let problem = matchFailure(nil) { throw problem }
  }

  private func matchFailure(at version: VersionToken?) -> Problem {
    var problem = Problem(ServiceFailure(.versionConflict, current: version))
    if version == nil {
      problem.showsCurrent = false
      problem.detail = "the resource is not in the state that If-Match names"
    }
    return problem
  }
}

extension EntityTag {
  /// What `If-Match` names.
  struct Condition {
    let versions: Precondition.Versions
    let settings: [String]?
  }

  /// Parses `If-Match`; nil without it.
  static func condition(_ request: HTTPRequest) -> Condition? {
    guard request.field("if-match") != nil else { return nil }
    let lines = request.fields("if-match")
    return versions(lines, isStrong: true).map {
      Condition(versions: $0, settings: settings(lines, isStrong: true))
    }
  }
}

extension EntityTag.Condition {
  /// Whether it names the state of a representation with a tag.
  func matches(_ tag: ArraySlice<UInt8>) -> Bool {
    guard case .oneOf = versions else { return true }
    guard let state = EntityTag.versions([tag], isStrong: true),
      case .oneOf(let tags) = state, tags.contains(where: versions.matches)
    else { return false }
    guard let settings, let shown = EntityTag.settings([tag], isStrong: true) else { return true }
    return shown.contains { settings.contains($0) }
  }

  /// Whether it names a version; nil for the state of a resource without any.
  func matches(_ version: VersionToken?) -> Bool {
    guard case .oneOf = versions else { return true }
    return version.map { versions.matches($0) } ?? false
  }
}

extension Problem {
  /// Returns a copy as the answer to a request: where a weak tag is why a precondition fails, it says so.
  func explaining(_ request: HTTPRequest) -> Problem {
    guard status == 412, code == .versionConflict,
      listElements(request.fields("if-match")).contains(where: { $0.starts(with: "W/".utf8) })
    else { return self }
    var problem = self
    problem.detail +=
      "; If-Match has a weak tag (W/…), which never matches: a proxy that compresses makes tags weak; send "
      + "the version as Collection-If-Version instead"
    return problem
  }
}
