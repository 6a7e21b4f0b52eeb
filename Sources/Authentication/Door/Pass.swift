/// That a request was admitted: for what, and on whose credential.
///
/// What waits or lives long is looked at again with it: ``refusal()`` tells whether the request would still
/// be admitted.
public struct Pass: Sendable {
  /// Who sent the request.
  public let principal: Principal
  private let need: Need
  /// What turned out to be needed later: most requests have none, and take no memory for it.
  private var moreNeeds: [Need] = []
  private let authenticator: Authenticator

  init(_ principal: Principal, _ need: Need, _ authenticator: Authenticator) {
    self.principal = principal
    self.need = need
    self.authenticator = authenticator
  }

  /// Admits the request for more than was known when it came.
  ///
  /// - Throws: `insufficientScope`.
  public mutating func require(_ need: Need) throws(Refusal) {
    guard principal.meets(need) else { throw .insufficientScope }
    moreNeeds.append(need)
  }

  /// Whether the request is admitted as it was: asked for each repeated request, without a lock.
  ///
  /// When it is not, ``refusal()`` tells whether the credential allows it for other reasons.
  public var isCurrent: Bool {
    !principal.isWithdrawn && !principal.hasExpired(authenticator.now())
  }

  /// Why the request would not be admitted any more; nil as long as it would.
  public func refusal() -> Refusal? {
    if isCurrent { return nil }
    guard let current = authenticator.current(principal) else { return .badCredential }
    if current.hasExpired(authenticator.now()) { return .expired }
    return current.meets(need) && moreNeeds.allSatisfy(current.meets) ? nil : .insufficientScope
  }

  /// Has an action called once when the request would not be admitted any more, within a second;
  /// ``PassWatch/cancel()`` takes it back.
  public func watch(_ action: @escaping @Sendable () -> Void) -> PassWatch {
    authenticator.watch(self, action)
  }
}

/// Somebody who wants to know when a pass ends.
public struct PassWatch: Sendable {
  let id: UInt64
  let authenticator: Authenticator

  /// Forgets the action.
  public func cancel() { authenticator.unwatch(id) }
}
