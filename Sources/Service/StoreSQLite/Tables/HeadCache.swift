import VersionedCollections

/// A cache of the heads of recently written collections, so that writes need not look them up.
///
/// It is valid because no other process writes to the directory. It is changed during transactions,
/// like the tables; if a transaction fails, it is cleared, so that it never contains uncommitted
/// heads.
///
/// `@unchecked Sendable`: it is used only on the writer's queue, inside transactions.
final class HeadCache: @unchecked Sendable {
  struct Head {
    var id: Int64
    var version: VersionToken
    /// Why the version cannot be read; nil if it can.
    var damage: DamagedData?
  }

  private var heads: [CollectionKey: Head] = [:]

  /// The most heads cached, about 2 MB; the cache is cleared when it is full.
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
