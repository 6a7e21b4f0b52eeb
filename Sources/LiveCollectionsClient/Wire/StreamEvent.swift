/// A server-sent event.
public struct StreamEvent: Hashable, Sendable {
  /// Its name: `message` unless the service says another.
  public var name = "message"
  /// Its data; the lines of several are joined by line ends.
  public var data = ""
  /// What a reader that comes back sends as `Last-Event-ID`; `nil` before the first.
  public var id: String?
}

/// Turns the bytes of a stream into events (HTML, "Interpreting an event stream").
///
/// Lines end with LF or CRLF.
struct EventReader {
  private var line: [UInt8] = []
  private var event = StreamEvent()
  private var data: [String] = []

  /// The events that a piece of the stream completes.
  mutating func take(_ bytes: [UInt8]) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for byte in bytes {
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

  /// Takes a line; an empty one completes the event, if there is data in it.
  private mutating func end(_ line: String) -> StreamEvent? {
    guard line.isEmpty else {
      take(field: line)
      return nil
    }
    defer {
      event.name = "message"
      data = []
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
    default: break
    }
  }
}
