import DeltaEngine
import LiveDeltaClient

extension Printer {
  /// Requests a version of a collection, and writes its contents, or the response as it is.
  func show(
    _ version: String? = nil, of collection: CollectionAddress, _ client: DeltaClient
  ) async throws(ClientError) {
    guard !isJSON else {
      let query = version.map { "?version=\($0.percentEncoded)" } ?? ""
      let answer = try await client.request("GET", collection.path + query)
      try client.check(answer)
      return json(answer.body)
    }
    let snapshot = try await client.snapshot(
      of: client.withIDPath(collection), version: version
    ).value
    heading("\(collection) version \(snapshot.version)")
    for text in snapshot.lines { line(text) }
  }

  /// Writes the result of a write.
  func show(_ reply: Reply<WriteAnswer>, of collection: CollectionAddress) {
    if isJSON { return json(reply.answer.body) }
    let write = reply.value
    let what = write.created ? "created" : write.changed ? "changed" : "unchanged"
    line("\(collection) \(what): version \(write.version)")
  }

  /// Writes the changes of an update, step by step.
  func show(_ update: ReplicaUpdate) async {
    let presenter = ReplicaPresenter(update.source)
    let view = TextView(showing: presenter, writeQueue: change)
    for index in update.delta.steps.indices {
      heading("step \(index + 1) of \(update.delta.steps.count)")
      await presenter.performStep(index, of: update, in: view)
    }
    if update.delta.isEmpty { line("no difference") }
  }
}
