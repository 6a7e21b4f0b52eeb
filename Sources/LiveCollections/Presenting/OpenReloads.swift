import DeltaEngine
import Synchronization

/// The reloads that a delegate has not completed yet.
final class OpenReloads: Sendable {
  private let open: Mutex<Set<ItemPath<Target>>>
  private let completion: @Sendable () -> Void

  /// Opens reloads; the completion is called once, when each of them was completed or nobody is left
  /// who could complete one.
  init(_ paths: [ItemPath<Target>], completion: @escaping @Sendable () -> Void) {
    open = Mutex(Set(paths))
    self.completion = completion
  }

  deinit {
    if open.withLock({ !$0.isEmpty }) { completion() }
  }

  /// Completes one; others than the open ones are ignored.
  func complete(_ path: ItemPath<Target>) {
    let isLast = open.withLock { $0.remove(path) != nil && $0.isEmpty }
    if isLast { completion() }
  }
}
