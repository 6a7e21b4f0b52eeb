import Synchronization

@testable import Authentication

/// A backend whose answers a test gives.
final class StandInBackend: Sendable {
  private struct State {
    var answer: ForwardAnswer?
    var isHeld = false
    var held: [CheckedContinuation<Void, Never>] = []
    var questions: [ForwardQuestion] = []
  }

  private let state = Mutex(State())

  var questions: [ForwardQuestion] { state.withLock { $0.questions } }
  func answer(_ answer: ForwardAnswer?) { state.withLock { $0.answer = answer } }
  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    let held = state.withLock { state in
      state.isHeld = false
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  func ask(_ question: ForwardQuestion) async -> ForwardAnswer? {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        state.questions.append(question)
        if state.isHeld { state.held.append(continuation) }
        return state.isHeld
      }
      if !isHeld { continuation.resume() }
    }
    return state.withLock { $0.answer }
  }

  /// An authenticator that asks it, and knows the key `secret`.
  func authenticator(
    _ date: TestDate, _ cookies: ForwardCookies = .all
  ) throws -> Authenticator {
    let source = ForwardSource(cookies: cookies) { await self.ask($0) }
    return try Authenticator(
      .text("writer \(digest) write:**"), forward: source, now: { date.now })
  }

  /// What becomes of a request with a cookie.
  static func authorize(
    _ authenticator: Authenticator, _ requirement: Requirement, _ cookie: String = "session=1"
  ) async throws(Refusal) -> Authorization {
    let cookies = [Array(cookie.utf8)[...]]
    switch try authenticator.authorize(nil, cookies: cookies, requirement) {
    case .authorized(let authorization):
      guard let authorization else { throw .noCredential }
      return authorization
    case .question(let question):
      return try await withCheckedContinuation { continuation in
        authenticator.ask(question, requirement) { continuation.resume(returning: $0) }
      }.get()
    }
  }
}

extension Result where Failure == Refusal {
  /// Why it failed; nil if it did not.
  var refusal: Refusal? {
    if case .failure(let refusal) = self { refusal } else { nil }
  }
}
