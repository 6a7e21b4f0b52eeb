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
      var parameters = try SyncParameters(root, limits: service.limits)
      var scope = scope
      try scope.require(.read, parameters.entries.map(\.name), of: client)
      try scope.restrict(&parameters.entries, of: client)
      if (parameters.wait ?? 0) > 0 { try scope.takePlaceToWait() }
      scope.subject.parked = ParkedTime()
      var request = SyncRequest(
        entries: parameters.entries, form: representation.form(scope.codings),
        wantsSnapshot: representation.dialect == .snapshot)
      request.parkedTime = scope.subject.parked
      request.versions = shown
      request.requestID = scope.requestID
      answer(client, request, wait: parameters.wait, representation, scope)
    }
  }

  private func answer(
    _ client: ResourceName, _ request: SyncRequest, wait: Int?, _ representation: Representation,
    _ scope: RequestScope
  ) {
    let ticket = service.sync(client, request, waitSeconds: wait ?? 0) { result in
      scope.ifAuthorized(waitSeconds: wait ?? 0) {
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
    }
    scope.endWaitOnHangup(ticket)
  }

  /// `POST …/tickets`: issues a ticket, with which an `EventSource` can open one stream.
  func tickets(_ client: ResourceName, _ scope: RequestScope) {
    parse(scope) { root, scope throws(Problem) in
      let names = try [ResourceName](ofTicket: root)
      var scope = scope
      try scope.require(.read, names, of: client)
      // Without authentication streams need no ticket, and what is issued is not looked at.
      var (ticket, expires) = ("none", date() + Tickets.lifetime)
      if let authorization = scope.authorization {
        let issued = gate.tickets.issue(
          authorization, client: client.text, collections: names.map(\.text))
        guard let issued else { throw Problem(Refusal.insufficientScope) }
        (ticket, expires) = issued
      }
      let body = JSONWriter.object {
        $0.member("ticket", ticket)
        $0.member("expires", HTTPDate.timestamp(secondsSince1970: expires))
      }
      scope.reply(.json(body, cache: "no-store"))
    }
  }

  /// Parses the body of a request; a problem of what follows is the response.
  private func parse(
    _ scope: RequestScope,
    _ then: @escaping @Sendable (JSONValue, RequestScope) throws(Problem) -> Void
  ) {
    service.parse(scope.request.body) { result in
      scope.attempt { () throws(Problem) in
        let document = try result.mapError { Problem($0) }.get()
        try then(document.root, scope.withoutBody())
      }
    }
  }
}
