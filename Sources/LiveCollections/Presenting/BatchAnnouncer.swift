/// Tells delegates of one batch: each once, however many members of theirs are in it.
struct BatchAnnouncer: Sendable {
  /// A delegate that is held weakly.
  struct Listener: Sendable {
    fileprivate(set) weak var delegate: (any CollectionDataAnimationDelegate)?

    /// `nil` without a delegate.
    init?(_ delegate: (any CollectionDataAnimationDelegate)?) {
      guard let delegate else { return nil }
      self.delegate = delegate
    }
  }

  private var listeners: [Listener] = []
  private let group: UpdateGroup

  /// Tells those who listen to the members' stages what they all do together.
  init(_ stages: [PresentationPlan.Stage], _ group: UpdateGroup) {
    self.group = group
    for case let listener? in stages.map(\.listener) {
      guard let delegate = listener.delegate else { continue }
      if !listeners.contains(where: { $0.delegate === delegate }) { listeners.append(listener) }
    }
  }

  func announce(_ phase: AnimationPhase) {
    for listener in listeners { listener.delegate?.animateAlongsideUpdate(phase, of: group) }
  }
}
