/// How identities of a type are compared and hashed; a constant after specialization.
@usableFromInline enum IdentityKind {
  /// As words: `BitwiseIdentity`.
  case bits
  /// As bytes if they are ASCII, else by `==` and `Hasher`, which respect canonical equivalence.
  case text
  /// By `==` and `Hasher`.
  case any
}

extension Diffable {
  /// Whether identities are plain data without declared bitwise equality, so that equal identities
  /// mostly, but not always, have equal bits.
  @inlinable static var identityIsPlain: Bool { identityKind == .any && _isPOD(DiffID.self) }

  /// How identities of this type are compared and hashed.
  @inlinable static var identityKind: IdentityKind {
    if identityIsBitwise { return .bits }
    return DiffID.self == String.self ? .text : .any
  }

  /// Compares identities like `==`, in the fastest way with the same result.
  @inlinable @inline(__always) static func isSame(_ one: DiffID, _ other: DiffID) -> Bool {
    switch identityKind {
    case .bits: unsafe isBitwiseSame(one, other)
    case .text: unsafe isSameText(one, other)
    case .any: one == other
    }
  }

  @inlinable @inline(__always) @unsafe
  static func isBitwiseSame(_ one: DiffID, _ other: DiffID) -> Bool {
    switch MemoryLayout<DiffID>.size {
    case 4: unsafe unsafeBitCast(one, to: UInt32.self) == unsafeBitCast(other, to: UInt32.self)
    case 8: unsafe unsafeBitCast(one, to: UInt64.self) == unsafeBitCast(other, to: UInt64.self)
    case 16:
      unsafe TwoWords(one).isEqual(to: unsafe TwoWords(other))
    default: one == other
    }
  }

  /// Returns the first byte of a string, or 0 if it is empty or not stored contiguously.
  ///
  /// - Precondition: `identityKind` is `text`.
  @inlinable @inline(__always) static func firstByte(of id: DiffID) -> UInt8 {
    let text = unsafe unsafeBitCast(id, to: String.self)
    return unsafe text.utf8.withContiguousStorageIfAvailable { unsafe $0.first ?? 0 } ?? 0
  }

  /// Compares bits, then bytes; `==` decides if the bytes differ and are not all ASCII.
  @inlinable @inline(__always) @unsafe
  static func isSameText(_ one: DiffID, _ other: DiffID) -> Bool {
    if unsafe TwoWords(one).isEqual(to: unsafe TwoWords(other)) { return true }
    let (one, other) = unsafe (
      unsafeBitCast(one, to: String.self), unsafeBitCast(other, to: String.self)
    )
    return compareBytes(one, other) ?? (one == other)
  }

  /// Compares the bytes of two strings; returns `nil` if they do not determine equality.
  @inlinable @inline(__always) static func compareBytes(_ one: String, _ other: String) -> Bool? {
    let answer = unsafe one.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { unsafe compare($0, bytes) }
    }
    return answer.flatMap(\.self).flatMap(\.self)
  }

  @inlinable @inline(__always) @unsafe static func compare(
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
