package import Authentication
package import DeltaHTTP
import Synchronization

/// A backend that knows callers by the cookie `session`, for a server within the test.
package final class ForwardSessions: Sendable {
  package enum Answer {
    case status(Int)
    case none
  }

  private let held = Mutex<(isOn: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))
  private let answers = Mutex<@Sendable (String) -> Answer>({ _ in .status(204) })
  private let authenticator = Mutex<Authenticator?>(nil)
  private let count = Atomic(0)
  package let date = TestCalendar()
  /// How long the backend takes.
  package let delay: Duration

  package init(delay: Duration = .zero) { self.delay = delay }

  package var questions: Int { count.load(ordering: .relaxed) }

  /// Decides by the session's cookie.
  package func answer(_ answer: @escaping @Sendable (String) -> Answer) {
    answers.withLock { $0 = answer }
  }

  /// Answers nothing until ``release()``.
  package func hold() { held.withLock { $0.isOn = true } }

  package func release() {
    let waiting = held.withLock { held in
      defer { held = (false, []) }
      return held.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  package func configure(_ configuration: inout DeltaServerConfiguration) {
    let names = ForwardCookies(["session"]) ?? .all
    let source = ForwardSource(cookies: names) { question in await self.ask(question) }
    let authenticator = try? Authenticator(nil, forward: source, now: { [date] in date.now })
    configuration.authenticator = authenticator
    self.authenticator.withLock { $0 = authenticator }
  }

  package var statistics: ForwardStatistics? { authenticator.withLock { $0?.forwardStatistics } }

  private func ask(_ question: ForwardQuestion) async -> ForwardAnswer? {
    count.wrappingAdd(1, ordering: .relaxed)
    try? await Task.sleep(for: delay)
    await withCheckedContinuation { continuation in
      let isHeld = held.withLock { held in
        if held.isOn { held.waiting.append(continuation) }
        return held.isOn
      }
      if !isHeld { continuation.resume() }
    }
    let answer = answers.withLock { $0 }
    switch answer(String(decoding: question.cookie ?? [], as: UTF8.self)) {
    case .status(let status): return ForwardAnswer(status: status)
    case .none: return nil
    }
  }

  package static func field(_ number: Int) -> [String: String] { ["Cookie": "session=\(number)"] }
}
