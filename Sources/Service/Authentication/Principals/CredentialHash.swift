import DeltaEngine
import SnapshotJSON

/// A credential by the hashes of its fields, of 128 bits each: nothing secret is a key of what is
/// remembered.
///
/// They are XXH3 with a seed of this process. To be taken for somebody else takes bytes with the hash of a
/// credential that one does not know, so that nothing depends on collisions being hard to find. It
/// allocates nothing, as SHA-256 of libcrypto does, and takes a fraction of its time.
struct CredentialHash: Hashable, Sendable {
  private let field: ContentHash?
  private let other: ContentHash?

  private static let seed = UInt64.random(in: 0...UInt64.max)

  /// The hash of the bytes of a credential, which may be in two fields.
  init(_ field: ArraySlice<UInt8>?, _ other: ArraySlice<UInt8>? = nil) {
    self.field = field.map { hash128($0, seed: Self.seed) }
    self.other = other.map { hash128($0, seed: Self.seed) }
  }
}

extension Dictionary {
  /// Keeps a value that is found again where it is missing.
  ///
  /// Without room for it, values that are no longer good go, or else all.
  mutating func keep(_ value: Value, _ key: Key, countMax: Int, where isGood: (Value) -> Bool) {
    if count >= countMax { self = filter { isGood($0.value) } }
    if count >= countMax { self = [:] }
    self[key] = value
  }
}
