extension DeltaClient {
  private static let keyName = "Idempotency-Key"

  /// Sends a write, and sends it again with the same `Idempotency-Key` as ``WriteRepeats`` says.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The percent-encoded path and query.
  ///   - fields: The fields; without an `Idempotency-Key`, a random one is added.
  ///   - body: The body; `nil` for none.
  ///   - onSent: Called repeatedly with the number of bytes sent so far.
  /// - Returns: The response, which has a status of success.
  /// - Throws: `ClientError`; `outcomeUnknown` if the write may have been carried out.
  package func write(
    _ method: String, _ path: String, fields: [HeaderField] = [], body: [UInt8]? = nil,
    onSent: (@Sendable (Int) -> Void)? = nil
  ) async throws(ClientError) -> ClientResponse {
    let given = fields.first { $0.name.lowercased() == Self.keyName.lowercased() }
    let key = given ?? HeaderField(Self.keyName, Self.randomKey())
    let fields = given == nil ? fields + [key] : fields
    let span = Duration.milliseconds(limits.answerMilliseconds)
    var attempts = WriteAttempts(repeats, within: span)
    let elapsed = repeats.clock.stopwatch()
    while true {
      do throws(ClientError) {
        let answer = try await request(method, path, fields: fields, body: body, onSent: onSent)
        try check(answer)
        return answer
      } catch {
        // What is to be deleted is gone: an earlier attempt did it.
        if method == "DELETE", attempts.isUnknown, case .problem(let problem) = error,
          problem.status == 404
        {
          return ClientResponse(status: 204)
        }
        guard let pause = attempts.pause(after: error, elapsed: elapsed()) else {
          guard attempts.isUnknown, error != .cancelled else { throw error }
          throw .outcomeUnknown(key: key.value, reason: "\(error)")
        }
        try await repeats.clock.pause(pause)
      }
    }
  }

  /// Returns 128 random bits as text.
  static func randomKey() -> String {
    (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined()
  }
}

extension Clock<Duration> {
  /// Returns a function that tells the time since this call.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }

  /// Waits.
  ///
  /// - Throws: `ClientError.cancelled` if the task is cancelled.
  func pause(_ pause: Duration) async throws(ClientError) {
    do {
      try await sleep(for: pause)
    } catch {
      throw .cancelled
    }
  }
}
