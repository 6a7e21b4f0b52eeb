import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `PUT`, `POST` or `PATCH` of a collection.
  func write(
    _ key: CollectionKey, _ change: WriteRequest.Change, _ scope: RequestScope, _ query: Query
  ) throws(Problem) {
    let preferences = Preferences(scope.request)
    try Representation.check(query)
    var representation = Representation.offers[0]
    var answer = WriteRequest.Answer.receipt
    // Receipts are not negotiated, so that `Accept` cannot make a write fail.
    if preferences.wantsContent {
      representation = try Representation(scope.request, query)
      let form = representation.form(scope.codings)
      answer =
        preferences.answer == .delta && representation.dialect != .snapshot
        ? .delta(form) : .snapshot(form)
    }
    var request = WriteRequest(
      change, precondition: try Precondition(scope.request), answer: answer,
      key: try IdempotencyKey(scope.request))
    request.requestID = scope.requestID
    request.precondition.isInBody = preferences.takesVersionOfBody
    service.write(key, request) { [representation, answer] result in
      if case .success(let receipt) = result, receipt.isReplayed, preferences.wantsContent {
        return repeatContent(of: receipt, key, answer, scope) {
          scope.reply(.written($0, key, preferences, representation, scope.codings))
        }
      }
      scope.reply(result) {
        .written($0, key, preferences, representation, scope.codings)
      }
    }
  }

  /// Recreates the content of a replayed response, if its versions are still retained.
  private func repeatContent(
    of receipt: WriteReceipt, _ key: CollectionKey, _ answer: WriteRequest.Answer,
    _ scope: RequestScope, reply: @escaping @Sendable (WriteReceipt) -> Void
  ) {
    var receipt = receipt
    var (wanted, from) = (AnswerForm(dialect: 0), receipt.version)
    var isSnapshot = true
    switch answer {
    case .receipt: return reply(receipt)
    case .snapshot(let form): wanted = form
    case .delta(let form):
      guard receipt.isChanged else {
        receipt.answer = .unchanged(receipt.version)
        return reply(receipt)
      }
      wanted = form
      from = receipt.previous ?? receipt.version
      isSnapshot = receipt.previous == nil
    }
    // A writer may see everything that it may write.
    var request = ReadRequest(.everything, since: nil, form: wanted)
    request.wantsSnapshot = isSnapshot
    request.requestID = scope.requestID
    service.delta(of: key, from: from, to: receipt.version, request) { [receipt] result, _ in
      var receipt = receipt
      // An error costs the representation: the write is answered with its receipt alone.
      receipt.answer = try? result.get()
      reply(receipt)
    }
  }

  /// `DELETE` of a collection.
  func delete(_ key: CollectionKey, _ scope: RequestScope) throws(Problem) {
    var request = WriteRequest(
      .delete, precondition: try Precondition(scope.request),
      key: try IdempotencyKey(scope.request))
    request.requestID = scope.requestID
    service.write(key, request) { result in
      scope.reply(result) { receipt in
        var response = HTTPResponse.noContent
        response.setField("Collection-Version", receipt.version.description)
        if receipt.isReplayed { response.setField("Idempotency-Replayed", "true") }
        return response
      }
    }
  }

  /// `DELETE` of a client, with all its collections.
  func deleteClient(_ client: ResourceName, _ scope: RequestScope) {
    service.deleteClient(client, requestID: scope.requestID) { result in
      scope.reply(result) { _ in .noContent }
    }
  }

  /// `POST /v1/diff`: the delta between two snapshots.
  func diff(_ scope: RequestScope, _ query: Query) throws(Problem) {
    let representation = try Representation(scope.request, query)
    service.diff(
      scope.request.body, form: representation.form(nil),
      wantsSnapshot: representation.dialect == .snapshot, requestID: scope.requestID
    ) { result in
      scope.attempt { () throws(Problem) in
        let answer = try result.mapError { Problem($0) }.get()
        var response = HTTPResponse(status: 200, body: AnswerText.body(answer))
        response.setField("Content-Type", representation.mediaType(isDelta: answer.isDelta))
        response.setField("Cache-Control", "no-store")
        response.setField("Vary", HTTPResponse.deltaVariance)
        if representation.patchesItems {
          response.setField("Preference-Applied", Preferences.itemPatches)
        }
        scope.reply(response)
      }
    }
  }
}
