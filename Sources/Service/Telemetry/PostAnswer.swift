/// The answer of another service to a POST that is repeated until it is accepted.
package struct PostAnswer: Sendable {
  package var status: Int
  /// What `Retry-After` says, as the time from now; `nil` if it says nothing.
  package var retryAfter: Duration?
  package var body: [UInt8]

  package init(status: Int, retryAfter: Duration? = nil, body: [UInt8] = []) {
    (self.status, self.retryAfter, self.body) = (status, retryAfter, body)
  }

  /// Returns why a POST was not accepted, for messages; `nil` stands for no answer in time.
  package static func cause(_ answer: PostAnswer?) -> String {
    answer.map { "status \($0.status)" } ?? "no answer"
  }

  /// Returns how long to wait for the next attempt.
  ///
  /// It is twice as long after each attempt, less a random part, so that many services do not return
  /// in step; but not before the other service wants it.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt, from 1 on.
  ///   - answer: Its answer; `nil` if there was none in time.
  ///   - max: The longest wait, unless the answer asks for more.
  ///   - retryAfterMax: The longest wait that an answer can ask for.
  /// - Returns: The time.
  package static func delay(
    after attempt: Int, _ answer: PostAnswer?, max: Duration, retryAfterMax: Duration
  ) -> Duration {
    let delay = min(max, .seconds(1 << min(attempt - 1, 20))) * Double.random(in: 0.5...1)
    return Swift.max(delay, min(answer?.retryAfter ?? .zero, retryAfterMax))
  }
}
