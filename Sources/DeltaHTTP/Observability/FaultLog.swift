public import CollectionService
public import Logging
import Synchronization

/// Writes the faults of a service and its store to a log, and counts them by kind.
///
/// A fault that every request meets must not fill the log: of each kind there are only so many
/// lines a second, and the next line says how many were left out.
public final class FaultLog: Sendable {
  fileprivate struct Row {
    var count = 0
    /// The second of the uptime in which `lineCount` lines were written.
    var second: Int64 = -1
    var lineCount = 0
    /// Faults without a line since the last line.
    var suppressedCount = 0
  }

  private let logger: Logger
  private let names: LoggedNames
  private let time: TimeSource
  private let linesPerSecondMax: Int
  private let rows = Mutex<[Fault.Kind: Row]>([:])

  /// The most bytes of a fault's text that are written.
  private static let textBytesMax = 1024

  /// A log of faults.
  ///
  /// - Parameters:
  ///   - logger: Gets the lines.
  ///   - namesAreHashed: Whether clients and collections appear in them as hashes: the same as in
  ///     the access log.
  ///   - linesPerSecondMax: The most lines a second of one kind.
  ///   - time: What seconds are measured by.
  public init(
    logger: Logger, namesAreHashed: Bool = true, linesPerSecondMax: Int = 10,
    time: TimeSource = .system
  ) {
    self.logger = logger
    names = LoggedNames(areHashed: namesAreHashed)
    self.linesPerSecondMax = linesPerSecondMax
    self.time = time
  }

  /// Counts a fault, and writes its line unless there were too many; from any thread.
  public func report(_ fault: Fault) {
    let second = time.uptime().components.seconds
    let suppressedCount = rows.withLock {
      $0[fault.kind, default: Row()].take(second, linesPerSecondMax)
    }
    guard let suppressedCount else { return }
    var metadata: Logger.Metadata = ["kind": "\(fault.kind.rawValue)"]
    if let id = fault.requestID { metadata["request"] = "\(id)" }
    if let client = fault.client { metadata["client"] = shown(client) }
    if let collection = fault.collection { metadata["collection"] = shown(collection) }
    if suppressedCount > 0 { metadata["suppressed"] = "\(suppressedCount)" }
    logger.error("\(Self.plain(fault.text))", metadata: metadata)
  }

  /// How many faults of a kind there were.
  public func count(of kind: Fault.Kind) -> Int { rows.withLock { $0[kind]?.count ?? 0 } }

  private func shown(_ name: ResourceName) -> Logger.MetadataValue {
    "\(String(decoding: names.text(name), as: UTF8.self))"
  }

  /// A text on one line: what SQLite says of a damaged file may have bytes of the file in it.
  private static func plain(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(textBytesMax).map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") },
      as: UTF8.self)
  }
}

extension FaultLog.Row {
  /// Counts a fault.
  ///
  /// - Returns: How many were left out before it; nil when it is left out itself.
  fileprivate mutating func take(_ now: Int64, _ linesMax: Int) -> Int? {
    count += 1
    if second != now { (second, lineCount) = (now, 0) }
    guard lineCount < linesMax else {
      suppressedCount += 1
      return nil
    }
    lineCount += 1
    defer { suppressedCount = 0 }
    return suppressedCount
  }
}
