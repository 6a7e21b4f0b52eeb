import DeltaEngine

/// What an answer changed in a replica.
public enum ReplicaChange: Sendable {
  /// Nothing.
  case unchanged
  /// A delta was applied.
  case updated(ReplicaUpdate)
  /// A snapshot replaced everything: the first, or a reset.
  case replaced(by: [ReplicaSection], reset: WireSnapshot.Reset?)
  /// The collection is gone, and so is the content.
  case deleted
}

extension ReplicaChange {
  /// Shows the change in a view that shows what the replica held before: a delta step by step,
  /// anything else at once.
  public func show(in view: any ReplicaView) {
    switch self {
    case .unchanged: break
    case .replaced(let sections, _): view.reloadData(sections)
    case .deleted: view.reloadData([])
    case .updated(let update):
      for (step, sections) in zip(update.delta.steps, update.stages) {
        view.perform(step, showing: sections, towards: update.target)
      }
    }
  }
}
