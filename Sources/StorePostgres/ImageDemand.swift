import VersionedCollections

/// Counts the changes that this replica made or found, to look now and then whether an image should
/// be renewed.
struct ImageDemand {
  private struct Count {
    var count = 0
    var byteCount = 0
    /// Whether somebody is about to look.
    var isAsked = false
  }

  private var changes: [CollectionKey: Count] = [:]

  /// The most collections counted; then counting begins anew.
  ///
  /// Nothing is lost: an image that is renewed later has more changes after it until then.
  private static let countMax = 50_000

  /// Records changes.
  ///
  /// - Returns: Whether it is time to look; call `end` afterwards.
  mutating func note(
    _ key: CollectionKey, count: Int, byteCount: Int, _ options: PostgresOptions
  ) -> Bool {
    if changes.count >= Self.countMax { changes = [:] }
    var known = changes[key] ?? Count()
    known.count += count
    known.byteCount += byteCount
    let isDue =
      !known.isAsked
      && (known.count > options.changesMax / 4 || known.byteCount > options.changeBytesMin)
    if isDue { known.isAsked = true }
    changes[key] = known
    return isDue
  }

  /// Begins anew if somebody has looked; if not, the next change asks again.
  mutating func end(_ key: CollectionKey, hasLooked: Bool) {
    if hasLooked { changes[key] = nil } else { changes[key]?.isAsked = false }
  }
}
