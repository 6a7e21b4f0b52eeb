import Synchronization

/// Runs a closure only once.
final class Once: Sendable {
  private let isDone = Atomic(false)

  /// Runs the body if this is the first call.
  func callAsFunction(_ body: () -> Void) {
    if !isDone.exchange(true, ordering: .acquiringAndReleasing) { body() }
  }
}
