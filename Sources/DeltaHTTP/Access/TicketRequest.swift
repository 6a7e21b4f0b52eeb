import Authentication
import HTTP1

extension HTTPRequest {
  /// The ticket that opens a stream: the parameter `ticket`, if there is no `Authorization` field.
  ///
  /// It is not decoded: a ticket has no byte that needs to be encoded.
  func ticket(for route: Route) -> ArraySlice<UInt8>? {
    switch route {
    case .delta, .sync: break
    default: return nil
    }
    guard method == .get, field("authorization") == nil, acceptsEvents else { return nil }
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

  /// Whether the request names events, and does not prefer a single response.
  var acceptsEvents: Bool {
    let ranges = listElements(fields("accept")).compactMap { MediaRange($0) }
    guard let events = ranges.first(where: { $0.type == "text" && $0.subtype == "event-stream" }),
      events.quality > 0
    else { return false }
    return events.quality >= (Representation.best(ranges)?.quality ?? 0)
  }
}

extension RequestScope {
  /// The value of `Last-Event-ID` without the ticket's resume token; `nil` if it was not sent.
  var lastEventID: String? {
    guard let field = request.field("last-event-id") else { return nil }
    let text = String(decoding: field, as: UTF8.self)
    guard let resume = authorization?.resume, text.hasSuffix("~" + resume) else { return text }
    return String(text.dropLast(resume.utf8.count + 1))
  }
}
