import Synchronization

extension Authenticator {
  /// Verifies a token.
  ///
  /// - Throws: `Refusal`; `unavailable` while no keys were read yet.
  func verify(_ token: ArraySlice<UInt8>) throws(Refusal) -> Principal {
    guard let rules = tokens?.rules else { throw .badCredential }
    guard let keys = state.withLock({ $0.tokens.keys }) else { throw .unavailable }
    do throws(TokenFault) {
      return try keys.principal(token, rules, now: now())
    } catch {
      if error == .unknownKey { state.withLock { $0.tokens.isWanting = true } }
      throw error == .expired ? .expired : .badCredential
    }
  }

  /// Reads the keys of tokens.
  ///
  /// - Throws: `TokenKeysError`; the keys of before stay in force.
  public func loadTokenKeys() async throws(TokenKeysError) {
    guard let tokens else { return }
    let (mark, now) = (tokens.mark, now())
    state.withLock { state in
      state.tokens.mark = mark
      state.tokens.fetched = now
      state.tokens.isWanting = false
      state.tokens.hasFailed = true
    }
    let keys = try TokenKeys(try await tokens.text())
    state.withLock { state in
      state.tokens.hasFailed = false
      state.tokens.take(keys)
    }
    report(.loadedTokenKeys(keys))
    endRefused()
  }

  /// Reads the keys of tokens again if it is time.
  public func refreshTokenKeys() async {
    guard let tokens else { return }
    let (mark, now) = (tokens.mark, now())
    guard state.withLock({ $0.tokens.isDue(tokens, mark: mark, now: now) }) else { return }
    do throws(TokenKeysError) {
      try await loadTokenKeys()
    } catch {
      report(.keptTokenKeys(error))
    }
  }
}
