import LiveDeltaClient

/// Reports an outage once, and retries with exponential backoff.
///
/// Delays are randomized, so that readers do not reconnect all at once.
struct Outage {
  private static let pauseMax = 8.0
  private var pause = 0.25
  private var told: String?

  /// Reports a failure, unless it was the last one reported, and waits.
  ///
  /// - Throws: `CancellationError`.
  mutating func wait(after sentence: String) async throws {
    if told != sentence { Terminal.note("livedelta: \(sentence)") }
    told = sentence
    let jittered = pause * Double.random(in: 0.5...1)
    pause = min(pause * 2, Self.pauseMax)
    try await Task.sleep(for: .milliseconds(Int(jittered * 1000)))
  }

  /// Resets the state after a success.
  mutating func end() { self = Outage() }
}

extension ClientError {
  /// Whether the same request may succeed later.
  var isTemporary: Bool {
    switch self {
    case .transport, .timedOut: true
    case .problem(let problem): [408, 429, 500, 502, 503, 504, 507].contains(problem.status)
    case .badAddress, .cancelled, .noToken, .answerTooLarge, .malformed: false
    }
  }
}
