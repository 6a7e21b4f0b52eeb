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

  /// The ticket that opens a stream: the parameter `ticket`, if there is no `Authorization` field.
  ///
  /// It is not decoded: a ticket has no byte that needs to be encoded.
  func ticket(for route: Route) -> ArraySlice<UInt8>? {
    guard [.delta, .sync].contains(route.kind), method == .get, field("authorization") == nil,
      acceptsEvents
    else { return nil }
    let name = Array("ticket=".utf8)
    return query?.split(separator: UInt8(ascii: "&")).first { $0.starts(with: name) }?
      .dropFirst(name.count)
  }

  /// What follows the last `~` in `Last-Event-ID`: the resume token of a stream that a ticket opened.
  var resume: ArraySlice<UInt8>? {
    guard let last = field("last-event-id"), let mark = last.lastIndex(of: UInt8(ascii: "~"))
    else { return nil }
    return last[(mark + 1)...]
  }

  /// The value of `Last-Event-ID` without a resume token; `nil` if it was not sent.
  func lastEventID(without resume: String?) -> String? {
    guard let field = field("last-event-id") else { return nil }
    let text = String(decoding: field, as: UTF8.self)
    guard let resume, text.hasSuffix("~" + resume) else { return text }
    return String(text.dropLast(resume.utf8.count + 1))
  }
}
