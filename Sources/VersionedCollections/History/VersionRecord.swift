package import DeltaEngine

/// The metadata of a version.
package struct VersionRecord: Sendable {
  package var seq: Int
  var digest: ContentDigest
  /// The hash of `meta`; nil if there is none.
  package var meta: ContentHash?
  /// When it was committed, in seconds since 1970.
  package var date: Int64
}
