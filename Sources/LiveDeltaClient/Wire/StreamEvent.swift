/// A server-sent event.
public struct StreamEvent: Hashable, Sendable {
  /// The name; `message` unless the service sends another.
  public var name = "message"
  /// The data, with several lines joined by line feeds.
  public var data = ""
  /// The id to send as `Last-Event-ID` when reconnecting; `nil` before the first.
  public var id: String?
  /// The milliseconds to wait before reconnecting; `nil` before the service sends them.
  public var retryMilliseconds: Int?
  /// Whether items in the data may be merge patches.
  var patchesItems = false
}

/// Parses the bytes of a stream into events (HTML, "Interpreting an event stream").
///
/// Lines end with LF or CRLF.
struct EventReader {
  private var line: [UInt8] = []
  private var event = StreamEvent()
  private var data: [String] = []
  /// The bytes of the event that is being read.
  private var byteCount = 0
  private let eventBytesMax: Int

  init(eventBytesMax: Int) { self.eventBytesMax = eventBytesMax }

  /// Whether items in the data may be merge patches.
  var patchesItems: Bool {
    get { event.patchesItems }
    set { event.patchesItems = newValue }
  }

  /// Returns the events that the next bytes complete; `nil` if one is larger than the limit.
  mutating func take(_ bytes: [UInt8]) -> [StreamEvent]? {
    var events: [StreamEvent] = []
    for byte in bytes {
      byteCount += 1
      guard byteCount <= eventBytesMax else { return nil }
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if let event = end(String(decoding: line, as: UTF8.self)) { events.append(event) }
      line.removeAll(keepingCapacity: true)
    }
    return events
  }

  /// Parses a line; an empty one completes the event if it has data.
  private mutating func end(_ line: String) -> StreamEvent? {
    guard line.isEmpty else {
      take(field: line)
      return nil
    }
    defer {
      event.name = "message"
      data = []
      byteCount = 0
    }
    event.data = data.joined(separator: "\n")
    return data.isEmpty ? nil : event
  }

  private mutating func take(field line: String) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count == 2 ? parts[1] : ""
    if value.hasPrefix(" ") { value.removeFirst() }
    switch parts[0] {
    case "event": event.name = String(value)
    case "data": data.append(String(value))
    case "id": event.id = String(value)
    case "retry": event.retryMilliseconds = Int(value) ?? event.retryMilliseconds
    default: break
    }
  }
}
