import Synchronization

/// The credentials that are known, and whom they stand for.
///
/// A look-up takes no lock for longer than it needs; a credential is looked into once, and who it stands for
/// is remembered by its hash.
final class Credentials: Sendable {
  let now: @Sendable () -> Int64
  let tokens: TokenSource?
  let forward: ForwardAsker?
  let state = Mutex(State())
  static let cachedMax = 10_000

  struct State {
    private(set) var principals: [KeyCredential: Principal] = [:]
    /// Principals by their credentials, until these expire or are withdrawn.
    var cache: [CredentialHash: Principal] = [:]
    var tokens = TokenState()

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

  init(tokens: TokenSource?, forward: ForwardSource?, now: @escaping @Sendable () -> Int64) {
    self.tokens = tokens
    self.forward = forward.map { ForwardAsker($0, now: now) }
    self.now = now
  }

  /// The principal of a key; nil if it is not known.
  func principal(_ credential: KeyCredential) -> Principal? {
    state.withLock { $0.principals[credential] }
  }

  /// The principal of the secret of a key, or of a token.
  ///
  /// - Throws: `Refusal`; `unavailable` for what may be a token while no keys of tokens were read yet.
  func principal(_ secret: ArraySlice<UInt8>) throws(Refusal) -> Principal {
    let hash = CredentialHash(secret)
    if let known = state.withLock({ $0.cache[hash] }), !known.isWithdrawn { return known }
    let principal: Principal
    if let holder = self.principal(.secret(KeyDigest(of: secret))) {
      principal = holder
    } else {
      principal = try verify(secret)
    }
    let now = now()
    // Its key may have gone meanwhile; then it is withdrawn, and never found.
    state.withLock {
      $0.cache.keep(principal, hash, countMax: Self.cachedMax) {
        !$0.hasExpired(now) && !$0.isWithdrawn
      }
    }
    return principal
  }

  private func verify(_ token: ArraySlice<UInt8>) throws(Refusal) -> Principal {
    guard let rules = tokens?.rules else { throw .badCredential }
    guard let keys = state.withLock({ $0.tokens.keys }) else { throw .unavailable }
    do throws(TokenFault) {
      return try keys.principal(token, rules, now: now())
    } catch {
      if error == .unknownKey { state.withLock { $0.tokens.isWanting = true } }
      throw error == .expired ? .expired : .badCredential
    }
  }

  /// The same principal as it is by now; nil when its credential was withdrawn.
  func current(_ principal: Principal) -> Principal? {
    switch principal.source {
    case .key(let credential): self.principal(credential)
    case .token(let key): key.isWithdrawn ? nil : principal
    case .forward: principal
    }
  }
}
