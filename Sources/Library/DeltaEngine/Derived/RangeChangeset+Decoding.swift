extension RangeChangeset {
  enum CodingKeys: String, CodingKey {
    case updated, deleted, inserted, countBefore, countAfter
  }

  /// Decodes a changeset and checks that its ranges fit its counts.
  ///
  /// - Throws: `DecodingError`, with the inconsistency.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      updated: try container.decode([Range<Int>].self, forKey: .updated),
      deleted: try container.decode([Range<Int>].self, forKey: .deleted),
      inserted: try container.decode([Range<Int>].self, forKey: .inserted),
      countBefore: try container.decode(Int.self, forKey: .countBefore),
      countAfter: try container.decode(Int.self, forKey: .countAfter))
    do {
      try check()
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .countAfter, in: container, debugDescription: error.reason)
    }
  }

  private func check() throws(DeltaMismatch) {
    try PlaceChecks.checkCounts([countBefore, countAfter])
    try Self.check(updated, within: countBefore)
    try Self.check(deleted, within: countBefore)
    try Self.check(inserted, within: countAfter)
    // An updated range may be adjacent to a deleted one.
    let both = (updated + deleted).sorted { $0.lowerBound < $1.lowerBound }
    for (range, next) in zip(both, both.dropFirst()) where range.overlaps(next) {
      throw DeltaMismatch(reason: "\(next) is updated and deleted")
    }
    let goes = deleted.reduce(0) { $0 + $1.count }
    let comes = inserted.reduce(0) { $0 + $1.count }
    guard countBefore - goes == countAfter - comes else {
      throw DeltaMismatch(
        reason: "\(countBefore) items less \(goes) and \(comes) more are not \(countAfter)")
    }
  }

  /// Checks that ranges ascend, are not empty, and are not adjacent.
  private static func check(_ ranges: [Range<Int>], within count: Int) throws(DeltaMismatch) {
    var end = -1
    for range in ranges {
      guard end < range.lowerBound, !range.isEmpty, range.upperBound <= count else {
        throw DeltaMismatch(reason: "\(range) of \(count) does not exist or is out of order")
      }
      end = range.upperBound
    }
  }
}
