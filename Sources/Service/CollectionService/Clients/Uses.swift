import VersionedCollections

/// The collections used lately, each of which is recorded in the store once in an interval.
struct Uses {
  /// The collections used in this interval, and in the one before.
  private var recent: Set<CollectionKey> = []
  private var earlier: Set<CollectionKey> = []
  /// The collections that are still to be recorded.
  private var pending: [CollectionKey] = []
  /// When the interval ends, in seconds since 1970.
  private var end: Int64 = 0

  /// The most collections in an interval; with more it ends early.
  private static let countMax = 16_384
  /// The number of collections from which on they are recorded.
  private static let pendingMax = 128

  /// Whether many collections are to be recorded.
  var areMany: Bool { pending.count >= Self.pendingMax }

  func contains(_ key: CollectionKey) -> Bool { recent.contains(key) || earlier.contains(key) }

  /// Adds a use; of a new collection, which could not be recorded before, in any case.
  mutating func insert(_ key: CollectionKey, isNew: Bool = false) {
    if recent.insert(key).inserted || isNew && !pending.contains(key) { pending.append(key) }
    if recent.count >= Self.countMax { (earlier, recent) = (recent, []) }
  }

  /// Begins another interval if this one is over; returns whether it is.
  mutating func renew(at date: Int64, seconds: Int64) -> Bool {
    guard date >= end else { return false }
    (earlier, recent, end) = (recent, [], date + seconds)
    return true
  }

  /// Removes and returns the collections that are to be recorded.
  mutating func takePending() -> [CollectionKey] {
    defer { pending = [] }
    return pending
  }
}
