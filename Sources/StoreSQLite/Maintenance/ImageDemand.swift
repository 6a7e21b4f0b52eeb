/// Tracks which collections are due for a new image because of the size or number of their changes.
///
/// It counts the changes of recently written collections. The counts are a cache: a collection that
/// is not counted is counted on disk at its next change. The cache can therefore be emptied when it
/// is full, and collections that are rarely written get new images too.
struct ImageDemand {
  /// The changes to a collection since its image.
  struct Changes {
    var count = 0
    var byteCount = 0
    var imageByteCount = 0

    /// Adds a change.
    mutating func add(_ byteCount: Int) {
      count += 1
      self.byteCount += byteCount
    }
  }

  private struct Entry {
    var changes: Changes
    var isQueued = false
    var failures = 0
    /// The number of changes required before the next attempt.
    var retryCount = 0
  }

  private let options: StoreOptions
  private var entries: [Int64: Entry] = [:]
  private var queuedCount = 0

  init(_ options: StoreOptions) { self.options = options }

  /// Records a change.
  ///
  /// - Parameters:
  ///   - id: The collection.
  ///   - byteCount: The size of the change in bytes.
  ///   - onDisk: Counts the changes on disk, including this one.
  /// - Returns: Whether the collection is due now; if so, it is marked as queued.
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

  /// Records the changes found when a collection was loaded.
  ///
  /// - Returns: Whether the collection is due now; if so, it is marked as queued.
  mutating func note(_ id: Int64, _ changes: Changes) -> Bool {
    if entries[id] == nil {
      guard changes.count > 0 else { return false }
      insert(Entry(changes: changes), id)
    }
    return queueIfDue(id)
  }

  /// Removes a collection that has a new image or was deleted.
  mutating func forget(_ id: Int64) {
    if entries.removeValue(forKey: id)?.isQueued == true { queuedCount -= 1 }
  }

  /// Records that writing the image of a queued collection failed.
  ///
  /// Because each attempt reads the whole collection, the next one is made after 2 more changes,
  /// then after 4, and so on up to 256.
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
