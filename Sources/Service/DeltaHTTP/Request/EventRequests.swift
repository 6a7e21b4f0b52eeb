import HTTP1

extension HTTPRequest {
  /// Whether the request names events, and does not prefer a single response.
  var acceptsEvents: Bool {
    let ranges = mediaRanges
    guard let events = ranges.first(where: { $0.type == "text" && $0.subtype == "event-stream" }),
      events.quality > 0
    else { return false }
    return events.quality >= (Representation.best(ranges)?.quality ?? 0)
  }

  /// Whether events are acceptable; they are if there is no `Accept` field.
  var allowsEvents: Bool {
    let ranges = mediaRanges
    return ranges.isEmpty
      || ranges.contains { $0.matches(MediaType.events) && $0.quality > 0 }
  }

  /// Whether its answer is a stream of events.
  func opensStream(of route: Route) -> Bool {
    [.changes, .delta, .sync].contains(route.kind) && method == .get && acceptsEvents
  }

  /// The value of `Last-Event-ID`; `nil` if it was not sent.
  var lastEventID: String? { field("last-event-id").map { String(decoding: $0, as: UTF8.self) } }
}

extension Query {
  /// The id of the last event that a reader of a stream has: `lastEventId` stands in for `Last-Event-ID` where
  /// a program cannot send it; nil without either.
  func lastEventID(_ request: HTTPRequest) -> String? {
    request.lastEventID ?? self[.lastEventID].flatMap { $0.isEmpty ? nil : $0 }
  }
}
