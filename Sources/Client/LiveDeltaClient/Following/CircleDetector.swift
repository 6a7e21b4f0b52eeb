/// Notices answers that lead nowhere, or in a circle as between two caches: ten in a second without progress.
struct CircleDetector {
  /// The versions that were held last.
  private var seen: [[String: String]] = []
  /// When the last answers came that brought none that had not been held.
  private var times: [Duration] = []
  private var backoff = Backoff(first: .seconds(1))

  private static let seenMax = 64
  private static let answersMax = 10

  /// Notes the versions that are held after an answer.
  ///
  /// - Parameters:
  ///   - versions: The versions, by the names of their collections.
  ///   - now: The time since any moment.
  ///   - random: Returns a number from a range.
  /// - Returns: The pause before the next question, which grows until there is progress; `nil` for none.
  mutating func pause(
    holding versions: [String: String], at now: Duration, _ random: (ClosedRange<Double>) -> Double
  ) -> Duration? {
    guard seen.contains(versions) else {
      seen = seen.suffix(Self.seenMax - 1) + [versions]
      times = []
      backoff.reset()
      return nil
    }
    times = times.suffix(Self.answersMax - 1) + [now]
    guard times.count == Self.answersMax, now - times[0] <= .seconds(1) else { return nil }
    times = []
    return backoff.next(random)
  }
}
