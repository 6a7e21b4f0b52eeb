import Synchronization
import VersionedCollections

/// A position in the feed of changes, up to which the reader has received everything.
public struct ChangeMark: Hashable, Sendable {
  /// Identifies this run of the service.
  public let epoch: String
  /// The number of the last change sent.
  ///
  /// It is at least a million times the time, in seconds since 1970, up to which the reader has
  /// received everything. A later run of the service derives the date from it.
  public let number: UInt64

  fileprivate static let numbersPerSecond: UInt64 = 1_000_000

  /// The time up to which the reader has received everything, in seconds since 1970.
  var date: Int64 { Int64(number / Self.numbersPerSecond) }

  init(epoch: String, number: UInt64) {
    self.epoch = epoch
    self.number = number
  }

  /// Parses a mark sent by a reader.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...16).contains(parts[0].utf8.count), let number = UInt64(parts[1]),
      String(number) == parts[1],
      parts[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7a ~= $0 })
    else { return nil }
    self.init(epoch: String(parts[0]), number: number)
  }
}

extension ChangeMark: CustomStringConvertible {
  /// The mark as sent over the wire.
  public var description: String { "\(epoch).\(number)" }
}

/// The collections that changed recently, each once, ordered by latest change.
///
/// A reader of the feed is represented by one number. Changes are only recorded once there has been
/// a reader.
///
/// Numbers ascend and follow the calendar, so a number from an earlier run reveals when it was
/// assigned.
final class ChangeLog: Sendable {
  /// The changes that a reader has not received yet.
  struct News {
    var changes: [(mark: ChangeMark, change: CollectionChange)] = []
    /// The reader's position after these changes.
    var mark: ChangeMark
    /// Whether some changes that the reader has not received are no longer known.
    var isIncomplete: Bool
    var hasMore: Bool
  }

  fileprivate struct State {
    /// Identifies the order of the numbers: this run of the service, or that of a shared store.
    var epoch: String
    var isOn = false
    /// The number of the latest change.
    var last: UInt64 = 0
    /// All changes up to this number may have been evicted.
    var forgotten: UInt64 = 0
    /// Ascending by number; includes entries superseded by later changes to the same collection.
    var entries: [(number: UInt64, change: CollectionChange)] = []
    /// The number of the latest change to each collection.
    var latest: [CollectionKey: UInt64] = [:]
    var isNotified = false
    /// How often the changes of a shared store were begun anew.
    var generation = 0
  }

  private let changesMax: Int
  /// Whether the changes are those of a shared store, which are added in its order.
  private let isShared: Bool
  private let state: Mutex<State>

  /// `epoch` identifies this run of the service; at most `changesMax` collections are retained.
  init(epoch: String, changesMax: Int, isShared: Bool = false) {
    self.changesMax = max(1, changesMax)
    self.isShared = isShared
    state = Mutex(State(epoch: epoch))
  }

  /// Records a change; returns whether readers must be notified, who get it now or with the next change.
  func record(_ change: CollectionChange, date: Int64, wakesFollowers: Bool = true) -> Bool {
    state.withLock { state in
      guard state.isOn else { return false }
      if !isShared {
        state.advance(date)
        state.add(change, state.last + 1, countMax: changesMax)
      }
      guard wakesFollowers else { return false }
      defer { state.isNotified = true }
      return !state.isNotified
    }
  }

  /// Starts recording changes, and returns the current position.
  func begin(date: Int64) -> ChangeMark {
    state.withLock { state in
      if !isShared {
        state.isOn = true
        state.advance(date)
      }
      return ChangeMark(epoch: state.epoch, number: state.last)
    }
  }

  /// The number up to which the changes of a shared store were accepted; nil if none were.
  var lastAccepted: UInt64? { state.withLock { $0.isOn ? $0.last : nil } }

  /// How often the changes of a shared store were begun anew: what a position meant before may not
  /// be what it means now.
  var generation: Int { state.withLock(\.generation) }

  /// Whether a position of a shared store is that of a change in memory, or after all of them.
  func has(_ mark: ChangeMark) -> Bool {
    state.withLock { state in
      guard mark.epoch == state.epoch, mark.number != state.last else {
        return mark.epoch == state.epoch
      }
      let index = state.firstIndex(after: mark.number) - 1
      return index >= 0 && state.entries[index].number == mark.number
    }
  }

  /// Adds changes of a shared store; begins anew if they do not follow those that are known.
  func accept(_ feed: StoredFeed) {
    state.withLock { state in
      guard state.isOn, state.epoch == feed.epoch, feed.isKnown else {
        state = State(
          epoch: feed.epoch, isOn: true, last: feed.end, forgotten: feed.end,
          isNotified: state.isNotified, generation: state.generation + 1)
        return
      }
      for (number, change) in feed.changes where number > state.last {
        state.add(change, number, countMax: changesMax)
      }
      state.last = max(state.last, feed.end)
    }
  }

  /// Records that readers are reading now and must be notified of later changes.
  func beginReading() { state.withLock { $0.isNotified = false } }

  /// Returns the changes after a mark.
  func news(since mark: ChangeMark, limit: Int) -> News {
    state.withLock { state in
      // What another replica has read of a shared store may not have been read here yet.
      let isKnown = mark.epoch == state.epoch && (isShared || mark.number <= state.last)
      let isIncomplete = !isKnown || mark.number < state.forgotten
      // Evicted changes cannot be sent; start with those that are known.
      let after = isIncomplete ? (isKnown ? state.forgotten : state.last) : mark.number
      var news = News(
        mark: ChangeMark(epoch: state.epoch, number: max(state.last, isKnown ? mark.number : 0)),
        isIncomplete: isIncomplete,
        hasMore: false)
      for entry in state.entries[state.firstIndex(after: after)...] where state.isLatest(entry) {
        if news.changes.count == limit {
          news.mark = news.changes[limit - 1].mark
          news.hasMore = true
          break
        }
        news.changes.append(
          (ChangeMark(epoch: state.epoch, number: entry.number), entry.change))
      }
      return news
    }
  }
}

extension ChangeLog.State {
  /// Advances the number to the current second, unless it is already past it.
  fileprivate mutating func advance(_ date: Int64) {
    let seconds = UInt64(clamping: min(date, 99_999_999_999))
    last = max(last, seconds * ChangeMark.numbersPerSecond)
  }

  /// Adds a change, and evicts those that are too many.
  fileprivate mutating func add(
    _ change: CollectionChange, _ number: UInt64, countMax: Int
  ) {
    last = number
    entries.append((number, change))
    latest[change.key] = number
    if latest.count > countMax { forget(1 + countMax / 8) }
    if entries.count > 2 * latest.count + 64 { compact() }
  }

  fileprivate func isLatest(_ entry: (number: UInt64, change: CollectionChange)) -> Bool {
    latest[entry.change.key] == entry.number
  }

  /// The index of the first entry with a greater number.
  fileprivate func firstIndex(after number: UInt64) -> Int {
    var range = entries.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        entries[middle].number <= number
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Evicts the collections that changed least recently.
  fileprivate mutating func forget(_ count: Int) {
    compact()
    for entry in entries.prefix(count) {
      latest[entry.change.key] = nil
      forgotten = entry.number
    }
    entries.removeFirst(min(count, entries.count))
  }

  /// Removes superseded entries.
  fileprivate mutating func compact() {
    let latest = latest
    entries.removeAll { latest[$0.change.key] != $0.number }
  }
}
