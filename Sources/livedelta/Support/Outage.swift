import LiveCollectionsClient

/// What to do while there is nothing to be had: say so once, and try again after longer and longer
/// pauses, none twice the same, so that readers do not come back all at once.
struct Outage {
  private static let pauseMax = 8.0
  private var pause = 0.25
  private var told: String?

  /// Takes a failure, says what it is, unless that was said last, and waits.
  ///
  /// - Throws: `CancellationError`.
  mutating func wait(after sentence: String) async throws {
    if told != sentence { Terminal.note("livedelta: \(sentence)") }
    told = sentence
    let jittered = pause * Double.random(in: 0.5...1)
    pause = min(pause * 2, Self.pauseMax)
    try await Task.sleep(for: .milliseconds(Int(jittered * 1000)))
  }

  /// Takes a success.
  mutating func end() { self = Outage() }
}

extension ClientError {
  /// Whether the same request may succeed soon.
  var isTemporary: Bool {
    switch self {
    case .transport, .timedOut: true
    case .problem(let problem): [408, 429, 500, 502, 503, 504, 507].contains(problem.status)
    case .badAddress, .cancelled, .answerTooLarge, .malformed: false
    }
  }
}
