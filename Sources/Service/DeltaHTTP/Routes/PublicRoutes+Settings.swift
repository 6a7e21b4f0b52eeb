import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `GET PUT PATCH …/settings`.
  func settings(_ key: CollectionKey, _ scope: RequestScope) throws(Problem) {
    let body = scope.request.body
    switch scope.request.method {
    case .put: try configure(key, .settings(body: body, isPatch: false), scope)
    case .patch: try configure(key, .settings(body: body, isPatch: true), scope)
    default:
      let shown = try scope.request.shownVersions
      replySettings(key, try scope.access(key), scope, shown, cache: "private, no-cache")
    }
  }

  private func configure(
    _ key: CollectionKey, _ change: WriteRequest.Change, _ scope: RequestScope
  ) throws(Problem) {
    var request = WriteRequest(
      change, precondition: try Precondition(scope.request), key: try IdempotencyKey(scope.request))
    request.requestID = scope.requestID
    service.write(key, request) { result in
      switch result {
      case .success(let receipt):
        // A writer may see everything that it may write.
        replySettings(
          key, .everything, scope, [receipt.version], isReplayed: receipt.isReplayed,
          cache: "no-store")
      case .failure(let failure): scope.reply(Problem(failure))
      }
    }
  }

  private func replySettings(
    _ key: CollectionKey, _ access: ReadAccess, _ scope: RequestScope, _ shown: [VersionToken],
    isReplayed: Bool = false, cache: String
  ) {
    let limits = service.limits
    let seen = scope.request.fields("if-none-match")
    service.settings(of: key, access, requestID: scope.requestID, versions: shown) { result in
      scope.reply(result) { settings, version in
        var writer = JSONWriter()
        writer.write(settings, limits: limits)
        var response = HTTPResponse.json(writer.bytes, cache: cache)
        response.setField("Collection-Version", version.description)
        response.setField("ETag", EntityTag.text(version, settings))
        if isReplayed { response.setField("Idempotency-Replayed", "true") }
        let isSeen =
          EntityTag.versions(seen, isStrong: false)?.matches(version) ?? false
          && EntityTag.settings(seen, isStrong: false)?.contains(settings.tag) ?? false
        let isRead = scope.request.method == .get || scope.request.isHead
        return isSeen && isRead ? response.notModified : response
      }
    }
  }
}
