/// Decides when to look whether a collection is due for a new image.
///
/// Looking counts the changes in the store. It is worth its cost when a collection has reached a
/// version that is a multiple of a quarter of the changes allowed since an image, which takes no
/// memory, or when the changes since the last look are large, for which their bytes are added up. So a
/// collection gets its images however many others there are, whichever service wrote the changes, and
/// whatever was forgotten: an image that is renewed later has more changes after it until then.
package struct ImageDemand {
  private enum State {
    /// The bytes of changes since the last look.
    case counting(Int)
    /// Somebody is about to look.
    case queued
    /// The image could not be renewed, which has read the whole collection: bytes do not count until
    /// the next look that the version asks for.
    case failed
  }

  private let bytesMin: Int
  private let versionsPerLook: Int
  private let queuedMax: Int
  private let countedMax: Int
  private var states: [CollectionKey: State] = [:]
  private var queuedCount = 0

  /// Creates a demand.
  ///
  /// - Parameters:
  ///   - options: When an image is due.
  ///   - queuedMax: The most collections that wait for a look.
  ///   - countedMax: The most collections whose bytes are added up; then adding begins anew.
  package init(
    _ options: DurableStoreOptions, queuedMax: Int = 1000, countedMax: Int = 50_000
  ) {
    bytesMin = options.changeBytesMin
    versionsPerLook = max(1, options.changesMax / 4)
    self.queuedMax = queuedMax
    self.countedMax = countedMax
  }

  /// Records a change; returns whether to look now, after which ``end(_:isRenewed:)`` is called.
  package mutating func note(_ key: CollectionKey, seq: Int, byteCount: Int) -> Bool {
    var state = states[key] ?? .counting(0)
    var isDue = seq.isMultiple(of: versionsPerLook)
    switch state {
    case .queued: return false
    case .failed: break
    case .counting(let count):
      isDue = isDue || count + byteCount > bytesMin
      state = .counting(count + byteCount)
    }
    if isDue, queuedCount < queuedMax {
      state = .queued
      queuedCount += 1
    }
    if states.count >= countedMax {
      states = states.filter { if case .queued = $0.value { true } else { false } }
    }
    states[key] = state
    if case .queued = state { return true }
    return false
  }

  /// Records the end of a look, and of a renewal if one was due.
  package mutating func end(_ key: CollectionKey, isRenewed: Bool) {
    guard case .queued = states[key] else { return }
    queuedCount -= 1
    states[key] = isRenewed ? nil : .failed
  }
}
