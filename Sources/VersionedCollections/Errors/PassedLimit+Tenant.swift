extension TenantLimits {
  /// The limit that a tenant would pass by growing to a size.
  package func passed(by size: StoredSize, _ growth: StoredSize) -> PassedLimit? {
    if collectionsMax > 0, growth.collections > 0, size.collections > collectionsMax {
      return PassedLimit(
        .collections, "", "the tenant may have \(collectionsMax) collections",
        limit: collectionsMax,
        remaining: max(0, collectionsMax - (size.collections - growth.collections)))
    }
    if bytesMax > 0, growth.bytes > 0, size.bytes > bytesMax {
      return PassedLimit(
        .bytes, "", "the tenant's collections may have \(bytesMax) bytes of contents together",
        limit: bytesMax, remaining: max(0, bytesMax - (size.bytes - growth.bytes)))
    }
    return nil
  }
}
