import Synchronization

/// Knows the credentials, and decides by them who is authorized.
///
/// Any thread may ask.
package final class Authenticator: Sendable {
  /// Where keys come from.
  package enum Source: Sendable {
    /// A file, which is read again when it changes.
    case file(String)
    case text(String)
  }

  /// What operators should know.
  package enum Event: Sendable {
    /// The keys were read again.
    case loaded(keys: Int)
    /// They could not be, and those of before are in force.
    case kept(KeysError)
    /// The keys that tokens are signed with were read.
    case loadedTokenKeys(TokenKeys)
    /// They could not be, and those of before are in force.
    case keptTokenKeys(TokenKeysError)
    /// The backend did not answer questions about callers; at most once a minute.
    case unanswered(questions: Int)
  }

  let credentials: Credentials
  let report: @Sendable (Event) -> Void
  /// The streams to notify when their authorization changes or ends.
  let watches = Watches<Authorization>()
  private let source: Source?
  private let viewFault: @Sendable (ImposedView) -> String?
  private let mark: Mutex<FileMark?>
  /// Held while keys are read and taken: otherwise those of an older file could replace newer ones.
  private let reading = Mutex(())
  /// The reviews that were asked for since the running one began; zero while none runs.
  let reviews = Mutex(0)

  /// Reads the keys; ``loadTokenKeys()`` reads those of tokens.
  ///
  /// - Parameters:
  ///   - source: Where they are; nil when there are tokens alone.
  ///   - tokens: What verifies tokens; nil for none.
  ///   - forward: The backend that decides about callers without either; nil for none.
  ///   - viewFault: Says what is wrong with a view that a scope imposes; nil if nothing is.
  ///   - now: Seconds since 1970.
  ///   - report: Gets what happens to the keys later.
  /// - Throws: `KeysError`.
  package init(
    _ source: Source?, tokens: TokenSource? = nil, forward: ForwardSource? = nil,
    viewFault: @escaping @Sendable (ImposedView) -> String? = { _ in nil },
    now: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(KeysError) {
    self.source = source
    self.viewFault = viewFault
    self.report = report
    credentials = Credentials(tokens: tokens, forward: forward, now: now)
    mark = Mutex(source?.mark)
    if let source {
      let keys = try source.keys(viewFault)
      credentials.state.withLock { $0.take(keys) }
    }
  }

  // MARK: Admitting

  /// Decides about a request, where the uid of its sender counts without a field; nil if it requires nothing.
  package func authorize(
    _ authorization: ArraySlice<UInt8>?, user: UInt32? = nil, _ requirement: Requirement
  ) throws(Refusal) -> Authorization? {
    if requirement == .nothing { return nil }
    let principal = try principal(authorization, user)
    guard !principal.hasExpired(credentials.now()) else { throw .expired }
    guard principal.meets(requirement) else { throw .insufficientScope }
    return self.authorization(principal, requirement)
  }

  private func principal(
    _ authorization: ArraySlice<UInt8>?, _ user: UInt32?
  ) throws(Refusal) -> Principal {
    if let authorization {
      guard let secret = bearerToken(authorization) else { throw .noCredential }
      return try credentials.principal(secret)
    }
    guard let user, let principal = credentials.principal(.user(user)) else { throw .noCredential }
    return principal
  }

  /// The authorization of a request by what has authorized it.
  func authorization(
    _ principal: Principal, _ requirement: Requirement, _ basis: Authorization.Basis? = nil
  ) -> Authorization {
    Authorization(principal, requirement, credentials, watches, basis)
  }

  // MARK: Keeping up

  /// Reads the keys again if their file has changed, and reviews the authorizations of streams.
  package func refresh() {
    let mark = source?.mark
    let isNew = self.mark.withLock { old in
      defer { old = mark }
      return mark != old
    }
    if isNew { readKeys() } else { review() }
  }

  /// Reads all keys again, those of tokens with the next ``refreshTokenKeys()``.
  package func reload() {
    credentials.state.withLock { $0.tokens.expire() }
    readKeys()
  }

  /// Those of before stay in force when there is something wrong with them.
  private func readKeys() {
    guard let source else { return review() }
    let event: Event = reading.withLock { _ in
      do throws(KeysError) {
        let keys = try source.keys(viewFault)
        credentials.state.withLock { $0.take(keys) }
        return .loaded(keys: keys.keys.count)
      } catch {
        return .kept(error)
      }
    }
    report(event)
    review()
  }
}

/// The token of `Bearer TOKEN`, whose scheme may be in any case; nil for anything else.
private func bearerToken(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  let scheme: StaticString = "bearer "
  guard field.count > scheme.utf8CodeUnitCount else { return nil }
  for (index, byte) in field.prefix(scheme.utf8CodeUnitCount).enumerated() {
    guard unsafe byte | 0x20 == scheme.utf8Start[index] else { return nil }
  }
  let token = field.dropFirst(scheme.utf8CodeUnitCount).drop { $0 == UInt8(ascii: " ") }
  return token.isEmpty ? nil : token
}

extension Authenticator.Source {
  fileprivate var mark: FileMark? {
    switch self {
    case .file(let path): FileMark(path)
    case .text: nil
    }
  }

  fileprivate func keys(
    _ viewFault: (ImposedView) -> String?
  ) throws(KeysError) -> KeyList {
    switch self {
    case .file(let path): try KeyList(file: path, viewFault: viewFault)
    case .text(let text): try KeyList(text, semicolonsEndLines: true, viewFault: viewFault)
    }
  }
}
