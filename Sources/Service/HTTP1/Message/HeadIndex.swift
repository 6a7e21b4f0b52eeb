/// The 16-bit positions of the parts of a request's head.
///
/// It follows the head in the request's own buffer, after the field positions, so that a request is
/// three words, is passed in registers, and takes one allocation.
struct HeadIndex {
  var path: Range<Int> = 0..<0
  var query: Range<Int>?
  var authority: Range<Int>?
  var declaredLength: Int?
  /// Where the field positions begin, and how many there are.
  var fieldsOffset = 0
  var fieldCount = 0

  static let byteCount = 24
  /// Marks an absent position; heads are shorter (see ``RequestLimits``).
  private static let none: UInt64 = 0xFFFF

  init() {}

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

/// The position of one field in a head: four 16-bit offsets in one word.
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
  /// Creates a request's buffer: the head with field names lowercased, the field positions and the
  /// index.
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

  /// Loads the word at a byte offset of a request's buffer.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    let bytes = unsafe span.bytes
    precondition(offset >= 0 && offset &+ 8 <= bytes.byteCount)
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
  }
}
