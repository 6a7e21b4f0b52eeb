/// A credential by 128 bits: nothing secret is a key of what is remembered.
///
/// It is SipHash with a seed of this process. To be taken for somebody else takes bytes with the hash of a
/// credential that one does not know, so that nothing depends on collisions being hard to find. It
/// allocates nothing, as SHA-256 of swift-crypto does, and takes a fraction of its time.
struct CredentialHash: Hashable, Sendable {
  private let high: Int
  private let low: Int

  /// Random also where `Hasher` is told to be repeatable.
  private static let seed = SIMD2(UInt64.random(in: 0...UInt64.max), .random(in: 0...UInt64.max))

  /// The hash of the bytes of a credential, which may be in two fields.
  init(_ field: ArraySlice<UInt8>?, _ other: ArraySlice<UInt8>? = nil) {
    var hasher = Hasher()
    hasher.combine(Self.seed)
    Self.combine(field, &hasher)
    Self.combine(other, &hasher)
    var second = hasher
    second.combine(UInt8(1))
    low = hasher.finalize()
    high = second.finalize()
  }

  private static func combine(_ field: ArraySlice<UInt8>?, _ hasher: inout Hasher) {
    hasher.combine(field?.count ?? -1)
    unsafe field?.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}
