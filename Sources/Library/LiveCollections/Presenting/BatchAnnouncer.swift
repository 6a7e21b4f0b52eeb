/// Calls the animation delegates of one batch, each once, however many of their collections are in
/// it.
struct BatchAnnouncer: Sendable {
  private var listeners: [AnimationListener] = []
  private let group: UpdateGroup

  /// Announces what the stages do together to their listeners.
  init(_ stages: [PresentationPlan.Stage], _ group: UpdateGroup) {
    self.group = group
    for case let listener? in stages.map(\.listener) {
      guard let delegate = listener.delegate else { continue }
      if !listeners.contains(where: { $0.delegate === delegate }) { listeners.append(listener) }
    }
  }

  @MainActor func announce(_ phase: AnimationPhase) {
    for case let delegate? in listeners.map(\.delegate) {
      delegate.animateAlongsideUpdate(phase, of: group)
    }
  }
}
