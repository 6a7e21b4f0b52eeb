/// Tells a delegate of a batch; of a batch that it has members in, once, however many.
struct BatchAnnouncer: Sendable {
  private weak var delegate: (any CollectionDataAnimationDelegate)?
  private let delegateID: ObjectIdentifier
  private let group: UpdateGroup

  /// `nil` when nobody wants to know.
  init?(_ delegate: (any CollectionDataAnimationDelegate)?, _ group: UpdateGroup) {
    guard let delegate else { return nil }
    self.delegate = delegate
    delegateID = ObjectIdentifier(delegate)
    self.group = group
  }

  func announce(_ phase: AnimationPhase) { delegate?.animateAlongsideUpdate(phase, of: group) }

  /// Those of the stages of one batch, each delegate once for what it is told.
  static func distinct(_ stages: [PresentationPlan.Stage]) -> [BatchAnnouncer] {
    var announcers: [BatchAnnouncer] = []
    for case let announcer? in stages.map(\.announcer) where !announcers.contains(announcer) {
      announcers.append(announcer)
    }
    return announcers
  }
}

extension BatchAnnouncer: Equatable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.delegateID == rhs.delegateID && lhs.group == rhs.group
  }
}
