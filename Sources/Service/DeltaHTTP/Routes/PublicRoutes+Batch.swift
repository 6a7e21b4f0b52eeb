import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `POST …/batch`: several writes, by default all or nothing.
  func batch(_ client: ResourceName, _ scope: RequestScope) throws(Problem) {
    let key = try IdempotencyKey(scope.request)
    let requestID = scope.requestID
    let permits: @Sendable (ResourceName) -> Bool = { [authorization = scope.authorization] name in
      guard let authorization else { return true }
      return authorization.principal.meets(
        .collection(.write, client: client.text, name: name.text))
    }
    service.batch(
      client, body: scope.request.body, permits: permits, key: key, requestID: requestID
    ) { result in
      switch result {
      case .failure(let error): scope.reply(Problem(error))
      case .success(let receipt):
        if let (write, failure) = receipt.failure {
          var problem = Problem(failure).naming(requestID)
          if problem.entries.isEmpty {
            problem.entries = [.init(pointer: "/writes/\(write)", detail: problem.detail)]
          }
          problem.current = nil
          problem.showsCurrent = false
          scope.reply(problem.response { $0.write(receipt, requestID) })
        } else {
          let body = JSONWriter.object { $0.write(receipt, requestID) }
          var response = HTTPResponse.json(body, cache: "no-store")
          if receipt.isReplayed { response.setField("Idempotency-Replayed", "true") }
          scope.reply(response)
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes `"results":[{"collection","status","version"|"problem"}]`.
  fileprivate mutating func write(_ receipt: BatchReceipt, _ requestID: RequestID) {
    array("results", receipt.entries) { $0.write($1, requestID) }
  }

  private mutating func write(_ entry: BatchReceipt.Entry, _ requestID: RequestID) {
    beginObject()
    member("collection", entry.collection.text)
    key("status")
    switch entry.result {
    case .success(let receipt):
      number(receipt.isDeleted ? 204 : receipt.isCreated ? 201 : 200)
      member("version", receipt.version.description)
    case .failure(let failure):
      let problem = Problem(failure).naming(requestID)
      number(problem.status)
      key("problem")
      problem.write(to: &self)
    }
    endObject()
  }
}
