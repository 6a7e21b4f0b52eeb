import CollectionService
package import Logging
import Synchronization
package import VersionedCollections

/// Logs the faults of a service and its store, and counts them by kind.
///
/// To keep a frequent fault from flooding the log, lines are limited per kind and second; the next
/// line reports how many were suppressed.
package final class FaultLog: Sendable {
  private let logger: Logger
  private let namesAreHashed: Bool
  private let time: TimeSource
  private let linesPerSecondMax: Int
  private let rows = Mutex<[Fault.Kind: LineRate]>([:])

  /// The most bytes of a fault's text that are logged.
  private static let textBytesMax = 1024

  /// Creates a log with at most so many lines per second and kind of fault.
  package init(
    logger: Logger, namesAreHashed: Bool = true, linesPerSecondMax: Int = 10,
    time: TimeSource = .system
  ) {
    self.logger = logger
    self.namesAreHashed = namesAreHashed
    self.linesPerSecondMax = linesPerSecondMax
    self.time = time
  }

  /// Counts a fault, and logs it unless the limit is reached; callable from any thread.
  package func report(_ fault: Fault) {
    let second = time.uptime().components.seconds
    let suppressedCount = rows.withLock {
      $0[fault.kind, default: LineRate()].take(second, linesPerSecondMax)
    }
    guard let suppressedCount else { return }
    var metadata: Logger.Metadata = ["kind": "\(fault.kind.rawValue)"]
    if let id = fault.requestID { metadata["request"] = "\(id)" }
    if let client = fault.client { metadata["client"] = shown(client) }
    if let collection = fault.collection { metadata["collection"] = shown(collection) }
    if suppressedCount > 0 { metadata["suppressed"] = "\(suppressedCount)" }
    logger.log(
      level: fault.isWarning ? .warning : .error, "\(Self.plain(fault.text))", metadata: metadata)
  }

  package func count(of kind: Fault.Kind) -> Int { rows.withLock { $0[kind]?.count ?? 0 } }

  private func shown(_ name: ResourceName) -> Logger.MetadataValue {
    "\(name.logged(isHashed: namesAreHashed))"
  }

  /// Replaces non-printable bytes: SQLite's messages about a damaged file may quote its contents.
  private static func plain(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(textBytesMax).map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") },
      as: UTF8.self)
  }
}
