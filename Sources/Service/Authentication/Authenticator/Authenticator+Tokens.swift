import Synchronization

extension Authenticator {
  /// Reads the keys of tokens; throws `TokenKeysError`; the keys of before stay in force.
  package func loadTokenKeys() async throws(TokenKeysError) {
    guard let tokens = credentials.tokens else { return }
    let (mark, now) = (tokens.mark, credentials.now())
    credentials.state.withLock { state in
      state.tokens.mark = mark
      state.tokens.fetched = now
      state.tokens.isWanting = false
      state.tokens.hasFailed = true
    }
    let keys = try TokenKeys(try await tokens.text())
    credentials.state.withLock { state in
      state.tokens.hasFailed = false
      state.tokens.take(keys)
    }
    report(.loadedTokenKeys(keys))
    review()
  }

  /// Reads the keys of tokens again if it is time.
  package func refreshTokenKeys() async {
    guard let tokens = credentials.tokens else { return }
    let (mark, now) = (tokens.mark, credentials.now())
    guard credentials.state.withLock({ $0.tokens.isDue(tokens, mark: mark, now: now) }) else {
      return
    }
    do throws(TokenKeysError) {
      try await loadTokenKeys()
    } catch {
      report(.keptTokenKeys(error))
    }
  }
}
