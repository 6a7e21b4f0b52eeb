import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `POST …/sync`: the changes of several collections as of one moment.
  func sync(_ client: ResourceName, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let representation = try Representation(scope.request, query)
    let shown = try scope.request.shownVersions
    parse(scope) { root, scope throws(Problem) in
      let parameters = try SyncParameters(root, limits: service.limits)
      var scope = scope
      let entries = try scope.entries(parameters.collections, of: client)
      if (parameters.wait ?? 0) > 0 { try scope.takePlaceToWait() }
      scope.subject.parked = ParkedTime()
      var request = SyncRequest(
        entries: entries, form: representation.form(scope.codings),
        wantsSnapshot: representation.dialect == .snapshot)
      request.each.parkedTime = scope.subject.parked
      request.each.versions = shown
      request.each.requestID = scope.requestID
      request.each.interest = try scope.interest(
        isViewed: entries.contains(where: \.isViewed))
      answer(client, request, wait: parameters.wait, representation, scope)
    }
  }

  private func answer(
    _ client: ResourceName, _ request: SyncRequest, wait: Int?, _ representation: Representation,
    _ scope: RequestScope, isRenewed: Bool = false
  ) {
    let again: @Sendable (RequestScope) -> Void = { scope in
      scope.attempt { () throws(Problem) in
        var request = request
        request.entries = try scope.renewed(request.entries, of: client)
        request.each.interest = try scope.interest(
          isViewed: request.entries.contains(where: \.isViewed))
        answer(client, request, wait: nil, representation, scope, isRenewed: true)
      }
    }
    let watch = (wait ?? 0) > 0 ? WaitWatch() : nil
    let ticket = service.sync(client, request, waitSeconds: wait ?? 0) { result in
      watch?.end()
      scope.ifAuthorized(waitSeconds: wait ?? 0) { scope in
        let change = result.viewChange
        if change != nil, !isRenewed { return scope.ifAuthorizedAnew(again) }
        scope.attempt { () throws(Problem) in
          // It may see something else than when it came.
          let entries = try scope.renewed(request.entries, of: client)
          if entries.map(\.access) != request.entries.map(\.access) { return again(scope) }
          guard let change else { return reply(result, wait: wait, representation, scope) }
          hold(CollectionKey(client: client, name: change), scope) {
            reply(result, wait: wait, representation, $0)
          }
        }
      }
    }
    scope.endWaitOnHangup(ticket, watch)
  }

  private func reply(
    _ result: Result<SyncAnswer, ServiceFailure>, wait: Int?, _ representation: Representation,
    _ scope: RequestScope
  ) {
    scope.attempt { () throws(Problem) in
      if case .success(let answer) = result {
        var scope = scope
        try scope.chargeLoads(answer.snapshotCount)
        scope.count(answer, representation.dialect)
      }
      scope.reply(result) { answer in
        var response = HTTPResponse.pieces(
          AnswerText.sync(answer), representation.mediaType(isDelta: false), scope.codings,
          deltasAs: representation)
        response.appendField("Cache-Control", "no-store")
        if let wait { response.setField("Collection-Wait", wait) }
        return response
      }
    }
  }

  /// Parses the body of a request; a problem of what follows is the response.
  private func parse(
    _ scope: RequestScope,
    _ then: @escaping @Sendable (StrictJSON, RequestScope) throws(Problem) -> Void
  ) {
    service.parse(scope.request.body) { result in
      scope.attempt { () throws(Problem) in
        let root = try result.mapError { Problem($0) }.get()
        try then(root, scope.withoutBody())
      }
    }
  }
}

extension Result<SyncAnswer, ServiceFailure> {
  /// The first collection with which the reader begins anew because of another restriction.
  var viewChange: ResourceName? {
    guard case .success(let answer) = self else { return nil }
    return answer.news.first(where: \.answer.isViewChange)?.name
  }
}
