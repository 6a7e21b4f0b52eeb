/// A seeded hash of identities: equal identities have equal hashes, and collisions of bitwise ones
/// cannot be constructed without knowing the seed.
@usableFromInline struct IdentityHash {
  @usableFromInline let seed: UInt64
  @usableFromInline let multiplier: UInt64

  private static let processSeeds: (UInt64, UInt64) = {
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next() | 1)
  }()

  @usableFromInline init() { (seed, multiplier) = Self.processSeeds }

  /// Returns the hash: of the bits of a `BitwiseIdentity`, or else by `Hasher`.
  @inlinable @inline(__always)
  func hash<Element: Diffable>(_ id: Element.DiffID, of type: Element.Type) -> UInt64 {
    switch Element.identityIsBitwise ? MemoryLayout<Element.DiffID>.size : 0 {
    case 4: return fold(UInt64(unsafe unsafeBitCast(id, to: UInt32.self)))
    case 8: return fold(unsafe unsafeBitCast(id, to: UInt64.self))
    case 16:
      let words = unsafe TwoWords(id)
      // Both words at once, each with a secret, as in wyhash.
      return mix(words.first ^ seed, by: words.second ^ multiplier)
    default: return fold(UInt64(bitPattern: Int64(id.hashValue)))
    }
  }

  @inlinable @inline(__always)
  func fold(_ word: UInt64) -> UInt64 { mix(word ^ seed, by: multiplier) }

  @inlinable @inline(__always) func mix(_ word: UInt64, by factor: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}

extension Diffable {
  /// Compares identities like `==`, in the fastest way with the same result.
  @inlinable @inline(__always) static func isSame(_ one: DiffID, _ other: DiffID) -> Bool {
    guard identityIsBitwise, MemoryLayout<DiffID>.size == 16 else { return one == other }
    return unsafe TwoWords(one).isEqual(to: unsafe TwoWords(other))
  }
}

/// The sixteen bytes of a value as two words.
@usableFromInline struct TwoWords {
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  /// - Precondition: The value's size is 16.
  @inlinable @inline(__always) @unsafe init<Value>(_ value: Value) {
    (first, second) = unsafe unsafeBitCast(value, to: (UInt64, UInt64).self)
  }

  @inlinable @inline(__always) func isEqual(to other: TwoWords) -> Bool {
    (first ^ other.first) | (second ^ other.second) == 0
  }
}
