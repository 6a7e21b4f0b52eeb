import Synchronization

/// Lets the first caller through.
final class Once: Sendable {
  private let isDone = Atomic(false)

  /// Runs the body for the first caller only.
  func callAsFunction(_ body: () -> Void) {
    if !isDone.exchange(true, ordering: .acquiringAndReleasing) { body() }
  }
}
