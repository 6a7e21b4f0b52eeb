import DeltaEngine

/// Runs a closure only once.
final class Once: Sendable {
  private let isDone = Locked(false)

  /// Runs the body if this is the first call.
  func callAsFunction(_ body: () -> Void) {
    if !isDone.exchange(true) { body() }
  }
}
