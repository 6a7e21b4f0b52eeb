/// A seeded hash of identities: equal identities have equal hashes, and collisions cannot be
/// constructed without knowing the seed.
@usableFromInline struct IdentityHash {
  @usableFromInline let seed: UInt64
  @usableFromInline let multiplier: UInt64
  /// Whether strings are hashed by `Hasher`, because one of them is not ASCII.
  @usableFromInline let isCanonical: Bool
  /// Whether plain identities are hashed by their bits instead of by `Hasher`.
  ///
  /// Equal ones may then have different hashes, so unmatched elements must be looked up again.
  @usableFromInline let isHint: Bool

  private static let processSeeds: (UInt64, UInt64) = {
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next() | 1)
  }()

  @usableFromInline init(isCanonical: Bool, isHint: Bool = false) {
    (seed, multiplier) = Self.processSeeds
    self.isCanonical = isCanonical
    self.isHint = isHint
  }

  /// Returns the hash, or `nil` for a non-ASCII string if `isCanonical` is `false`.
  @inlinable @inline(__always)
  func hash<Element: Diffable>(_ id: Element.DiffID, of type: Element.Type) -> UInt64? {
    switch Element.identityKind {
    case .bits: return unsafe hashBits(id)
    case .text:
      if isCanonical { return fold(UInt64(bitPattern: Int64(id.hashValue))) }
      return hashASCII(unsafe unsafeBitCast(id, to: String.self))
    case .any:
      if Element.identityIsPlain, isHint { return hashPlain(id) }
      return fold(UInt64(bitPattern: Int64(id.hashValue)))
    }
  }

  /// Hashes the bits of plain data, eight bytes at a time.
  @inlinable @inline(__always) func hashPlain<ID: Hashable>(_ id: ID) -> UInt64 {
    unsafe withUnsafeBytes(of: id) { bytes in
      var hash = seed
      var offset = 0
      while offset &+ 8 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        hash = mix(hash ^ word, by: multiplier)
        offset &+= 8
      }
      while offset < bytes.count {
        hash = mix(hash ^ UInt64(unsafe bytes[offset]), by: multiplier)
        offset &+= 1
      }
      return hash
    }
  }

  @inlinable @inline(__always) @unsafe func hashBits<ID: Hashable>(_ id: ID) -> UInt64 {
    switch MemoryLayout<ID>.size {
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

  /// Hashes eight bytes at a time; returns `nil` if a byte is not ASCII.
  @inlinable @inline(__always) func hashASCII(_ text: String) -> UInt64? {
    let answer = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe hashASCII($0) }
    return answer.flatMap(\.self)
  }

  @inlinable @inline(__always) @unsafe
  func hashASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    let count = bytes.count
    let raw = UnsafeRawBufferPointer(bytes)
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    var highBits: UInt64 = 0
    if count < 8 {
      for index in 0..<count { highBits = highBits &<< 8 | UInt64(unsafe bytes[index]) }
      hash = mix(hash ^ highBits, by: multiplier)
    } else {
      var offset = 0
      while offset &+ 8 < count {
        let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        highBits |= word
        hash = mix(hash ^ word, by: multiplier)
        offset &+= 8
      }
      // The last word overlaps the preceding one.
      let word = unsafe raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      highBits |= word
      hash = mix(hash ^ word, by: multiplier)
    }
    return highBits & 0x8080_8080_8080_8080 == 0 ? hash : nil
  }
}
