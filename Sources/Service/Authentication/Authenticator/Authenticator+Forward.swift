/// What the head of a request tells about it.
package enum AuthorizationOutcome: Sendable {
  /// It is authorized; nil if it needs no credential.
  case authorized(Authorization?)
  /// The backend must be asked, with ``Authenticator/ask(_:_:_:)``.
  case question(ForwardQuestion)
}

extension Authenticator {
  package var cookiesAuthorize: Bool {
    credentials.forward.map { !$0.source.cookies.isEmpty } ?? false
  }

  /// What is counted of the questions to the backend; zeros without one.
  package var forwardStatistics: ForwardStatistics {
    credentials.forward?.statistics ?? ForwardStatistics()
  }

  /// Decides about a request, as far as that is possible at once.
  ///
  /// A caller with a key or a token is known by it. The backend is asked about all others, if there is one.
  ///
  /// - Parameters:
  ///   - authorization: The value of its `Authorization` field.
  ///   - user: The uid of its sender, if it came over a Unix socket.
  ///   - cookies: The values of its `Cookie` fields.
  ///   - network: What its sender's address has in common with those of the same subscriber.
  ///   - requirement: What it requires.
  /// - Returns: The authorization, or the question that decides about it.
  /// - Throws: `Refusal`.
  package func authorize(
    _ authorization: ArraySlice<UInt8>?, user: UInt32? = nil,
    cookies: @autoclosure () -> [ArraySlice<UInt8>], from network: UInt64 = 0,
    _ requirement: Requirement
  ) throws(Refusal) -> AuthorizationOutcome {
    do throws(Refusal) {
      return .authorized(try authorize(authorization, user: user, requirement))
    } catch {
      guard let forward = credentials.forward, error == .noCredential || error == .badCredential,
        let question = ForwardQuestion(
          authorization, cookie: forward.source.cookies.chosen(cookies()), network: network,
          requirement)
      else { throw error }
      guard let verdict = forward.kept(question) else { return .question(question) }
      return .authorized(
        try self.authorization(verdict, requirement, question, since: credentials.now()).get())
    }
  }

  /// Calls a completion once with the backend's verdict about a request, on any thread.
  package func ask(
    _ question: ForwardQuestion, _ requirement: Requirement,
    _ completion: @escaping @Sendable (Result<Authorization, Refusal>) -> Void
  ) {
    guard let forward = credentials.forward else { return completion(.failure(.unavailable)) }
    let since = credentials.now()
    forward.verdict(question) { verdict in
      completion(self.authorization(verdict, requirement, question, since: since))
    }
  }

  /// The authorization that a verdict gives: one that imposes a view does not allow all that was asked.
  private func authorization(
    _ verdict: ForwardVerdicts.Verdict, _ requirement: Requirement, _ question: ForwardQuestion,
    since: Int64
  ) -> Result<Authorization, Refusal> {
    verdict.flatMap { principal in
      guard principal.meets(requirement) else { return .failure(.insufficientScope) }
      return .success(authorization(principal, requirement, .init(question, since: since)))
    }
  }
}
