import DeltaHTTP
import Glibc
import HTTP1
import Logging
import SnapshotJSON
import Synchronization

/// The log of messages for operators, on standard error; its level can change at any time.
///
/// Lines are limited per second and kind, so that a frequent message does not flood the log; the next line
/// of the kind reports how many were suppressed. A kind is the place in the program that logs.
final class MessageLog: Sendable {
  private struct Place: Hashable {
    let file: String
    let line: UInt
  }

  private struct State {
    var level: Logger.Level
    var isDebugging = false
    var linesPerSecondMax: Int
    var rates: [Place: LineRate] = [:]
    var suppressedCount = 0
  }

  private let format: LogFormat
  private let second: @Sendable () -> Int64
  private let output: @Sendable ([UInt8]) -> Bool
  private let state: Mutex<State>

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - level: The minimum level that is logged.
  ///   - format: The format of the lines.
  ///   - linesPerSecondMax: The most lines per second and kind.
  ///   - second: Returns the current second, by any clock.
  ///   - output: Writes a line, and returns whether it could; called on any thread.
  init(
    level: Logger.Level, format: LogFormat, linesPerSecondMax: Int,
    second: @escaping @Sendable () -> Int64 = { MessageLog.uptimeSecond },
    output: @escaping @Sendable ([UInt8]) -> Bool = { MessageLog.writeError($0) }
  ) {
    self.format = format
    self.second = second
    self.output = output
    state = Mutex(State(level: level, linesPerSecondMax: linesPerSecondMax))
  }

  /// The minimum level that is logged.
  var level: Logger.Level { state.withLock { $0.isDebugging ? .debug : $0.level } }

  /// The number of messages that were suppressed, or could not be written.
  var suppressedCount: Int { state.withLock { $0.suppressedCount } }

  /// Changes the configured level.
  func setLevel(_ level: Logger.Level) { state.withLock { $0.level = level } }

  /// Applies the settings that can change while the program runs.
  ///
  /// - Throws: `Failure` if a setting is invalid.
  func reload(_ settings: Settings) throws {
    let (level, linesPerSecondMax) = (
      try Self.level(settings), try Self.linesPerSecondMax(settings)
    )
    state.withLock { ($0.level, $0.linesPerSecondMax) = (level, linesPerSecondMax) }
  }

  /// Changes to the level `debug`, or back to the configured one.
  func toggleDebugging() { state.withLock { $0.isDebugging.toggle() } }

  /// A logger that writes here.
  var logger: Logger { Logger(label: "livedelta") { _ in Handler(owner: self) } }

  private func write(_ event: LogEvent, _ metadata: Logger.Metadata) {
    var metadata = metadata.merging(event.metadata ?? [:]) { $1 }
    // Faults have a kind, by which the log of faults limits them itself.
    if metadata["kind"] == nil {
      guard let count = take(Place(file: event.file, line: event.line)) else { return }
      if count > 0 { metadata["suppressed"] = "\(count)" }
    }
    let members = metadata.map { (name: $0.key, text: "\($0.value)") }
      .sorted { $0.name < $1.name }
    let milliseconds = Self.milliseconds
    let line =
      format == .json
      ? Self.json(event, milliseconds, members) : Self.text(event, milliseconds, members)
    if !output(line) { state.withLock { $0.suppressedCount += 1 } }
  }

  /// Counts a message; returns the number of those suppressed before it, or `nil` if it is, too.
  private func take(_ place: Place) -> Int? {
    let second = second()
    return state.withLock { state in
      let count = state.rates[place, default: LineRate()].take(second, state.linesPerSecondMax)
      if count == nil { state.suppressedCount += 1 }
      return count
    }
  }

  /// Writes a line in one call, so that lines of several threads are not mixed.
  private static func writeError(_ line: [UInt8]) -> Bool {
    while true {
      let count = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 || errno != EINTR { return count == line.count }
    }
  }

  private static var uptimeSecond: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec)
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
      level: try Self.level(settings), format: try settings.choice(.logFormat, LogFormat.choices),
      linesPerSecondMax: try Self.linesPerSecondMax(settings))
  }

  private static func linesPerSecondMax(_ settings: Settings) throws -> Int {
    try settings.int(.logLinesPerSecondMax, in: 1...countMax)
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
