public import VersionedCollections

extension CollectionState {
  /// How long anybody may keep answers that lead from some versions; nil unless anybody may read these.
  func publicAges(from versions: [VersionToken?] = []) -> PublicAges? {
    let first = settings.publicSince ?? 0
    let isOld = versions.contains {
      $0.map { $0.lineage == lineage.name && $0.seq < first } ?? false
    }
    return isOld ? nil : settings.publicAges
  }
}

/// What an answer was created from.
public struct AnswerSource: Sendable {
  /// While this head is current, the same request without waiting has the same answer; nil if no head is in memory.
  public var head: PublishedHead?
  /// How long anybody may keep the answer; nil unless anybody may read it.
  public var ages: PublicAges?

  /// Creates a source.
  public init(head: PublishedHead? = nil, ages: PublicAges? = nil) {
    self.head = head
    self.ages = ages
  }
}
