/// An identity whose `==` is equality of its bits: no padding, no reference, no second spelling of
/// the same value.
///
/// The engine compares and hashes such identities as words, some ten times as fast as through
/// `Hasher`. Integers conform; an app declares what it knows of its own types and of Foundation's:
///
/// ```swift
/// extension UUID: @retroactive BitwiseIdentity {}
/// ```
public protocol BitwiseIdentity: Hashable {}

extension Int: BitwiseIdentity {}
extension Int8: BitwiseIdentity {}
extension Int16: BitwiseIdentity {}
extension Int32: BitwiseIdentity {}
extension Int64: BitwiseIdentity {}
extension UInt: BitwiseIdentity {}
extension UInt8: BitwiseIdentity {}
extension UInt16: BitwiseIdentity {}
extension UInt32: BitwiseIdentity {}
extension UInt64: BitwiseIdentity {}

/// How identities of a type are compared and hashed; constant for a type, folded when specialised.
@usableFromInline
enum IdentityKind {
  /// As words: `BitwiseIdentity`.
  case bits
  /// As bytes while they are ASCII, else by `==` and `Hasher`, which know canonical equivalence.
  case text
  /// By `==` and `Hasher`.
  case any
}

extension Diffable {
  /// Whether identities are plain data of which the engine knows no more: the same bits are then
  /// mostly, but not always, what makes two of them equal.
  @inlinable static var identityIsPlain: Bool { identityKind == .any && _isPOD(DiffID.self) }

  /// How this type's identities are compared and hashed.
  @inlinable static var identityKind: IdentityKind {
    if identityIsBitwise { return .bits }
    return DiffID.self == String.self ? .text : .any
  }

  /// `==`, by the shortest way that gives the same answer.
  @inlinable
  @inline(__always)
  static func isSame(_ one: DiffID, _ other: DiffID) -> Bool {
    switch identityKind {
    case .bits: unsafe isBitwiseSame(one, other)
    case .text: unsafe isSameText(one, other)
    case .any: one == other
    }
  }

  @inlinable
  @inline(__always)
  @unsafe
  static func isBitwiseSame(_ one: DiffID, _ other: DiffID) -> Bool {
    switch MemoryLayout<DiffID>.size {
    case 4: unsafe unsafeBitCast(one, to: UInt32.self) == unsafeBitCast(other, to: UInt32.self)
    case 8: unsafe unsafeBitCast(one, to: UInt64.self) == unsafeBitCast(other, to: UInt64.self)
    case 16:
      unsafe TwoWords(one).isEqual(to: unsafe TwoWords(other))
    default: one == other
    }
  }

  /// Equal bits are equal strings; else equal bytes are; else `==` decides unless all is ASCII.
  @inlinable
  @inline(__always)
  @unsafe
  static func isSameText(_ one: DiffID, _ other: DiffID) -> Bool {
    if unsafe TwoWords(one).isEqual(to: unsafe TwoWords(other)) { return true }
    let (one, other) = unsafe (
      unsafeBitCast(one, to: String.self), unsafeBitCast(other, to: String.self)
    )
    return compareBytes(one, other) ?? (one == other)
  }

  /// Whether two strings have the same bytes; `nil` where that does not tell whether they are equal.
  @inlinable
  @inline(__always)
  static func compareBytes(_ one: String, _ other: String) -> Bool? {
    let answer = unsafe one.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { unsafe compare($0, bytes) }
    }
    return answer.flatMap(\.self).flatMap(\.self)
  }

  @inlinable
  @inline(__always)
  @unsafe
  static func compare(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool? {
    let count = one.count
    guard count == other.count, count >= 8 else { return nil }
    let (one, other) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
    let last = count &- 8
    let a = unsafe one.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    let b = unsafe other.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    var difference = a ^ b
    var highBits = a | b
    var offset = 0
    while offset < last {
      let a = unsafe one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let b = unsafe other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      difference |= a ^ b
      highBits |= a | b
      offset &+= 8
    }
    if difference == 0 { return true }
    return highBits & 0x8080_8080_8080_8080 == 0 ? false : nil
  }
}

/// Sixteen bytes of a value as two words.
@usableFromInline
struct TwoWords {
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  /// - Precondition: The value's size is 16.
  @inlinable
  @inline(__always)
  @unsafe
  init<Value>(_ value: Value) {
    (first, second) = unsafe unsafeBitCast(value, to: (UInt64, UInt64).self)
  }

  @inlinable
  @inline(__always)
  func isEqual(to other: TwoWords) -> Bool {
    (first ^ other.first) | (second ^ other.second) == 0
  }
}

/// A seeded hash of identities: equal identities have equal hashes, and nobody who does not know
/// the seed can make many different ones collide.
@usableFromInline
struct IdentityHash {
  @usableFromInline let seed: UInt64
  @usableFromInline let multiplier: UInt64
  /// Whether strings are hashed by `Hasher`, since one of them was not ASCII.
  @usableFromInline let isCanonical: Bool
  /// Whether plain identities are hashed by their bits instead of by `Hasher`: equal ones may then
  /// have different hashes, so that what is not found must be looked for again.
  @usableFromInline let isHint: Bool

  private static let processSeeds: (UInt64, UInt64) = {
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next() | 1)
  }()

  @usableFromInline
  init(isCanonical: Bool, isHint: Bool = false) {
    (seed, multiplier) = Self.processSeeds
    self.isCanonical = isCanonical
    self.isHint = isHint
  }

  /// The hash, or `nil` for a string that is not ASCII while `isCanonical` is false.
  @inlinable
  @inline(__always)
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

  /// The bits of plain data, eight bytes at a time.
  @inlinable
  @inline(__always)
  func hashPlain<ID: Hashable>(_ id: ID) -> UInt64 {
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

  @inlinable
  @inline(__always)
  @unsafe
  func hashBits<ID: Hashable>(_ id: ID) -> UInt64 {
    switch MemoryLayout<ID>.size {
    case 4: return fold(UInt64(unsafe unsafeBitCast(id, to: UInt32.self)))
    case 8: return fold(unsafe unsafeBitCast(id, to: UInt64.self))
    case 16:
      let words = unsafe TwoWords(id)
      return fold(words.first ^ mix(words.second ^ multiplier, by: seed | 1))
    default: return fold(UInt64(bitPattern: Int64(id.hashValue)))
    }
  }

  @inlinable
  @inline(__always)
  func fold(_ word: UInt64) -> UInt64 { mix(word ^ seed, by: multiplier) }

  @inlinable
  @inline(__always)
  func mix(_ word: UInt64, by factor: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }

  /// Eight bytes at a time; `nil` when a byte is not ASCII.
  @inlinable
  @inline(__always)
  func hashASCII(_ text: String) -> UInt64? {
    let answer = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe hashASCII($0) }
    return answer.flatMap(\.self)
  }

  @inlinable
  @inline(__always)
  @unsafe
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
      // The last word overlaps the one before it.
      let word = unsafe raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      highBits |= word
      hash = mix(hash ^ word, by: multiplier)
    }
    return highBits & 0x8080_8080_8080_8080 == 0 ? hash : nil
  }
}
