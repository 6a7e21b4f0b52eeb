import CollectionService
import HTTP1
import SnapshotJSON

extension PublicRoutes {
  /// `PATCH` of a collection.
  func patch(_ key: CollectionKey, _ exchange: Exchange, _ query: Query) throws(Problem) {
    let body = exchange.request.body
    switch try PatchLanguage(exchange.request) {
    case .edits: try write(key, .edit(body: body), exchange, query)
    case .jsonPatch:
      // Its pointers lead by index: to what, only a version can say.
      guard try !Precondition(exchange.request).isEmpty else {
        throw .patchNeedsVersion
      }
      try write(key, .patch(body: body), exchange, query)
    }
  }

  /// `PUT`, `POST` or `PATCH` of a collection: new content.
  func write(
    _ key: CollectionKey, _ change: WriteRequest.Change, _ exchange: Exchange, _ query: Query
  ) throws(Problem) {
    let preferences = Preferences(exchange.request)
    var representation = Representation.offers[0]
    var answer = WriteRequest.Answer.receipt
    // What a receipt looks like is not negotiated, so that no Accept makes a write fail.
    if preferences.answer == .delta || preferences.answer == .representation {
      representation = try Representation(exchange.request, query)
      let form = representation.dialect.form(exchange.codings)
      answer =
        preferences.answer == .delta && representation.dialect != .snapshot
        ? .delta(form) : .snapshot(form)
    }
    var request = WriteRequest(
      change, precondition: try Precondition(exchange.request), answer: answer,
      key: try IdempotencyKey(exchange.request))
    request.requestID = exchange.requestID
    service.write(key, request) { [representation] result in
      switch result {
      case .success(let receipt):
        exchange.reply(.written(receipt, key, preferences, representation, exchange.codings))
      case .failure(let failure): exchange.reply(Problem(failure))
      }
    }
  }

  /// `DELETE` of a collection.
  func delete(_ key: CollectionKey, _ exchange: Exchange) throws(Problem) {
    var request = WriteRequest(
      .delete, precondition: try Precondition(exchange.request),
      key: try IdempotencyKey(exchange.request))
    request.requestID = exchange.requestID
    service.write(key, request) { result in
      switch result {
      case .success(let receipt):
        var response = HTTPResponse(status: 204)
        response.setField("Collection-Version", receipt.version.description)
        response.setField("Cache-Control", "no-store")
        if receipt.isReplayed { response.setField("Idempotency-Replayed", "true") }
        exchange.reply(response)
      case .failure(let failure): exchange.reply(Problem(failure))
      }
    }
  }

  /// `DELETE` of a client: all its collections; nothing is wrong with having had none.
  func deleteClient(_ client: ResourceName, _ exchange: Exchange) {
    service.deleteClient(client, requestID: exchange.requestID) { result in
      switch result {
      case .success:
        var response = HTTPResponse(status: 204)
        response.setField("Cache-Control", "no-store")
        exchange.reply(response)
      case .failure(let failure): exchange.reply(Problem(failure))
      }
    }
  }

  /// `POST /v1/diff`: the delta between two snapshots.
  func diff(_ exchange: Exchange, _ query: Query) throws(Problem) {
    let representation = try Representation(exchange.request, query)
    service.diff(
      exchange.request.body, form: representation.dialect.form,
      wantsSnapshot: representation.dialect == .snapshot, requestID: exchange.requestID
    ) { result in
      switch result {
      case .success(let answer):
        var response = HTTPResponse(status: 200, body: AnswerText.body(answer))
        response.setField("Content-Type", representation.mediaType(isDelta: answer.isDelta))
        response.setField("Cache-Control", "no-store")
        response.setField("Vary", HTTPResponse.variance)
        exchange.reply(response)
      case .failure(let error): exchange.reply(Problem(error))
      }
    }
  }
}
