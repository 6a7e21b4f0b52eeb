import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `GET …/versions`: the retained versions, newest first.
  func versions(_ key: CollectionKey, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let limit = try query.limit ?? .max
    service.versions(
      of: key, try scope.access(key), requestID: scope.requestID,
      seen: try scope.request.shownVersions
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
  func retained(
    _ key: CollectionKey, _ scope: RequestScope, _ query: Query
  ) throws(Problem) {
    guard let version = try query.token(.version)?.unrenewed else { throw .badToken("version") }
    let representation = try Representation(scope.request, query)
    let caching = try AnswerCaching(scope.request, query, representation)
    var form = representation.form(scope.codings)
    form.omitsSettings = true
    form.view = try query.view
    var request = ReadRequest(try scope.access(key), since: nil, form: form)
    request.requestID = scope.requestID
    let interest = try scope.interest(isViewed: request.isViewed)
    request.interest = interest
    scope.onHangup { interest.end() }
    service.snapshot(of: key, at: version, request) { [view = form.view] in
      reply($0, key, scope, representation, view, caching, as: .version, from: $1)
    }
  }

  /// `GET …/delta?from=T1&to=T2`: the delta between two versions, in either direction.
  func between(_ key: CollectionKey, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let representation = try Representation(scope.request, query)
    guard query[.since] == nil, query[.from] != nil, query[.to] != nil else {
      throw .badParameter("`from` and `to` must be given together, and without `since`")
    }
    guard let from = try query.token(.from) else { throw .badToken("from") }
    guard let to = try query.token(.to) else { throw .badToken("to") }
    let wantsSnapshot = representation.dialect == .snapshot
    let caching = try AnswerCaching(scope.request, query, representation)
    var form = representation.form(scope.codings)
    form.omitsSettings = true
    form.view = try query.view
    var request = ReadRequest(try scope.access(key), since: nil, form: form)
    request.wantsSnapshot = wantsSnapshot
    request.requestID = scope.requestID
    let interest = try scope.interest(isViewed: request.isViewed)
    request.interest = interest
    scope.onHangup { interest.end() }
    service.delta(of: key, from: from, to: to, request) { result, source in
      scope.attempt { () throws(Problem) in
        let answer = try result.mapError { scope.problem($0) }.get()
        var scope = scope
        try scope.chargeLoads(answer.snapshotCount)
        scope.note(answer, representation.dialect)
        var response = HTTPResponse.answer(answer, name: key.name, representation, scope.codings)
        // A snapshot in place of a delta that was refused is a fault, which a later release mends.
        let isWanted = answer.isDelta != wantsSnapshot || answer.isUnchanged
        caching.mark(&response, as: isWanted ? .version : .moment, source.ages)
        scope.reply(response)
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
