import Synchronization
import VersionedCollections

/// Holds back answers to readers whose restriction changes all the time, such as one with the time of day in it: each
/// answer is a whole snapshot, and the next question comes at once.
final class ViewChanges: Sendable {
  /// A reader of one collection.
  struct Reader: Hashable {
    /// The name of its principal.
    var principal: String
    var key: CollectionKey
  }

  private struct State {
    /// When the latest resets of each reader were sent, oldest first.
    var dates: [Reader: [Duration]] = [:]
    var lastReport: Duration?
  }

  private let state = Mutex(State())

  /// A reader's resets within a minute from which on they are held.
  private static let heldFrom = 3
  private static let minute = Duration.seconds(60)
  /// How long an answer is held.
  static let hold = Duration.seconds(5)
  /// The most readers that are remembered; all are forgotten when there are more.
  private static let readersMax = 4096

  /// The answers held so far.
  let heldCount = Atomic(0)

  /// Records a reset.
  ///
  /// - Returns: nil unless the answer is to be held; otherwise whether that is to be logged.
  func record(_ reader: Reader, at now: Duration) -> Bool? {
    let shouldReport = state.withLock { state -> Bool? in
      if state.dates.count >= Self.readersMax, state.dates[reader] == nil { state.dates = [:] }
      let recent = state.dates[reader, default: []].filter { now - $0 < Self.minute }
      state.dates[reader] = (recent + [now]).suffix(Self.heldFrom)
      guard recent.count + 1 >= Self.heldFrom else { return nil }
      if let last = state.lastReport, now - last < Self.minute { return false }
      state.lastReport = now
      return true
    }
    if shouldReport != nil { heldCount.add(1, ordering: .relaxed) }
    return shouldReport
  }
}
