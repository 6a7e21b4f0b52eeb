import CollectionService

/// The heads of collections that were written lately, so that a write need not look them up: no
/// other process writes to the directory.
///
/// Changed while a transaction is under way, as the tables are; a transaction that fails, at
/// whatever step, empties it. So it never has what is not stored.
///
/// `@unchecked Sendable`: touched on the writer's queue only, inside of transactions.
final class HeadCache: @unchecked Sendable {
  /// Where a collection is, and at which version.
  struct Head {
    var id: Int64
    var version: VersionToken
    /// Why its version cannot be read; nil when it can.
    var damage: DamagedData?
  }

  private var heads: [CollectionKey: Head] = [:]

  /// The most heads that are kept, about 2 MB of them; past that it begins anew.
  private static let countMax = 8192

  subscript(key: CollectionKey) -> Head? {
    get { heads[key] }
    set {
      if heads.count >= Self.countMax { clear() }
      heads[key] = newValue
    }
  }

  func clear() { heads = [:] }
}
