import DeltaHTTP
import Glibc
import HTTP1
import Logging
import SnapshotJSON
import Synchronization

/// The log of messages for operators, on standard error; its level can change at any time.
final class MessageLog: Sendable {
  private let format: LogFormat
  private let state: Mutex<(configured: Logger.Level, isDebugging: Bool)>

  init(level: Logger.Level, format: LogFormat) {
    self.format = format
    state = Mutex((configured: level, isDebugging: false))
  }

  /// The minimum level that is logged.
  var level: Logger.Level { state.withLock { $0.isDebugging ? .debug : $0.configured } }

  /// Changes the configured level.
  func setLevel(_ level: Logger.Level) { state.withLock { $0.configured = level } }

  /// Changes to the level `debug`, or back to the configured one.
  func toggleDebugging() { state.withLock { $0.isDebugging.toggle() } }

  /// A logger that writes here.
  var logger: Logger { Logger(label: "livedelta") { _ in Handler(owner: self) } }

  private func write(_ event: LogEvent, _ metadata: Logger.Metadata) {
    let members = metadata.merging(event.metadata ?? [:]) { $1 }
      .map { (name: $0.key, text: "\($0.value)") }.sorted { $0.name < $1.name }
    let milliseconds = Self.milliseconds
    let line =
      format == .json
      ? Self.json(event, milliseconds, members) : Self.text(event, milliseconds, members)
    // One call for each line, so that lines of several threads are not mixed.
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func json(
    _ event: LogEvent, _ time: String, _ members: [(name: String, text: String)]
  ) -> [UInt8] {
    JSONWriter.object {
      $0.member("time", time)
      $0.member("level", event.level.rawValue)
      $0.member("message", event.message.description)
      for member in members {
        $0.key(member.name)
        $0.string(member.text)
      }
    } + [0x0A]
  }

  private static func text(
    _ event: LogEvent, _ time: String, _ members: [(name: String, text: String)]
  ) -> [UInt8] {
    var text = "\(time) \(event.level.rawValue) \(event.message)"
    for member in members { text += " \(member.name)=\(member.text)" }
    // A message is one line, whatever it quotes.
    return text.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 } + [0x0A]
  }

  private static var milliseconds: String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let second = HTTPDate.timestamp(secondsSince1970: Int64(now.tv_sec)).dropLast()
    return "\(second).\(String(1000 + now.tv_nsec / 1_000_000).dropFirst())Z"
  }

  private struct Handler: LogHandler {
    let owner: MessageLog
    var metadata: Logger.Metadata = [:]

    var logLevel: Logger.Level {
      get { owner.level }
      set { owner.setLevel(newValue) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { owner.write(event, metadata) }
  }
}

extension MessageLog {
  /// Creates the log that the settings describe.
  ///
  /// - Throws: `Failure` if a setting is invalid.
  convenience init(_ settings: Settings) throws {
    self.init(
      level: try Self.level(settings), format: try settings.choice(.logFormat, LogFormat.choices))
  }

  /// The configured level.
  static func level(_ settings: Settings) throws -> Logger.Level {
    let name = try settings.string(.logLevel)
    guard let level = Logger.Level(rawValue: name) else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.configuration("log.level is \"\(name)\"; it is one of \(levels)")
    }
    return level
  }
}

extension LogFormat {
  /// The words for formats in settings.
  static var choices: KeyValuePairs<String, LogFormat> { ["json": .json, "text": .text] }
}
