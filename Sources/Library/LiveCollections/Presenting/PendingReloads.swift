import DeltaEngine

/// The reloads that a delegate has not completed yet.
final class PendingReloads: Sendable {
  private let pending: Locked<Set<ItemPath<TargetSpace>>>
  private let completion: @Sendable () -> Void

  /// Reloads to be completed; the completion is called once, when all are complete or this is
  /// released.
  init(_ paths: [ItemPath<TargetSpace>], completion: @escaping @Sendable () -> Void) {
    pending = Locked(Set(paths))
    self.completion = completion
  }

  deinit {
    if pending.withLock({ !$0.isEmpty }) { completion() }
  }

  func complete(_ path: ItemPath<TargetSpace>) {
    let isLast = pending.withLock { $0.remove(path) != nil && $0.isEmpty }
    if isLast { completion() }
  }
}
