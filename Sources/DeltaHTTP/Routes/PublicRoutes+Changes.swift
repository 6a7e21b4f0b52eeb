import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `GET /v1/changes`: the feed of changes, as server-sent events.
  func changes(_ scope: RequestScope, _ query: Query) throws(Problem) {
    let request = scope.request
    guard takesEvents(request) else { throw .changesAreEvents }
    let last = request.field("last-event-id").map { String(decoding: $0, as: UTF8.self) }
    let text = last ?? query[.since] ?? ""
    let since = ChangeMark(text)
    guard text.isEmpty || since != nil else {
      return tell(.badToken(last == nil ? "since" : "Last-Event-ID"), scope)
    }
    let filter = try query.changeFilter
    let ping = try query.ping
    if request.isHead { return scope.reply(.eventStream(nil)) }
    var scope = scope
    guard scope.takePlace(.streams) else { return end(.overload, scope, ticket: nil) }
    let ticket = service.changesTicket()
    let follow = ChangesRequest(
      since: since, filter: filter, ping: ping, lifetime: Self.streamLifetime)
    service.followChanges(follow, ticket) { [scope] error in
      let stream = EventStream(scope, head: .eventStream(nil), ticket: ticket) { _ in [] }
      if let error {
        let isDraining = if case .draining = error { true } else { false }
        stream.end(isDraining ? .drain : .overload, retry: EventText.patientRetry)
        return nil
      }
      stream.write(EventText.retry(Int.random(in: 1000...4000)))
      return { event in
        switch event {
        case .ping: return stream.take(.ping)
        case .end(let reason): return stream.take(.end(reason))
        default: return stream.write(EventText.changes(event))
        }
      }
    }
  }

  /// Whether the client accepts events; it does if it has no `Accept` field.
  private func takesEvents(_ request: HTTPRequest) -> Bool {
    let ranges = listElements(request.fields("accept")).compactMap { MediaRange($0) }
    return ranges.isEmpty
      || ranges.contains { $0.matches(MediaType.events) && $0.quality > 0 }
  }
}

extension Query {
  /// The filter given by `client` and `prefix`.
  fileprivate var changeFilter: ChangeFilter {
    get throws(Problem) {
      var filter = ChangeFilter(prefix: self[.prefix] ?? "")
      if let client = self[.client] {
        filter.client = ResourceName(client)
        guard filter.client != nil else { throw .badIdentifier }
      }
      return filter
    }
  }
}

extension EventText {
  /// Formats an event of the change feed; each of several changes becomes an event of its own.
  fileprivate static func changes(_ event: ChangeEvent) -> [UInt8] {
    switch event {
    case .bookmark(let mark):
      return self.event("bookmark", id: mark.description, data: Array("{}".utf8))
    case .incomplete(let mark, let changed):
      let data = JSONWriter.object {
        $0.member("reason", "history-compacted")
        if let changed { $0.array("changes", changed) { $0.write($1) } }
      }
      return self.event("reset", id: mark.description, data: data)
    case .changes(let changes):
      return changes.flatMap { mark, change in
        self.event(
          change.isDeleted ? "deleted" : "change", id: mark.description, data: text(change))
      }
    case .ping, .end: return []
    }
  }

  private static func text(_ change: CollectionChange) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(change)
    return writer.bytes
  }
}

extension JSONWriter {
  mutating func write(_ change: CollectionChange) {
    object {
      $0.member("client", change.key.client.text)
      $0.member("name", change.key.name.text)
      $0.member("version", change.version.description)
      if change.isDeleted { $0.member("deleted", true) }
    }
  }
}
