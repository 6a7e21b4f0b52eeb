import Synchronization

/// What the head of a request tells about it.
public enum Admission: Sendable {
  /// It is authorized; nil if it needs no credential.
  case admitted(Authorization?)
  /// The backend must be asked, with ``Authenticator/decide(_:_:_:)``.
  case undecided(ForwardQuestion)
}

extension Authenticator {
  /// Asks the backend about a caller; nil if there is no answer.
  public typealias Forward = @Sendable (ForwardQuestion) async -> ForwardAnswer?

  /// Decides about a request, as far as that is possible at once.
  ///
  /// A caller with a key or a token is known by it. The backend is asked about all others, if there is one.
  ///
  /// - Parameters:
  ///   - authorization: The value of its `Authorization` field.
  ///   - user: The uid of its sender, if it came over a Unix socket.
  ///   - cookie: The value of its `Cookie` field.
  ///   - requirement: What it requires.
  /// - Returns: The authorization, or the question that decides about it.
  /// - Throws: `Refusal`.
  public func admission(
    _ authorization: ArraySlice<UInt8>?, user: UInt32? = nil, cookie: ArraySlice<UInt8>?,
    _ requirement: Requirement
  ) throws(Refusal) -> Admission {
    do throws(Refusal) {
      return .admitted(try admit(authorization, user: user, requirement))
    } catch {
      guard forward != nil, error == .noCredential || error == .badCredential,
        let question = ForwardQuestion(authorization, cookie, requirement)
      else { throw error }
      let now = now()
      guard let verdict = state.withLock({ $0.forward.verdict(question.key, now: now) }) else {
        return .undecided(question)
      }
      return .admitted(Authorization(try verdict.get(), requirement, self, .forward(question)))
    }
  }

  /// Calls a completion once with the backend's verdict about a request, on any thread.
  public func decide(
    _ question: ForwardQuestion, _ requirement: Requirement,
    _ completion: @escaping @Sendable (Result<Authorization, Refusal>) -> Void
  ) {
    verdict(question) { verdict in
      completion(verdict.map { Authorization($0, requirement, self, .forward(question)) })
    }
  }

  /// Calls a completion once with the verdict that is cached, or a new one.
  func verdict(
    _ question: ForwardQuestion, _ completion: @escaping ForwardVerdicts.Completion
  ) {
    let (key, now) = (question.key, now())
    if let kept = state.withLock({ $0.forward.verdict(key, now: now) }) { return completion(kept) }
    switch state.withLock({ $0.forward.want(key, completion) }) {
    case .wait: return
    case .refuse: completion(.failure(.unavailable))
    case .ask: Task { await self.ask(question, key) }
    }
  }

  private func ask(_ question: ForwardQuestion, _ key: ForwardQuestion.Key) async {
    let asked = now()
    let answer = await forward?(question)
    let refusal = answer == nil ? .unavailable : answer?.refusal
    // No answer is not cached: the next question may have one.
    let seconds = refusal == .unavailable ? 0 : answer?.seconds ?? 0
    let expires = asked + seconds
    let verdict: ForwardVerdicts.Verdict
    if let refusal {
      verdict = .failure(refusal)
    } else {
      verdict = .success(question.principal(until: expires))
    }
    let now = now()
    let waiting = state.withLock { state in
      state.forward.take(key, verdict, until: expires, now: now)
    }
    for completion in waiting { completion(verdict) }
  }
}
