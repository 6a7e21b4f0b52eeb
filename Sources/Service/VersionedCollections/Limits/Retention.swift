/// Limits on a collection's history; versions that exceed any of them are removed, oldest first.
public struct Retention: Hashable, Sendable {
  /// The most versions, including the head.
  public var versionsMax = 64
  /// The maximum age in seconds.
  public var seconds: Int64 = 7 * 86_400
  /// The most bytes of older versions, or the size of the contents if that is larger.
  public var bytesMin = 1 << 20

  /// Creates the defaults of `docs/protocol.md`.
  public init() {}
}
