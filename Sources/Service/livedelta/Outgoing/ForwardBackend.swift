import Authentication
import LiveDeltaClient
import Synchronization

/// Asks the backend that `auth.forward.url` names, over as many connections as questions may be under way.
final class ForwardBackend: Sendable {
  private let idle: Mutex<[DeltaClient]>
  /// What stands between the URL and the parameters.
  private let separator: String

  private static let timeout: Duration = .seconds(2)

  /// What asks the backend; nil without `auth.forward.url`.
  static func source(
    _ settings: AuthSettings, _ connections: Int, _ outgoing: Outgoing
  ) throws -> ForwardSource? {
    guard let cookies = ForwardCookies(settings.forwardCookies) else {
      throw Failure.configuration("auth.forward.cookies has names of cookies, or only * for all")
    }
    guard let target = try OutgoingTarget(settings.forwardURL, "auth.forward.url", outgoing)
    else {
      return nil
    }
    let backend = ForwardBackend(target, connections: connections)
    return ForwardSource(cookies: cookies, connectionsMax: connections) { await backend.ask($0) }
  }

  private init(_ target: OutgoingTarget, connections: Int) {
    let clients = (0..<connections).map { _ in
      target.client(
        connecting: Self.timeout, answering: Self.timeout,
        bodyBytesMax: OutgoingTarget.answerBytesMax)
    }
    idle = Mutex(clients)
    separator = target.path + (target.address.base.contains("?") ? "&" : "?")
  }

  /// The backend's answer; nil if there is none in time.
  private func ask(_ question: ForwardQuestion) async -> ForwardAnswer? {
    // There is one for each question that may be under way.
    guard let client = idle.withLock({ $0.popLast() }) else { return nil }
    defer { idle.withLock { $0.append(client) } }
    do {
      let answer = try await client.request(
        "GET", separator + question.parameters, fields: question.fields)
      return ForwardAnswer(
        status: answer.status, cacheControl: answer["Cache-Control"], age: answer["Age"],
        views: answer.fields.filter { $0.name.lowercased() == "livedelta-view" }.map(\.value))
    } catch {
      return nil  // Counted, and reported, as a question without an answer.
    }
  }
}

extension ForwardQuestion {
  /// Names have no byte that a query would have to escape.
  fileprivate var parameters: String {
    "access=\(access.rawValue)&client=\(client)" + (collection.map { "&collection=\($0)" } ?? "")
  }

  fileprivate var fields: [HeaderField] {
    [("Authorization", authorization), ("Cookie", cookie)].compactMap { name, value in
      value.map { HeaderField(name, String(decoding: $0, as: UTF8.self)) }
    } + traceFields.map { HeaderField($0.name, $0.value) }
  }
}
