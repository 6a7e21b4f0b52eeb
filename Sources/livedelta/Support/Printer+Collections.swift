import DeltaEngine
import LiveCollectionsClient

extension Printer {
  /// Writes the contents of a version.
  func show(_ reply: Reply<WireSnapshot>, of collection: CollectionAddress) {
    if isJSON { return json(reply.answer.body) }
    heading("\(collection) version \(reply.value.version)")
    for text in reply.value.lines { line(text) }
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
    let view = TextView(showing: presenter, writeLine: change)
    for index in update.delta.steps.indices {
      heading("step \(index + 1) of \(update.delta.steps.count)")
      await presenter.performStep(index, of: update, in: view)
    }
    if update.delta.isEmpty { line("no difference") }
  }
}
