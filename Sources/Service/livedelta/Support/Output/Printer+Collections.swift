import DeltaEngine
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON

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
    let snapshot = try await client.snapshot(of: collection, version: version).value
    heading("\(collection) version \(snapshot.version)")
    lines(snapshot.lines)
  }

  func show(_ reply: ClientReply<WriteAnswer>, of collection: CollectionAddress) {
    if isJSON { return json(reply.answer.body) }
    let write = reply.value
    let what = write.created ? "created" : write.changed ? "changed" : "unchanged"
    let counts = Self.counts(reply.answer.body)
    line("\(collection) \(what): version \(write.version)\(counts.isEmpty ? "" : ", " + counts)")
  }

  /// What a write changed: `2 sections and 5 items inserted, 1 moved`.
  private static func counts(_ body: [UInt8]) -> String {
    guard let counts = JSONReader().root(of: body)?["counts"] else { return "" }
    let verbs = [
      ("Inserted", "inserted"), ("Deleted", "deleted"), ("Moved", "moved"), ("Reloaded", "changed"),
    ]
    var parts: [String] = []
    for (name, verb) in verbs {
      let sections = counts["sections" + name]?.int ?? 0
      let items = counts[name.lowercased()]?.int ?? 0
      if sections > 0 {
        parts.append(
          counted(sections, "section") + (items > 0 ? " and " + counted(items, "item") : "")
            + " " + verb)
      } else if items > 0 {
        parts.append((parts.isEmpty ? counted(items, "item") : "\(items)") + " " + verb)
      }
    }
    return parts.joined(separator: ", ")
  }

  func show(_ update: ReplicaUpdate) {
    for index in update.delta.steps.indices {
      heading("step \(index + 1) of \(update.delta.steps.count)")
      for line in update.lines(ofStep: index) { change(line) }
    }
    if update.delta.isEmpty { line("no difference") }
  }
}
