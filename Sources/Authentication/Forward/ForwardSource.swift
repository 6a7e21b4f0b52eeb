/// The backend that decides about callers with neither a key nor a token.
public struct ForwardSource: Sendable {
  /// Asks the backend; returns `nil` if there is no answer in time.
  public typealias Ask = @Sendable (ForwardQuestion) async -> ForwardAnswer?

  /// The cookies by which it knows callers.
  public let cookies: ForwardCookies
  /// How it is asked.
  public let limits: ForwardLimits
  let ask: Ask

  /// Creates a source.
  public init(cookies: ForwardCookies, limits: ForwardLimits = ForwardLimits(), ask: @escaping Ask)
  {
    self.cookies = cookies
    self.limits = limits
    self.ask = ask
  }
}

/// How a backend is asked about callers.
public struct ForwardLimits: Hashable, Sendable {
  /// The questions that are under way at a time.
  public var connectionsMax = 32
  /// Seconds that a stream goes on while the backend does not answer about it.
  public var graceSeconds: Int64 = 30

  /// The default limits.
  public init() {}
}

/// What is counted of the questions to the backend.
public struct ForwardStatistics: Hashable, Sendable {
  /// Questions that are under way.
  public internal(set) var underWay = 0
  /// Questions that wait for their turn, or to be asked again.
  public internal(set) var waiting = 0
  /// Questions that were answered with yes.
  public internal(set) var granted = 0
  /// Questions that were answered with no.
  public internal(set) var denied = 0
  /// Questions without an answer.
  public internal(set) var unanswered = 0
  /// Requests that were refused because too many questions waited.
  public internal(set) var refused = 0
  /// Streams that ended because the backend did not answer about them.
  public internal(set) var unverified = 0

  /// Creates counts of zero.
  public init() {}
}
