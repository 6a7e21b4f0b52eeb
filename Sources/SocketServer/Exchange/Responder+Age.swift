/// How long ago a request came.
public struct RequestAge: Sendable {
  /// The time since the connection was accepted; `nil` for a request that is not its first.
  public let sinceAccepted: Duration?
  /// The time since the first bytes of the request were received.
  public let sinceBegun: Duration
}

extension Responder {
  /// The age of the request; `nil` unless the server notes times.
  ///
  /// Call it in the handler.
  public var age: RequestAge? {
    guard let times = unsafe connection.times else { return nil }
    let now = ConnectionTimes.now
    return RequestAge(
      sinceAccepted: request == 1 ? .nanoseconds(now - times.accepted) : nil,
      sinceBegun: .nanoseconds(now - times.begun))
  }
}
