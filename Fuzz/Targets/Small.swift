import VersionedCollections

/// Limits that short inputs reach.
enum Small {
  static let limits: ServiceLimits = {
    var limits = ServiceLimits()
    limits.itemsMax = 24
    limits.sectionsMax = 6
    limits.idBytesMax = 16
    limits.itemBytesMax = 256
    limits.depthMax = 10
    limits.editsMax = 12
    limits.inlineBodyBytesMax = 1 << 20
    limits.shardCount = 1
    return limits
  }()
}
