import Authentication
import LiveDeltaClient
import Synchronization

/// Asks the backend that `auth.forward.url` names, over a few connections.
///
/// Callers that find none free wait in line. A question ends two seconds after it was put, wherever it is
/// then: the line is in order, so that whoever is before it ends earlier.
final class ForwardBackend: Sendable {
  private struct State {
    var idle: [DeltaClient]
    var line: [CheckedContinuation<DeltaClient, Never>] = []
  }

  private let state: Mutex<State>
  /// What stands between the URL and the parameters.
  private let separator: String

  private static let connectionsMax = 8
  private static let timeout: Duration = .seconds(2)
  private static let answerBytesMax = 64 << 10

  /// What asks the backend; nil without `auth.forward.url`.
  static func source(_ settings: Settings) throws -> Authenticator.Forward? {
    guard let target = try OutgoingTarget(.forward, settings) else { return nil }
    let backend = ForwardBackend(target)
    return { question in await backend.ask(question) }
  }

  private init(_ target: OutgoingTarget) {
    let clients = (0..<Self.connectionsMax).map { _ in
      target.client(
        connecting: Self.timeout, answering: .zero, bodyBytesMax: Self.answerBytesMax)
    }
    state = Mutex(State(idle: clients))
    separator = target.path + (target.address.base.contains("?") ? "&" : "?")
  }

  /// The backend's answer; nil if there is none in time.
  func ask(_ question: ForwardQuestion) async -> ForwardAnswer? {
    let end = ContinuousClock.now + Self.timeout
    let client = await take()
    defer { give(client) }
    let left = Int((end - ContinuousClock.now) / .milliseconds(1))
    guard left > 0 else { return nil }
    // An error is no answer: the caller is told 503.
    let answer = try? await client.request(
      "GET", separator + question.parameters, fields: question.fields, extraMilliseconds: left)
    return answer.map {
      ForwardAnswer(status: $0.status, cacheControl: $0["Cache-Control"], age: $0["Age"])
    }
  }

  private func take() async -> DeltaClient {
    await withCheckedContinuation { continuation in
      let idle = state.withLock { state in
        let idle = state.idle.popLast()
        if idle == nil { state.line.append(continuation) }
        return idle
      }
      if let idle { continuation.resume(returning: idle) }
    }
  }

  private func give(_ client: DeltaClient) {
    let next = state.withLock { state -> CheckedContinuation<DeltaClient, Never>? in
      guard state.line.isEmpty else { return state.line.removeFirst() }
      state.idle.append(client)
      return nil
    }
    next?.resume(returning: client)
  }
}

extension ForwardQuestion {
  /// Names have no byte that a query would have to escape.
  fileprivate var parameters: String {
    "access=\(access.rawValue)&client=\(client)" + (collection.map { "&collection=\($0)" } ?? "")
  }

  /// The caller's own fields, and those of its trace.
  fileprivate var fields: [HTTPField] {
    [("Authorization", authorization), ("Cookie", cookie)].compactMap { name, value in
      value.map { HTTPField(name, String(decoding: $0, as: UTF8.self)) }
    } + traceFields.map { HTTPField($0.name, $0.value) }
  }
}
