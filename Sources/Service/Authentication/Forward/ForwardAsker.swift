import Synchronization

/// Asks the backend, and keeps its verdicts.
final class ForwardAsker: Sendable {
  let source: ForwardSource
  private let now: @Sendable () -> Int64
  private let state: Mutex<State>

  private struct State {
    var verdicts = ForwardVerdicts()
    var questions: ForwardQuestions
    var counts = ForwardStatistics()
    /// The questions without an answer that were reported, and when.
    var reported: (count: Int, at: Int64) = (0, .min)
  }

  /// Seconds from one report that the backend does not answer to the next.
  private static let reportSeconds: Int64 = 60

  init(_ source: ForwardSource, now: @escaping @Sendable () -> Int64) {
    self.source = source
    self.now = now
    state = Mutex(State(questions: ForwardQuestions(connectionsMax: source.connectionsMax)))
  }

  var statistics: ForwardStatistics {
    state.withLock { state in
      var counts = state.counts
      (counts.underWay, counts.waiting) = (state.questions.underWay, state.questions.waiting)
      return counts
    }
  }

  /// Counts a stream that ended for want of an answer.
  func countUnverified() { state.withLock { $0.counts.unverified += 1 } }

  func kept(_ question: ForwardQuestion) -> ForwardVerdicts.Verdict? {
    let now = now()
    return state.withLock { $0.verdicts.verdict(question.key, now: now) }
  }

  /// Calls a completion once with the verdict that is cached, or a new one.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - until: How long a request can wait that was authorized before, in seconds since 1970; nil for one that has
  ///     just come, which 503 answers soon.
  ///   - since: The earliest time of a cached yes, in seconds since 1970.
  ///   - completion: Receives the verdict.
  func verdict(
    _ question: ForwardQuestion, recheckingUntil until: Int64? = nil, since: Int64 = .min,
    _ completion: @escaping ForwardQuestions.Completion
  ) {
    let (key, now) = (question.key, now())
    let waiter = ForwardQuestions.Waiter(
      until: until ?? now + ForwardQuestions.lineSeconds, isPatient: until != nil,
      completion: completion)
    let (verdict, next) = state.withLock { state -> (ForwardVerdicts.Verdict?, [ForwardQuestion]) in
      if let kept = state.verdicts.verdict(key, now: now, since: since) { return (kept, []) }
      let line: ForwardQuestions.Line =
        until != nil ? .recheck : state.verdicts.knows(key.caller) ? .known : .unknown
      guard state.questions.add(question, line, waiter) else {
        state.counts.refused += 1
        return (.failure(.unavailable), [])
      }
      return (nil, state.questions.start())
    }
    ask(next)
    if let verdict { completion(verdict) }
  }

  private func ask(_ questions: [ForwardQuestion]) {
    for question in questions { Task { await self.ask(question) } }
  }

  private func ask(_ question: ForwardQuestion) async {
    let asked = now()
    let answer = await source.ask(question)
    let refusal = answer == nil ? .unavailable : answer?.refusal
    let expires = asked + (answer?.seconds ?? 0)
    let (key, now) = (question.key, now())
    let verdict: ForwardVerdicts.Verdict =
      refusal.map { .failure($0) }
      ?? .success(question.principal(until: expires, answered: now, seeing: answer?.view))
    let (waiters, next) = state.withLock { state in
      switch refusal {
      case .unavailable: state.counts.unanswered += 1
      case nil: state.counts.granted += 1
      default: state.counts.denied += 1
      }
      // No answer is not cached: the next question may have one.
      let isAnswered = refusal != .unavailable
      if isAnswered { state.verdicts.take(key, verdict, until: expires, now: now) }
      let waiters = state.questions.end(key, isAnswered: isAnswered, now: now)
      return (waiters, state.questions.start())
    }
    ask(next)
    for waiter in waiters { waiter.completion(verdict) }
  }

  /// Repeats questions without an answer, and gives up those that have waited too long; called about
  /// every second.
  ///
  /// - Returns: The number of questions without an answer since the last report, if it is time for one.
  func tick() -> Int? {
    let now = now()
    let (waiters, next, unanswered) = state.withLock { state in
      let waiters = state.questions.tick(now: now)
      var unanswered: Int?
      let count = state.counts.unanswered - state.reported.count
      if count > 0, now &- Self.reportSeconds >= state.reported.at {
        unanswered = count
        state.reported = (state.counts.unanswered, now)
      }
      return (waiters, state.questions.start(), unanswered)
    }
    ask(next)
    for waiter in waiters { waiter.completion(.failure(.unavailable)) }
    return unanswered
  }
}
