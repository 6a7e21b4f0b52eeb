/// A server-sent event.
public struct StreamEvent: Hashable, Sendable {
  /// The name; `message` unless the service sends another.
  public var name = "message"
  /// The data, with several lines joined by line feeds.
  public var data = ""
  /// The id to send as `Last-Event-ID` when reconnecting; `nil` before the first.
  public var id: String?
  /// The milliseconds to wait before reconnecting, at most 30,000; `nil` before the service sends them.
  public var retryMilliseconds: Int?
  /// Whether items in the data may be merge patches.
  var patchesItems = false
}

/// Parses the bytes of a stream into events (WHATWG HTML §9.2.6).
///
/// Lines end with LF, CR or CR LF, in any mixture. Fields are split between bytes, and only then decoded: a
/// combining character after a colon is content. Bytes that are not UTF-8 become U+FFFD.
struct EventReader {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let retryMillisecondsMax = 30_000

  private var line: [UInt8] = []
  private var isFirstLine = true
  /// Whether the last byte was a CR, which ended a line; an LF after it is a part of that end.
  private var endedWithReturn = false
  private var event = StreamEvent()
  private var data: [String] = []
  /// The number of bytes of the event in progress.
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
      let isRest = endedWithReturn && byte == UInt8(ascii: "\n")
      endedWithReturn = byte == UInt8(ascii: "\r")
      if isRest { continue }
      byteCount += 1
      guard byteCount <= eventBytesMax else { return nil }
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
        line.append(byte)
        continue
      }
      if let event = endLine() { events.append(event) }
    }
    return events
  }

  /// Parses the line; an empty one completes the event if it has data.
  private mutating func endLine() -> StreamEvent? {
    if isFirstLine && line.starts(with: Self.byteOrderMark) { line.removeFirst(3) }
    isFirstLine = false
    defer { line.removeAll(keepingCapacity: true) }
    guard line.isEmpty else {
      takeField()
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

  private mutating func takeField() {
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": event.name = text.isEmpty ? "message" : text
    case "data": data.append(text)
    case "id": if !value.contains(0) { event.id = text }
    case "retry": if let pause = Self.pause(value) { event.retryMilliseconds = pause }
    default: break
    }
  }

  /// Returns a pause in milliseconds, at most the longest; `nil` for anything but ASCII digits.
  private static func pause(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var pause = 0
    for digit in digits {
      guard 0x30...0x39 ~= digit else { return nil }
      pause = min(retryMillisecondsMax, pause * 10 + Int(digit - 0x30))
    }
    return pause
  }
}
