import Synchronization

/// Knows the credentials, and decides by them who is admitted.
///
/// Any thread may ask. What is asked for a request takes no lock for longer than a look-up; a credential
/// is looked into once, and who it stands for is remembered by its hash.
public final class Authenticator: Sendable {
  /// Where keys come from.
  public enum Source: Sendable {
    /// A file, which is read again when it changes.
    case file(String)
    /// The text of one.
    case text(String)
  }

  /// What operators should know.
  public enum Event: Sendable {
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

  let now: @Sendable () -> Int64
  let report: @Sendable (Event) -> Void
  let tokens: TokenSource?
  let forward: ForwardAsker?
  let state: Mutex<State>
  private let source: Source?

  /// What is done when an authorization ends.
  struct Watch {
    var authorization: Authorization
    let action: @Sendable (Refusal) -> Void
    /// Whether the backend is being asked about it again.
    var isAsking = false
  }

  struct State {
    private(set) var principals: [KeyCredential: Principal] = [:]
    var verdicts = Verdicts()
    var tokens = TokenState()
    var mark: FileMark?
    var watches: [UInt64: Watch] = [:]
    var lastWatch: UInt64 = 0

    init(mark: FileMark?) { self.mark = mark }

    /// Takes other keys; the principals of those that are as they were stay.
    mutating func take(_ list: KeyList) {
      let old = principals
      let pairs = list.keys.map { key in
        let same = old[key.credential].flatMap { $0.isSame(as: key) ? $0 : nil }
        return (key.credential, same ?? Principal(key))
      }
      principals = Dictionary(uniqueKeysWithValues: pairs)
      for (credential, principal) in old where principals[credential] !== principal {
        principal.withdraw()
      }
    }
  }

  /// Reads the keys; ``loadTokenKeys()`` reads those of tokens.
  ///
  /// - Parameters:
  ///   - source: Where they are; nil when there are tokens alone.
  ///   - tokens: What verifies tokens; nil for none.
  ///   - forward: The backend that decides about callers without either; nil for none.
  ///   - now: Seconds since 1970.
  ///   - report: Gets what happens to the keys later.
  /// - Throws: `KeysError`.
  public init(
    _ source: Source?, tokens: TokenSource? = nil, forward: ForwardSource? = nil,
    now: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(KeysError) {
    self.now = now
    self.source = source
    self.tokens = tokens
    self.forward = forward.map { ForwardAsker($0, now: now) }
    self.report = report
    var state = State(mark: source?.mark)
    if let source { state.take(try source.keys()) }
    self.state = Mutex(state)
  }

  // MARK: Admitting

  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - authorization: The value of its `Authorization` field (RFC 6750 §2.1).
  ///   - user: The uid of its sender, if it came over a Unix socket; it counts without that field.
  ///   - requirement: What it requires.
  /// - Returns: nil if it requires nothing.
  /// - Throws: `Refusal`, in the order of its cases.
  public func admit(
    _ authorization: ArraySlice<UInt8>?, user: UInt32? = nil, _ requirement: Requirement
  ) throws(Refusal) -> Authorization? {
    if requirement == .nothing { return nil }
    let principal = try principal(authorization, user)
    guard !principal.hasExpired(now()) else { throw .expired }
    guard principal.meets(requirement) else { throw .insufficientScope }
    return Authorization(principal, requirement, self)
  }

  private func principal(
    _ authorization: ArraySlice<UInt8>?, _ user: UInt32?
  ) throws(Refusal) -> Principal {
    if let authorization {
      guard let secret = bearerToken(authorization) else { throw .noCredential }
      return try principal(secret)
    }
    guard let user, let principal = principal(.user(user)) else { throw .noCredential }
    return principal
  }

  private func principal(_ secret: ArraySlice<UInt8>) throws(Refusal) -> Principal {
    let hash = CredentialHash(secret)
    if let known = state.withLock({ $0.verdicts[hash] }) { return known }
    let principal: Principal
    if let holder = self.principal(.secret(KeyDigest(of: secret))) {
      principal = holder
    } else {
      principal = try verify(secret)
    }
    let now = now()
    // Its key may have gone meanwhile; then it is withdrawn, and never found.
    state.withLock { $0.verdicts.keep(principal, hash, now: now) }
    return principal
  }

  func principal(_ credential: KeyCredential) -> Principal? {
    state.withLock { $0.principals[credential] }
  }

  /// The same principal as it is by now; nil when its credential was withdrawn.
  func current(_ principal: Principal) -> Principal? {
    switch principal.source {
    case .key(let credential): self.principal(credential)
    case .token(let key): key.isWithdrawn ? nil : principal
    case .forward: principal
    }
  }

  // MARK: Keeping up

  /// Reads the keys again if their file has changed, and ends what is not admitted any more.
  public func refresh() {
    let mark = source?.mark
    let isNew = state.withLock { state in
      defer { state.mark = mark }
      return mark != state.mark
    }
    if isNew { readKeys() } else { endRefused() }
  }

  /// Reads all keys again, those of tokens with the next ``refreshTokenKeys()``.
  public func reload() {
    state.withLock { $0.tokens.expire() }
    readKeys()
  }

  /// Those of before stay in force when there is something wrong with them.
  private func readKeys() {
    guard let source else { return endRefused() }
    do {
      let keys = try source.keys()
      state.withLock { $0.take(keys) }
      report(.loaded(keys: keys.keys.count))
    } catch {
      report(.kept(error))
    }
    endRefused()
  }

  func endRefused() {
    if let count = forward?.tick() { report(.unanswered(questions: count)) }
    let (watches, now) = (state.withLock { $0.watches }, now())
    for (id, watch) in watches {
      if watch.authorization.isForwarded {
        if !watch.isAsking, watch.authorization.isDue(now) { recheck(id, watch.authorization, now) }
      } else if let refusal = watch.authorization.refusal() {
        end(id, refusal)
      }
    }
  }

  private func end(_ id: UInt64, _ refusal: Refusal) {
    let watch = state.withLock { $0.watches.removeValue(forKey: id) }
    watch?.action(refusal)
  }

  /// Asks the backend about a stream again, which goes on meanwhile: for a grace also without an answer.
  private func recheck(_ id: UInt64, _ authorization: Authorization, _ now: Int64) {
    guard let forward else { return end(id, .unavailable) }
    state.withLock { $0.watches[id]?.isAsking = true }
    authorization.renew(until: now + forward.source.limits.graceSeconds) { verdict in
      switch verdict {
      case .failure(let refusal):
        if refusal == .unavailable { forward.noteUnverified() }
        self.end(id, refusal)
      case .success(let principal):
        let now = self.now()
        self.state.withLock { state in
          state.watches[id]?.isAsking = false
          state.watches[id]?.authorization.postpone(principal, now)
        }
      }
    }
  }

  func watch(
    _ authorization: Authorization, _ action: @escaping @Sendable (Refusal) -> Void
  ) -> AuthorizationWatch {
    let id = state.withLock { state in
      state.lastWatch += 1
      state.watches[state.lastWatch] = Watch(authorization: authorization, action: action)
      return state.lastWatch
    }
    return AuthorizationWatch(id: id, authenticator: self)
  }

  func unwatch(_ id: UInt64) { state.withLock { _ = $0.watches.removeValue(forKey: id) } }
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
