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

  /// Returns the hash: of the bits of a `BitwiseIdentity`, of the bytes of a string, or else by
  /// `Hasher`.
  @inlinable @inline(__always)
  func hash<Element: Diffable>(_ id: Element.DiffID, of type: Element.Type) -> UInt64 {
    if Element.DiffID.self == String.self { return hash(unsafe unsafeBitCast(id, to: String.self)) }
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

extension IdentityHash {
  /// Hashes the bytes of an ASCII string, and any other string by `Hasher`, which respects canonical
  /// equivalence.
  @inlinable @inline(__always) func hash(_ text: String) -> UInt64 {
    unsafe text.utf8.withContiguousStorageIfAvailable { unsafe hashASCII($0) }?.flatMap(\.self)
      ?? hashCanonically(text)
  }

  /// Hashes eight bytes at a time; returns `nil` if a byte is not ASCII.
  @inlinable @inline(__always) @unsafe
  func hashASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    let bytes = UnsafeRawBufferPointer(bytes)
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var highBits: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      highBits |= word
      hash = mix(hash ^ word, by: multiplier)
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest &<< 8 | UInt64(unsafe bytes[offset])
      offset &+= 1
    }
    highBits |= rest
    return highBits & 0x8080_8080_8080_8080 == 0 ? mix(hash ^ rest, by: multiplier) : nil
  }

  /// Hashes a string that is not ASCII.
  ///
  /// Of these only those with one of three characters can be equal to an ASCII string: the Greek
  /// question mark, the Greek grave accent and the Kelvin sign (Unicode, canonical singletons).
  @usableFromInline func hashCanonically(_ text: String) -> UInt64 {
    let spellings: [Unicode.Scalar: Unicode.Scalar] = [
      "\u{37E}": ";", "\u{1FEF}": "`", "\u{212A}": "K",
    ]
    var spelled = String(String.UnicodeScalarView(text.unicodeScalars.map { spellings[$0] ?? $0 }))
    let hash = spelled.withUTF8 { unsafe hashASCII($0) }
    return hash ?? fold(UInt64(bitPattern: Int64(text.hashValue)))
  }
}

extension Diffable {
  /// Compares identities like `==`, in the fastest way with the same result.
  @inlinable @inline(__always) static func isSame(_ one: DiffID, _ other: DiffID) -> Bool {
    let isText = DiffID.self == String.self
    guard isText || identityIsBitwise, MemoryLayout<DiffID>.size == 16 else { return one == other }
    if unsafe TwoWords(one).isEqual(to: unsafe TwoWords(other)) { return true }
    guard isText else { return false }
    return unsafe isSame(unsafeBitCast(one, to: String.self), unsafeBitCast(other, to: String.self))
  }

  /// Compares bytes; `==` decides if they differ and are not all ASCII.
  @inlinable @inline(__always) static func isSame(_ one: String, _ other: String) -> Bool {
    let answer = unsafe one.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { unsafe compare($0, bytes) }
    }
    return answer.flatMap(\.self).flatMap(\.self) ?? (one == other)
  }

  /// Compares texts of eight bytes or more; returns `nil` if their bytes do not determine equality.
  @inlinable @inline(__always) @unsafe static func compare(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool? {
    let last = one.count &- 8
    guard one.count == other.count, last >= 0 else { return nil }
    let (one, other) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
    var (difference, highBits): (UInt64, UInt64) = (0, 0)
    var offset = 0
    // The last word overlaps the preceding one.
    while true {
      let a = unsafe one.loadUnaligned(fromByteOffset: min(offset, last), as: UInt64.self)
      let b = unsafe other.loadUnaligned(fromByteOffset: min(offset, last), as: UInt64.self)
      difference |= a ^ b
      highBits |= a | b
      if offset >= last { break }
      offset &+= 8
    }
    if difference == 0 { return true }
    return highBits & 0x8080_8080_8080_8080 == 0 ? false : nil
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
