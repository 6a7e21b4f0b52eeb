import Foundation

/// Finds out whether notices arrive: one of its own, sent over another connection, must.
///
/// A pooler in transaction mode accepts `LISTEN` and passes nothing on, for it gives the session that listens to others.
/// A notice that is sent over the connection that listens could come back nevertheless, with the answer to its statement.
struct NoticeProbe {
  /// Whether the last one arrived; nil until the first has, or is overdue.
  private(set) var arrives: Bool?
  /// Whether another one is to be sent when there is time.
  private(set) var isDue = true
  private var pending: (payload: String, deadline: ContinuousClock.Instant?)?

  /// How long a notice may take.
  static let patience = Duration.seconds(2)

  /// Begins one.
  ///
  /// - Returns: Its payload, which names no client, so that other replicas ignore it.
  mutating func begin() -> String {
    let payload = "?\(UUID().uuidString)"
    (pending, isDue) = ((payload, nil), false)
    return payload
  }

  /// Records that the one under way was sent; it may have arrived meanwhile.
  mutating func noteSent(at now: ContinuousClock.Instant) {
    pending?.deadline = now + Self.patience
  }

  /// Takes a payload that arrived; false if it is not that of the probe under way.
  mutating func take(_ payload: String) -> Bool {
    guard payload == pending?.payload else { return false }
    (pending, arrives) = (nil, true)
    return true
  }

  /// Whether one has just turned out not to arrive, as the first, or after others did.
  mutating func isNewlyOverdue(at now: ContinuousClock.Instant) -> Bool {
    guard let deadline = pending?.deadline, now >= deadline else { return false }
    defer { (self.pending, arrives, isDue) = (nil, false, true) }
    return arrives != false
  }

  /// Gives up the one under way, which was not sent or whose connection was lost, and begins anew.
  mutating func restart() { (pending, isDue) = (nil, true) }
}
