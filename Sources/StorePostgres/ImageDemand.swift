import CollectionService

/// Counts the changes that this replica made or found, to look now and then whether an image should
/// be renewed.
struct ImageDemand {
  private var changes: [CollectionKey: (count: Int, byteCount: Int)] = [:]

  /// The most collections counted; then counting begins anew.
  private static let countMax = 50_000

  /// Records changes.
  ///
  /// - Returns: Whether it is time to look.
  mutating func note(
    _ key: CollectionKey, count: Int, byteCount: Int, _ options: PostgresOptions
  ) -> Bool {
    if changes.count >= Self.countMax { changes = [:] }
    var known = changes[key] ?? (0, 0)
    known.count += count
    known.byteCount += byteCount
    let isDue =
      known.count > options.changesMax / 4 || known.byteCount > options.changeBytesMin
    changes[key] = isDue ? nil : known
    return isDue
  }
}
