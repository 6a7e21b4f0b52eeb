import Synchronization

/// A collection that changed.
public struct CollectionChange: Hashable, Sendable {
  /// The collection.
  public var key: CollectionKey
  /// Its newest version; of a deleted collection, the last it had.
  public var version: VersionToken
  /// Whether it was deleted.
  public var isDeleted: Bool

  /// Puts a change together.
  public init(key: CollectionKey, version: VersionToken, isDeleted: Bool) {
    self.key = key
    self.version = version
    self.isDeleted = isDeleted
  }
}

/// A place in the feed of changes: the reader was sent all up to it.
public struct ChangeMark: Hashable, Sendable {
  /// What tells this run of the service from others.
  public let epoch: String
  /// The number of the last change that was sent.
  ///
  /// It is no less than a million times the seconds from 1970 until the reader was sent all up to it: so
  /// a later run of the service knows what to look for.
  public let number: UInt64

  /// How many numbers a second has.
  fileprivate static let numbersPerSecond: UInt64 = 1_000_000

  /// When the reader had been sent everything, in seconds since 1970.
  var date: Int64 { Int64(number / Self.numbersPerSecond) }

  init(epoch: String, number: UInt64) {
    self.epoch = epoch
    self.number = number
  }

  /// Reads a mark that was sent to a reader.
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
  /// The mark as it goes over the wire.
  public var description: String { "\(epoch).\(number)" }
}

/// Which collections changed lately, each once, in the order of their latest changes.
///
/// A reader of the feed is one number. Nothing is noted before there is a reader.
///
/// Numbers ascend, and follow the calendar, so that a number says of an earlier run of the service when
/// it was given.
final class ChangeLog: Sendable {
  /// What a reader was not sent yet.
  struct News {
    var changes: [(mark: ChangeMark, change: CollectionChange)] = []
    /// Where the reader is once it was sent the changes.
    var mark: ChangeMark
    /// Whether some changes that the reader was not sent are no longer known.
    var isIncomplete: Bool
    /// Whether there are more.
    var hasMore: Bool
  }

  fileprivate struct State {
    var isOn = false
    /// The number of the latest change.
    var last: UInt64 = 0
    /// All changes up to this one may be forgotten.
    var forgotten: UInt64 = 0
    /// Ascending by number; some are of collections that changed again.
    var entries: [(number: UInt64, change: CollectionChange)] = []
    /// The number of the latest change of each collection.
    var latest: [CollectionKey: UInt64] = [:]
    var isPosted = false
  }

  let epoch: String
  private let changesMax: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - epoch: What tells this run of the service from others.
  ///   - changesMax: The most collections that are remembered.
  init(epoch: String, changesMax: Int) {
    self.epoch = epoch
    self.changesMax = max(1, changesMax)
  }

  /// Notes a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - date: Seconds since 1970.
  /// - Returns: Whether readers must be notified: they are not about to read already.
  func note(_ change: CollectionChange, date: Int64) -> Bool {
    state.withLock { state in
      guard state.isOn else { return false }
      state.advance(date)
      state.last += 1
      state.entries.append((state.last, change))
      state.latest[change.key] = state.last
      if state.latest.count > changesMax { state.forget(1 + changesMax / 8) }
      if state.entries.count > 2 * state.latest.count + 64 { state.compact() }
      defer { state.isPosted = true }
      return !state.isPosted
    }
  }

  /// Begins to note changes.
  ///
  /// - Parameter date: Seconds since 1970.
  /// - Returns: The place of a reader that wants what comes from now on.
  func begin(date: Int64) -> ChangeMark {
    state.withLock { state in
      state.isOn = true
      state.advance(date)
      return ChangeMark(epoch: epoch, number: state.last)
    }
  }

  /// Notes that readers read now: they must be notified of what comes later.
  func taken() { state.withLock { $0.isPosted = false } }

  /// What came after a mark.
  func news(since mark: ChangeMark, limit: Int) -> News {
    state.withLock { state in
      let isKnown = mark.epoch == epoch && mark.number <= state.last
      let isIncomplete = !isKnown || mark.number < state.forgotten
      // Forgotten changes cannot be sent: the reader starts with those that are known.
      let after = isIncomplete ? (isKnown ? state.forgotten : state.last) : mark.number
      var news = News(
        mark: ChangeMark(epoch: epoch, number: state.last), isIncomplete: isIncomplete,
        hasMore: false)
      for entry in state.entries[state.firstIndex(after: after)...] where state.isLatest(entry) {
        if news.changes.count == limit {
          news.mark = news.changes[limit - 1].mark
          news.hasMore = true
          break
        }
        news.changes.append((ChangeMark(epoch: epoch, number: entry.number), entry.change))
      }
      return news
    }
  }
}

extension ChangeLog.State {
  /// Goes on to the numbers of a second, if it is not past them.
  fileprivate mutating func advance(_ date: Int64) {
    let seconds = UInt64(clamping: min(date, 99_999_999_999))
    last = max(last, seconds * ChangeMark.numbersPerSecond)
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

  /// Forgets the collections that changed longest ago.
  fileprivate mutating func forget(_ count: Int) {
    compact()
    for entry in entries.prefix(count) {
      latest[entry.change.key] = nil
      forgotten = entry.number
    }
    entries.removeFirst(min(count, entries.count))
  }

  /// Drops what is not the latest of its collection.
  fileprivate mutating func compact() {
    let latest = latest
    entries.removeAll { latest[$0.change.key] != $0.number }
  }
}
