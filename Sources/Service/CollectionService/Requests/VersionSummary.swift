public import VersionedCollections

/// A retained version.
public struct VersionSummary: Hashable, Sendable {
  /// The version.
  public var version: VersionToken
  /// When it was committed, in seconds since 1970.
  public var date: Int64
}
