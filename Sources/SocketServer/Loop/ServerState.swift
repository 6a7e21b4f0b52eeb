import Synchronization

/// What the event loops of one server share.
final class ServerState: Sendable {
  let configuration: ServerConfiguration
  /// Accepted connections that are not closed, over all loops.
  let connectionCount = Atomic<Int>(0)
  /// Accepting has stopped for want of descriptors.
  let isAcceptPaused = Atomic<Bool>(false)
  private let whenEmpty = Mutex<[@Sendable () -> Void]>([])

  init(_ configuration: ServerConfiguration) { self.configuration = configuration }

  /// Has an action called when the last connection is closed, or at once.
  func whenEmpty(_ action: @escaping @Sendable () -> Void) {
    whenEmpty.withLock { $0.append(action) }
    checkEmpty()
  }

  func noteClosed() {
    let left = connectionCount.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0 { checkEmpty() }
  }

  private func checkEmpty() {
    guard connectionCount.load(ordering: .sequentiallyConsistent) == 0 else { return }
    let actions = whenEmpty.withLock { actions in
      defer { actions = [] }
      return actions
    }
    for action in actions { action() }
  }
}
