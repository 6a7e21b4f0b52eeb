/// The backend that decides about callers with neither a key nor a token.
package struct ForwardSource: Sendable {
  /// Asks the backend; returns `nil` if there is no answer in time.
  package typealias Ask = @Sendable (ForwardQuestion) async -> ForwardAnswer?

  /// The cookies by which it knows callers.
  package let cookies: ForwardCookies
  /// The questions that are under way at a time.
  let connectionsMax: Int
  let ask: Ask

  /// Seconds that a stream goes on while the backend does not answer about it.
  static let graceSeconds: Int64 = 30

  package init(cookies: ForwardCookies, connectionsMax: Int = 32, ask: @escaping Ask) {
    self.cookies = cookies
    self.connectionsMax = connectionsMax
    self.ask = ask
  }
}

/// What is counted of the questions to the backend.
package struct ForwardStatistics: Hashable, Sendable {
  /// Questions that are under way.
  package internal(set) var underWay = 0
  /// Questions that wait for their turn, or to be asked again.
  package internal(set) var waiting = 0
  /// Questions that were answered with yes.
  package internal(set) var granted = 0
  /// Questions that were answered with no.
  package internal(set) var denied = 0
  /// Questions without an answer.
  package internal(set) var unanswered = 0
  /// Requests that were refused because too many questions waited.
  package internal(set) var refused = 0
  /// Streams that ended because the backend did not answer about them.
  package internal(set) var unverified = 0

  /// Creates counts of zero.
  package init() {}
}
