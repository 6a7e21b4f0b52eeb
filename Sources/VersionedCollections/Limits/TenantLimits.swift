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
  package func tenant(of client: ResourceName) -> String {
    guard !separator.isEmpty, let end = client.text.firstRange(of: separator) else {
      return client.text
    }
    return String(client.text[..<end.lowerBound])
  }
}
