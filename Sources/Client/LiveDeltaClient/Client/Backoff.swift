/// The pauses between attempts, with full jitter: each is random, from zero to a bound that doubles.
///
/// Clients that lost the same service then do not return to it all at once.
public struct Backoff: Hashable, Sendable {
  /// The bound of the first pause.
  public var first: Duration
  /// The largest bound.
  public var max: Duration
  private var attempt = 0

  /// Creates a backoff at its first attempt.
  public init(first: Duration = .milliseconds(500), max: Duration = .seconds(30)) {
    (self.first, self.max) = (first, max)
  }

  /// Returns the next pause.
  ///
  /// - Parameter random: Returns a number from a range.
  /// - Returns: The pause.
  public mutating func next(
    _ random: (ClosedRange<Double>) -> Double = { Double.random(in: $0) }
  ) -> Duration {
    let bound = min(max, first * (1 << min(attempt, 16)))
    attempt += 1
    return bound * random(0...1)
  }

  /// Starts over after a success.
  public mutating func reset() { attempt = 0 }
}
