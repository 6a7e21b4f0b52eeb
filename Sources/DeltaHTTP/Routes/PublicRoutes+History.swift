import CollectionService
import HTTP1
import SnapshotJSON

extension PublicRoutes {
  /// Versions never change.
  private static let immutable = "private, max-age=31536000, immutable"

  /// `GET …/versions`: the retained versions, newest first.
  func versions(_ key: CollectionKey, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let limit = try query.limit ?? .max
    service.versions(
      of: key, requestID: scope.requestID, seen: try scope.request.shownVersions
    ) { result in
      scope.reply(result) { versions in
        var response = HTTPResponse.json(
          Self.text(versions.reversed().prefix(limit), key.name), cache: "private, no-cache")
        if let head = versions.last {
          response.setField("Collection-Version", head.version.description)
        }
        return response
      }
    }
  }

  /// `GET …?version=T`: the snapshot of a retained version.
  func snapshot(
    _ key: CollectionKey, at text: String, _ scope: RequestScope, _ query: Query
  ) throws(Problem) {
    guard let version = VersionToken(text) else { throw .badToken("version") }
    let representation = try Representation(scope.request, query)
    let seen = EntityTag.versions(scope.request.fields("if-none-match"), isStrong: false)
    service.snapshot(
      of: key, at: version, form: representation.form(scope.codings),
      requestID: scope.requestID
    ) { result in
      scope.reply(result) { answer in
        scope.note(AnswerMark(answer, representation.dialect))
        var response = HTTPResponse.answer(
          answer, name: key.name, representation, scope.codings, isTagged: true)
        response.appendField("Cache-Control", Self.immutable)
        return seen?.matches(version) ?? false ? response.notModified : response
      }
    }
  }

  /// `GET …/delta?from=T1&to=T2`: the delta between two versions, in either direction.
  func between(_ key: CollectionKey, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let representation = try Representation(scope.request, query)
    guard query[.since] == nil, let fromText = query[.from], let toText = query[.to] else {
      throw .badParameter("from and to come together, and without since")
    }
    guard let from = VersionToken(fromText) else { throw .badToken("from") }
    guard let to = VersionToken(toText) else { throw .badToken("to") }
    service.delta(
      of: key, from: from, to: to, form: representation.form(scope.codings),
      wantsSnapshot: representation.dialect == .snapshot, requestID: scope.requestID
    ) { result in
      scope.reply(result) { answer in
        scope.note(AnswerMark(answer, representation.dialect))
        var response = HTTPResponse.answer(
          answer, name: key.name, representation, scope.codings)
        response.setField("Cache-Control", Self.immutable)
        return response
      }
    }
  }

  private static func text(
    _ versions: ArraySlice<VersionSummary>, _ name: ResourceName
  ) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("collection", name.text)
      writer.array("versions", versions) { writer, version in
        writer.object {
          $0.member("version", version.version.description)
          $0.member("seq", version.version.seq)
          $0.member("at", HTTPDate.timestamp(secondsSince1970: version.date))
        }
      }
    }
  }
}
