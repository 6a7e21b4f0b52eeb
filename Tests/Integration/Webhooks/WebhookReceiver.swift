import Authentication
import DeltaHTTP
import Synchronization
import Telemetry
import TestSupport
import Testing

/// A receiver of webhooks whose answers a test chooses; it checks every signature.
final class WebhookReceiver: Sendable {
  static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  struct Delivery: Sendable {
    var id: String
    var body: JSONTree
    var date: ManualClock.Instant

    /// `CLIENT/NAME` of the changes, with a minus before those that were deleted.
    var changes: [String] {
      body["data"]["changes"].elements.map {
        ($0["deleted"].bool == true ? "-" : "")
          + "\($0["client"].string ?? "")/\($0["name"].string ?? "")"
      }
    }
    var versions: [String] {
      body["data"]["changes"].elements.compactMap { $0["version"].string }
    }
  }

  private struct State {
    var attempts: [Delivery] = []
    var accepted: [Delivery] = []
    var answers: [PostAnswer?] = []
    var fallback: Int? = 204
    var position: String?
    var saveError: InputFault?
    var held: CheckedContinuation<Void, Never>?
    var holds = false
  }

  let clock = ManualClock()
  private let state = Mutex(State())

  var attempts: [Delivery] { state.withLock { $0.attempts } }
  var accepted: [Delivery] { state.withLock { $0.accepted } }
  var isHolding: Bool { state.withLock { $0.held != nil } }
  var position: String? {
    get { state.withLock { $0.position } }
    set { state.withLock { $0.position = newValue } }
  }

  struct InputFault: Error {}

  /// What saving the position throws.
  var saveError: InputFault? {
    get { state.withLock { $0.saveError } }
    set { state.withLock { $0.saveError = newValue } }
  }

  /// Sets the answers to the next attempts, and the status to all after them.
  func answer(_ answers: [PostAnswer?] = [], then fallback: Int?) {
    state.withLock { ($0.answers, $0.fallback) = (answers, fallback) }
  }

  /// Forgets what came so far.
  func forget() { state.withLock { ($0.attempts, $0.accepted) = ([], []) } }

  /// Lets the next attempt wait for `release`.
  func hold() { state.withLock { $0.holds = true } }

  func release() { state.withLock { $0.held.take() }?.resume() }

  var configuration: WebhookConfiguration {
    WebhookConfiguration(
      secrets: [WebhookSecret(Self.secret)].compactMap(\.self), load: { self.position },
      save: {
        if let error = self.saveError { throw error }
        self.position = $0
      }
    ) { await self.take($0, $1) }
  }

  private func take(
    _ fields: [(name: String, value: String)], _ body: [UInt8]
  ) async -> PostAnswer? {
    let fields = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
    let id = fields["webhook-id"] ?? ""
    let timestamp = fields["webhook-timestamp"].flatMap { Int64($0) } ?? 0
    #expect(
      fields["webhook-signature"]
        == WebhookSecret(Self.secret)?.signature(id: id, timestamp: timestamp, body: body))
    let delivery = Delivery(id: id, body: JSONTree(body), date: clock.now)
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        state.attempts.append(delivery)
        defer { state.holds = false }
        if state.holds { state.held = continuation }
        return state.holds
      }
      if !isHeld { continuation.resume() }
    }
    return state.withLock { state in
      let answer =
        state.answers.isEmpty
        ? state.fallback.map { .init(status: $0) } : state.answers.removeFirst()
      if let answer, 200...299 ~= answer.status { state.accepted.append(delivery) }
      return answer
    }
  }
}
