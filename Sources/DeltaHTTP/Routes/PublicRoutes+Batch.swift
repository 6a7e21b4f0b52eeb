import CollectionService
import HTTP1
import SnapshotJSON

extension PublicRoutes {
  /// `POST …/batch`: several writes, by default all or nothing.
  func batch(_ client: ResourceName, _ exchange: Exchange) throws(Problem) {
    let key = try IdempotencyKey(exchange.request)
    service.batch(client, body: exchange.request.body, key: key) { result in
      switch result {
      case .failure(let error): exchange.reply(Problem(error))
      case .success(let receipt):
        if let failure = receipt.failure {
          var problem = Problem(failure)
          problem.current = nil
          problem.tellsCurrent = false
          exchange.reply(problem.response { $0.write(receipt) })
        } else {
          var writer = JSONWriter()
          writer.beginObject()
          writer.write(receipt)
          writer.endObject()
          var response = HTTPResponse.json(writer.bytes, cache: "no-store")
          if receipt.isReplayed { response.setField("Idempotency-Replayed", "true") }
          exchange.reply(response)
        }
      }
    }
  }
}

extension JSONWriter {
  /// `"results":[{"collection","status","version"|"problem"}]`.
  fileprivate mutating func write(_ receipt: BatchReceipt) {
    key("results")
    beginArray()
    for entry in receipt.entries { write(entry) }
    endArray()
  }

  private mutating func write(_ entry: BatchReceipt.Entry) {
    beginObject()
    key("collection")
    string(entry.collection.text)
    key("status")
    switch entry.result {
    case .success(let receipt):
      number(receipt.isDeleted ? 204 : receipt.isCreated ? 201 : 200)
      key("version")
      string(receipt.version.description)
    case .failure(let failure):
      let problem = Problem(failure)
      number(problem.status)
      key("problem")
      problem.write(to: &self)
    }
    endObject()
  }
}
