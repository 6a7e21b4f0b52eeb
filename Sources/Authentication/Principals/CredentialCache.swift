/// Who credentials stand for that were looked into, until they expire or are withdrawn.
struct CredentialCache {
  private var principals: [CredentialHash: Principal] = [:]

  /// The most credentials that are kept.
  static let countMax = 10_000

  /// How many there are.
  var count: Int { principals.count }

  /// Whom a credential stands for; nil when that is not known, or not any more.
  subscript(hash: CredentialHash) -> Principal? {
    guard let principal = principals[hash], !principal.isWithdrawn else { return nil }
    return principal
  }

  /// Remembers one.
  ///
  /// Where there is no room those that are over go, or else all: each is found again.
  mutating func keep(_ principal: Principal, _ hash: CredentialHash, now: Int64) {
    if principals.count >= Self.countMax {
      principals = principals.filter { !$1.hasExpired(now) && !$1.isWithdrawn }
    }
    if principals.count >= Self.countMax { principals = [:] }
    principals[hash] = principal
  }
}
