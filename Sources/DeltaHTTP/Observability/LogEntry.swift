import CollectionService
import HTTP1

/// An entry of the access log that has not been formatted yet.
struct LogEntry: Sendable {
  /// When the request ended, in seconds since 1970.
  let date: Int64
  /// The unique number of the request.
  let number: UInt64
  /// The duration of the request.
  let microseconds: Int
  let request: LoggedRequest

  /// The approximate memory it uses, in bytes.
  var byteCount: Int {
    MemoryLayout<LogEntry>.stride + (request.isShared ? 0 : LoggedRequest.byteCount)
  }
}

/// Formats log lines; the time is formatted once a second.
struct LogText: ~Copyable {
  private(set) var bytes = OutputBuffer(capacity: 64 << 10)
  private var second: Int64?
  private var time: [UInt8] = []

  /// Adds a line.
  mutating func append(_ entry: LogEntry) {
    if entry.date != second {
      second = entry.date
      let text = HTTPDate.timestamp(secondsSince1970: entry.date)
      time = Array("{\"time\":\"\(text)\",\"request\":\"".utf8)
    }
    bytes.append(time)
    if let id = entry.request.id {
      bytes.append(id.bytes)
    } else {
      bytes.append(hexadecimalDigits(entry.number).span)
    }
    bytes.append("\"")
    let text = entry.request.text
    bytes.append(text.beforeDuration)
    bytes.append(decimal: max(0, entry.microseconds))
    bytes.append(text.afterDuration)
  }

  /// Removes all lines.
  mutating func removeAll() { bytes.removeAll(keepingCapacityMax: 64 << 10) }
}
