/// Where everything of a request's head is in its bytes: all positions are of 16 bits.
///
/// It follows the bytes in the request's own buffer, the places of the fields first, so that a
/// request is three words, is passed in registers, and takes one allocation.
struct HeadIndex {
  var path: Range<Int> = 0..<0
  var query: Range<Int>?
  var authority: Range<Int>?
  var declaredLength: Int?
  /// Where the places of the fields begin, and how many there are.
  var fieldsOffset = 0
  var fieldCount = 0

  static let byteCount = 24
  /// No position: heads are shorter (see RequestLimits).
  private static let none: UInt64 = 0xFFFF

  init() {}

  /// Packs the index into words.
  var words: (UInt64, UInt64, UInt64) {
    let query = Self.pack(query)
    let authority = Self.pack(authority)
    return (
      Self.pack(path) | query &<< 32,
      authority | UInt64(fieldsOffset) &<< 32 | UInt64(fieldCount) &<< 48,
      declaredLength.map { UInt64($0) } ?? .max
    )
  }

  private static func pack(_ range: Range<Int>?) -> UInt64 {
    guard let range else { return none | none &<< 16 }
    return UInt64(range.lowerBound) | UInt64(range.upperBound) &<< 16
  }

  /// Unpacks two positions from the low half of a word.
  @inline(__always)
  static func range(_ word: UInt64) -> Range<Int> {
    Int(word & 0xFFFF)..<Int(word &>> 16 & 0xFFFF)
  }

  @inline(__always)
  static func optionalRange(_ word: UInt64) -> Range<Int>? {
    word & 0xFFFF == none ? nil : range(word)
  }
}

/// Where one field is in a head's bytes: four positions in one word.
struct FieldSlot {
  var bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  init(name: Range<Int>, value: Range<Int>) {
    bits =
      UInt64(name.lowerBound) | UInt64(name.upperBound) &<< 16
      | UInt64(value.lowerBound) &<< 32 | UInt64(value.upperBound) &<< 48
  }

  var name: Range<Int> { HeadIndex.range(bits) }
  var value: Range<Int> { HeadIndex.range(bits &>> 32) }

  static let byteCount = 8
}

extension [UInt8] {
  /// Makes the buffer of a request: a head's bytes with field names in lower case, and the index.
  static func head(
    _ bytes: Span<UInt8>, _ slots: Span<FieldSlot>, _ index: HeadIndex
  ) -> [UInt8] {
    let count = bytes.count
    let size = count + slots.count * FieldSlot.byteCount + HeadIndex.byteCount
    var storage: [UInt8] = []
    storage.append(addingCapacity: size) { target in
      unsafe target.withUnsafeMutableBufferPointer { buffer, initialized in
        unsafe bytes.withUnsafeBufferPointer { _ = unsafe buffer.initialize(from: $0) }
        let words = UnsafeMutableRawBufferPointer(buffer)
        var end = count
        for position in slots.indices {
          let slot = slots[position]
          for index in slot.name { unsafe buffer[index] = lowercased(buffer[index]) }
          unsafe words.storeBytes(of: slot.bits, toByteOffset: end, as: UInt64.self)
          end &+= FieldSlot.byteCount
        }
        let (first, second, third) = index.words
        unsafe words.storeBytes(of: first, toByteOffset: end, as: UInt64.self)
        unsafe words.storeBytes(of: second, toByteOffset: end &+ 8, as: UInt64.self)
        unsafe words.storeBytes(of: third, toByteOffset: end &+ 16, as: UInt64.self)
        initialized = size
      }
    }
    return storage
  }

  /// Reads a word of a request's buffer.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    let bytes = unsafe span.bytes
    precondition(offset >= 0 && offset &+ 8 <= bytes.byteCount)
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
  }
}
