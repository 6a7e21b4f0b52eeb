import LiveDeltaClient

/// Reports an outage once, and retries with exponential backoff.
///
/// Delays are randomized, so that readers do not reconnect all at once.
struct Outage {
  private var backoff = Backoff(first: .milliseconds(250), max: .seconds(8))
  private var told: String?

  /// Reports a failure, unless it was the last one reported.
  mutating func report(_ sentence: String) {
    if told != sentence { Terminal.note("livedelta: \(sentence)") }
    told = sentence
  }

  /// Reports a failure, and waits.
  ///
  /// - Throws: `CancellationError`.
  mutating func wait(after sentence: String) async throws {
    report(sentence)
    try await Task.sleep(for: backoff.next())
  }

  /// Resets the state after a success.
  mutating func end() { self = Outage() }
}
