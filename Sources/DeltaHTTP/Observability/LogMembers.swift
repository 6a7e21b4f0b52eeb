/// The format of a log.
public enum LogFormat: String, CaseIterable, Sendable {
  /// A JSON object for each line.
  case json
  /// Readable text: the time, and `name=value` for everything else.
  case text
}

/// How access log lines are formatted.
struct LogStyle: Sendable {
  let names: LoggedNames
  let format: LogFormat
}

/// Formats members of a log line: `,"name":"value"`, or ` name=value`.
///
/// No value has a character that JSON escapes.
struct LogMembers {
  private(set) var bytes: [UInt8] = []
  private let isJSON: Bool

  init(_ format: LogFormat) { isJSON = format == .json }

  /// Adds a name, to be followed by a number.
  mutating func addName(_ name: String) {
    bytes += (isJSON ? ",\"\(name)\":" : " \(name)=").utf8
  }

  mutating func add(_ name: String, _ number: Int) {
    addName(name)
    bytes += String(number).utf8
  }

  /// Adds a text, or null.
  mutating func add(_ name: String, _ text: (some Sequence<UInt8>)?) {
    addName(name)
    guard let text else {
      bytes += (isJSON ? "null" : "-").utf8
      return
    }
    if isJSON { bytes.append(UInt8(ascii: "\"")) }
    bytes += text
    if isJSON { bytes.append(UInt8(ascii: "\"")) }
  }
}
