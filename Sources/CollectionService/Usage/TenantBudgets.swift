import Synchronization

/// What a client or a tenant stores.
public struct StoredSize: Hashable, Sendable {
  /// Collections.
  public var collections: Int
  /// Bytes of contents, as `limits.collectionBytesMax` counts them: of the newest versions.
  public var bytes: Int

  /// Creates a size.
  public init(collections: Int = 0, bytes: Int = 0) {
    (self.collections, self.bytes) = (collections, bytes)
  }

  static func + (one: StoredSize, other: StoredSize) -> StoredSize {
    StoredSize(
      collections: one.collections + other.collections, bytes: one.bytes + other.bytes)
  }

  static func - (one: StoredSize, other: StoredSize) -> StoredSize {
    one + StoredSize(collections: -other.collections, bytes: -other.bytes)
  }

  /// The size without what shrinks.
  fileprivate var growth: StoredSize {
    StoredSize(collections: max(0, collections), bytes: max(0, bytes))
  }
}

/// What each tenant may store; 0 for no limit.
public struct TenantLimits: Hashable, Sendable {
  /// What separates the tenant from the rest of a client's name; empty if each client is a tenant.
  public var separator = ""
  /// The most collections.
  public var collectionsMax = 0
  /// The most bytes of contents.
  public var bytesMax = 0

  /// No limits.
  public init() {}

  /// Whether there are any.
  public var areThere: Bool { collectionsMax + bytesMax > 0 }

  /// The tenant that a client belongs to.
  func tenant(of client: ResourceName) -> String {
    guard !separator.isEmpty, let end = client.text.firstRange(of: separator) else {
      return client.text
    }
    return String(client.text[..<end.lowerBound])
  }
}

/// What all tenants store, counted by each commit.
///
/// What a write will add is reserved before it is committed, because the clients of a tenant are on
/// several shards; what it removes is subtracted afterwards. A write that adds nothing is never
/// refused, not even when the limits have been lowered.
final class TenantBudgets: Sendable {
  let limits: TenantLimits
  private let sizes = Mutex<[String: StoredSize]>([:])

  init(_ limits: TenantLimits) { self.limits = limits }

  /// Adds what is stored at the start.
  func add(_ stored: [ResourceName: StoredSize]) {
    for (client, size) in stored { settle(client, reserved: StoredSize(), change: size) }
  }

  /// Reserves room for the growth by a change.
  ///
  /// - Returns: What was reserved.
  /// - Throws: `limitPassed`.
  func reserve(_ change: StoredSize, of client: ResourceName) throws(ServiceError) -> StoredSize {
    let growth = change.growth
    guard limits.areThere, growth != StoredSize() else { return StoredSize() }
    let tenant = limits.tenant(of: client)
    let passed = sizes.withLock { sizes -> PassedLimit? in
      let size = sizes[tenant, default: StoredSize()] + growth
      if let passed = limits.passed(by: size, growth) { return passed }
      sizes[tenant] = size
      return nil
    }
    if let passed { throw .limitPassed(passed) }
    return growth
  }

  /// Replaces what was reserved by what was stored in fact.
  func settle(_ client: ResourceName, reserved: StoredSize, change: StoredSize) {
    guard limits.areThere, reserved != change else { return }
    let tenant = limits.tenant(of: client)
    sizes.withLock { sizes in
      let size = sizes[tenant, default: StoredSize()] + change - reserved
      sizes[tenant] = size == StoredSize() ? nil : size
    }
  }
}

extension TenantLimits {
  /// The limit that a tenant would pass by growing to a size.
  fileprivate func passed(by size: StoredSize, _ growth: StoredSize) -> PassedLimit? {
    if collectionsMax > 0, growth.collections > 0, size.collections > collectionsMax {
      return PassedLimit(
        .collections, "", "the tenant may have \(collectionsMax) collections",
        limit: collectionsMax)
    }
    if bytesMax > 0, growth.bytes > 0, size.bytes > bytesMax {
      return PassedLimit(
        .bytes, "", "the tenant's collections may have \(bytesMax) bytes of contents together",
        limit: bytesMax)
    }
    return nil
  }
}
