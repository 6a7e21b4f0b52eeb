/// Where the keys of tokens come from, as a JWK set, and which tokens are good.
package struct TokenSource: Sendable {
  package enum Place: Sendable {
    /// A file, which is read again when it changes.
    case file(String)
    /// Something that is asked now and then, and when a token names a key that is not known.
    case fetched(@Sendable () async throws(TokenKeysError) -> [UInt8])
  }

  let place: Place
  let rules: TokenRules

  package init(_ place: Place, rules: TokenRules) {
    self.place = place
    self.rules = rules
  }

  /// Seconds after which a set is fetched again.
  static let refetchSeconds: Int64 = 300
  /// Seconds that lie between two fetches at least, whatever ids tokens name.
  static let unknownKeySeconds: Int64 = 60
  /// Seconds after which a fetch that failed is tried again.
  static let retrySeconds: Int64 = 10

  var mark: FileMark? {
    if case .file(let path) = place { FileMark(path) } else { nil }
  }

  func text() async throws(TokenKeysError) -> [UInt8] {
    switch place {
    case .fetched(let fetch): return try await fetch()
    case .file(let path):
      guard let bytes = fileBytes(path, bytesMax: TokenKeysLimits.bytesMax) else {
        throw .unreachable("it cannot be read, or has more than \(TokenKeysLimits.bytesMax) bytes")
      }
      return bytes
    }
  }
}

/// The keys of tokens, and when they were read.
struct TokenState {
  /// nil until a set was read.
  private(set) var keys: TokenKeys?
  var mark: FileMark?
  /// When they were fetched last, whatever came of it: seconds since 1970.
  var fetched: Int64?
  var hasFailed = false
  /// Whether a token has named a key that is not known since.
  var isWanting = false

  /// Takes other keys; those that are gone, and what they vouched for, are refused from now on.
  mutating func take(_ new: TokenKeys) {
    var new = new
    if let keys {
      new.keep(keys)
      for (id, key) in keys.keys where new.keys[id] !== key { key.withdraw() }
    }
    keys = new
  }

  /// Has them read again when it is asked next.
  mutating func expire() { (mark, fetched) = (nil, nil) }

  func isDue(_ source: TokenSource, mark: FileMark?, now: Int64) -> Bool {
    guard case .fetched = source.place else { return mark != self.mark }
    guard let fetched else { return true }
    if hasFailed { return now - fetched >= TokenSource.retrySeconds }
    return now - fetched
      >= (isWanting ? TokenSource.unknownKeySeconds : TokenSource.refetchSeconds)
  }
}
