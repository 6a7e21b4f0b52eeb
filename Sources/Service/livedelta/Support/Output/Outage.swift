import LiveDeltaClient

/// Reports an outage once, and retries with exponential backoff.
///
/// Delays are randomized, so that readers do not reconnect all at once.
struct Outage {
  private var backoff = Backoff(first: .milliseconds(250), max: .seconds(8))
  private var told: String?

  /// Reports a failure, unless it was the last one reported, and waits.
  mutating func wait(after sentence: String) async throws {
    if told != sentence { Terminal.note("livedelta: \(sentence)") }
    told = sentence
    try await Task.sleep(for: backoff.next())
  }

  mutating func end() { self = Outage() }
}
