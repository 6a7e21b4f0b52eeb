/// Which collections are due for a new image: those whose changes have as many bytes as their
/// image, or are many.
///
/// It counts the changes of collections that were written lately. The counts are a cache of what
/// is on disk: a collection that is not counted is counted there at its next change. So the table
/// may be emptied when it is full, and a collection that is written seldom gets its image too.
struct ImageDemand {
  /// The changes of a collection since its image.
  struct Changes {
    var count = 0
    var byteCount = 0
    var imageByteCount = 0

    /// Counts a change.
    mutating func add(_ byteCount: Int) {
      count += 1
      self.byteCount += byteCount
    }
  }

  private struct Entry {
    var changes: Changes
    var isQueued = false
    var failures = 0
    /// How many changes there must be before it is tried again.
    var retryCount = 0
  }

  private let options: StoreOptions
  private var entries: [Int64: Entry] = [:]
  private var queuedCount = 0

  init(_ options: StoreOptions) { self.options = options }

  /// Takes note of a change.
  ///
  /// - Parameters:
  ///   - id: The collection.
  ///   - byteCount: The size of the change.
  ///   - onDisk: Counts the changes on disk, with this one.
  /// - Returns: Whether the collection is due now; it counts as queued then.
  mutating func note(
    _ id: Int64, change byteCount: Int, onDisk: () throws -> Changes
  ) rethrows -> Bool {
    if entries[id] == nil {
      insert(Entry(changes: try onDisk()), id)
    } else {
      entries[id]?.changes.add(byteCount)
    }
    return queueIfDue(id)
  }

  /// Takes note of what was found when a collection was loaded.
  ///
  /// - Returns: Whether the collection is due now; it counts as queued then.
  mutating func note(_ id: Int64, _ changes: Changes) -> Bool {
    if entries[id] == nil {
      guard changes.count > 0 else { return false }
      insert(Entry(changes: changes), id)
    }
    return queueIfDue(id)
  }

  /// The collection has a new image, or is deleted.
  mutating func forget(_ id: Int64) {
    if entries.removeValue(forKey: id)?.isQueued == true { queuedCount -= 1 }
  }

  /// The image of a queued collection was not written.
  ///
  /// Each attempt reads all of the collection, so that attempts become rarer: after 2 changes
  /// more, then 4, and so on up to 256.
  mutating func noteFailure(_ id: Int64) {
    guard var entry = entries[id], entry.isQueued else { return }
    queuedCount -= 1
    entry.isQueued = false
    entry.failures = min(entry.failures + 1, 8)
    entry.retryCount = entry.changes.count + 1 << entry.failures
    entries[id] = entry
  }

  private mutating func insert(_ entry: Entry, _ id: Int64) {
    if entries.count >= options.countedMax { entries = entries.filter { $0.value.isQueued } }
    entries[id] = entry
  }

  private mutating func queueIfDue(_ id: Int64) -> Bool {
    guard let entry = entries[id], !entry.isQueued, queuedCount < options.imagesQueuedMax,
      entry.changes.count >= entry.retryCount
    else { return false }
    let bytesMax = max(options.changeBytesMin, entry.changes.imageByteCount)
    guard entry.changes.byteCount > bytesMax || entry.changes.count >= options.changesMax else {
      return false
    }
    entries[id]?.isQueued = true
    queuedCount += 1
    return true
  }
}
