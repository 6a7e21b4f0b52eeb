import DeltaHTTP
import Glibc
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
    var rates: [Place: LineRate] = [:]
    var suppressedCount = 0
  }

  private let format: LogFormat
  private let linesPerSecondMax: Int
  private let second: @Sendable () -> Int64
  private let output: @Sendable ([UInt8]) -> Bool
  private let state: Mutex<State>

  /// Creates a log; `output` writes a line, to standard error if `nil`, and returns whether it could.
  init(
    level: Logger.Level, format: LogFormat, linesPerSecondMax: Int = 100,
    second: @escaping @Sendable () -> Int64 = { MessageLog.uptimeSecond },
    output: (@Sendable ([UInt8]) -> Bool)? = nil
  ) {
    self.format = format
    self.second = second
    self.linesPerSecondMax = linesPerSecondMax
    let errors = Surroundings.current.errors
    self.output = output ?? { Self.write($0, to: errors) }
    state = Mutex(State(level: level))
  }

  var level: Logger.Level { state.withLock { $0.isDebugging ? .debug : $0.level } }

  /// The number of messages that were suppressed, or could not be written.
  var suppressedCount: Int { state.withLock { $0.suppressedCount } }

  func setLevel(_ level: Logger.Level) { state.withLock { $0.level = level } }

  /// Changes to the level `debug`, or back to the configured one.
  func toggleDebugging() { state.withLock { $0.isDebugging.toggle() } }

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
    let time = Timestamp.now()
    let line =
      format == .json
      ? Self.json(event, time, members) : Self.text(event, time, members)
    if !output(line) { state.withLock { $0.suppressedCount += 1 } }
  }

  /// Counts a message; returns the number of those suppressed before it, or `nil` if it is, too.
  private func take(_ place: Place) -> Int? {
    let second = second()
    return state.withLock { state in
      let count = state.rates[place, default: LineRate()].take(second, linesPerSecondMax)
      if count == nil { state.suppressedCount += 1 }
      return count
    }
  }

  /// Writes a line in one call, so that lines of several threads are not mixed.
  private static func write(_ line: [UInt8], to descriptor: Int32) -> Bool {
    while true {
      let count = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
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
  convenience init(_ settings: LogSettings) throws {
    self.init(level: try settings.lineLevel(), format: try settings.lineFormat())
  }
}

extension LogSettings {
  func lineLevel() throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: level) else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.configuration("log.level is \"\(level)\"; it must be one of \(levels)")
    }
    return level
  }
}
