/// How a client repeats a write whose outcome is not known, or that the service has no room for now.
///
/// Each write but the deletion of a client has an `Idempotency-Key`, which its repetitions share: it is
/// carried out once at most. No attempt begins after the time that one answer may take (``DeltaClient/Limits/answerMilliseconds``).
public struct WriteRepeats: Sendable {
  /// The largest number of attempts, including the first; 1 to repeat nothing.
  public var attemptsMax = 5
  /// The pauses between them, which are never shorter than the service asks for.
  public var backoff = Backoff(first: .milliseconds(250), max: .seconds(8))
  /// The clock for pauses.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// Returns a random number from a range.
  public var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

  /// Creates the default settings.
  public init() {}
}

/// The attempts at one write: whether its outcome is known, and whether to try again.
struct WriteAttempts {
  /// Whether an attempt may have been committed and no later answer tells.
  private(set) var isUnknown = false
  private var count = 0
  private var repeats: WriteRepeats
  /// The time within which attempts may begin.
  private let span: Duration

  init(_ repeats: WriteRepeats, within span: Duration) {
    (self.repeats, self.span) = (repeats, span)
  }

  /// Notes a failed attempt.
  ///
  /// - Parameters:
  ///   - error: The reason that it failed.
  ///   - elapsed: The time since the first attempt began.
  /// - Returns: The pause before the next attempt; `nil` if there is none.
  mutating func pause(after error: ClientError, elapsed: Duration) -> Duration? {
    count += 1
    switch error.writeEffect {
    case .undecided: return nil
    case .refused:
      isUnknown = false
      return nil
    case .unsent: if !isUnknown { return nil }
    case .deferred: break
    case .unknown: isUnknown = true
    }
    guard count < repeats.attemptsMax else { return nil }
    let pause = max(repeats.backoff.next(repeats.random), error.retryAfter ?? .zero)
    return elapsed + pause < span ? pause : nil
  }
}

extension ClientError {
  /// What a failed attempt says about a write.
  fileprivate enum WriteEffect {
    /// Nothing was sent.
    case unsent
    /// It was not carried out, but may be later.
    case deferred
    /// It may have been carried out.
    case unknown
    /// It was not carried out, nor was an earlier attempt: that would have been answered again.
    case refused
    /// It was not carried out, which says nothing about an earlier attempt.
    case undecided
  }

  fileprivate var writeEffect: WriteEffect {
    switch self {
    case .transport(let code, _): Self.codesWithoutConnection.contains(code) ? .unsent : .unknown
    case .timedOut, .outcomeUnknown: .unknown
    case .problem(let problem): problem.writeEffect
    case .noToken(_, let isTemporary): isTemporary ? .unsent : .undecided
    case .badAddress, .file, .cancelled, .answerTooLarge, .malformed: .undecided
    }
  }

  /// Codes of libcurl and of `URLSession` for hosts that were not found, not reached or not trusted.
  private static let codesWithoutConnection = [
    1, 3, 5, 6, 7, 35, 53, 54, 58, 59, 60, 66, 77, 82, 83, 90, 91, -1000, -1002, -1003, -1004,
    -1006,
    -1009, -1022, -1201, -1202, -1203, -1204, -1205, -1206,
  ]
}

extension ProblemDetails {
  fileprivate var writeEffect: ClientError.WriteEffect {
    switch (status, code) {
    case (_, "outcome-unknown"), (502, _), (504, _): .unknown
    case (_, "idempotency-in-flight"): .deferred
    case (503, _): retryAfterSeconds == nil ? .undecided : .deferred
    // These are decided before the key is looked up.
    case (401, _), (403, _), (408, _), (421, _), (429, _): .undecided
    // A proxy's refusal says nothing about an earlier attempt.
    case (400..<500, _): isOfService ? .refused : .undecided
    default: .undecided
    }
  }
}
