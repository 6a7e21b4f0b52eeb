/// The elements of a list, without a bounds check in release builds.
///
/// Invariant: the array whose storage this is stays alive and unchanged while this is used. Whoever
/// makes one holds that array: see `Matcher`.
@usableFromInline
@safe
struct Elements<Element>: BitwiseCopyable {
  @usableFromInline let base: UnsafePointer<Element>
  @usableFromInline let count: Int

  @inlinable
  @unsafe
  init(_ buffer: UnsafeBufferPointer<Element>) {
    // An empty array has no storage; the pointer is then never read.
    unsafe base =
      unsafe buffer.baseAddress
      ?? UnsafePointer(bitPattern: MemoryLayout<Element>.alignment)
      .unsafelyUnwrapped
    count = buffer.count
  }

  /// No elements.
  @inlinable static var none: Elements {
    unsafe Elements(UnsafeBufferPointer(start: nil, count: 0))
  }

  /// The elements from an index on.
  ///
  /// - Precondition: `index <= count`.
  @inlinable
  @inline(__always)
  func suffix(from index: Int) -> Elements {
    assert(index >= 0 && index <= count)
    return unsafe Elements(base: base + index, count: count &- index)
  }

  @inlinable
  @unsafe
  init(base: UnsafePointer<Element>, count: Int) {
    unsafe self.base = unsafe base
    self.count = count
  }

  @inlinable subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress {
      assert(index >= 0 && index < count)
      return unsafe base + index
    }
  }
}

extension Elements {
  /// Whether elements are plain data.
  @inlinable static var comparesBits: Bool { _isPOD(Element.self) }

  /// Whether the bits of the first `count` elements are those of another list's.
  ///
  /// - Precondition: `comparesBits`; `count` is a multiple of 8 and within both.
  @inlinable
  @inline(__always)
  func hasEqualBits(_ other: Elements, count: Int) -> Bool {
    let wordCount = count &* MemoryLayout<Element>.stride / MemoryLayout<UInt64>.size
    let one = unsafe UnsafeRawPointer(base)
    let another = unsafe UnsafeRawPointer(other.base)
    var difference: UInt64 = 0
    for word in 0..<wordCount {
      difference |=
        unsafe one.loadUnaligned(fromByteOffset: word &<< 3, as: UInt64.self)
        ^ another.loadUnaligned(fromByteOffset: word &<< 3, as: UInt64.self)
    }
    return difference == 0
  }

  /// Whether the bits of an element are those of another list's.
  ///
  /// - Precondition: `comparesBits`.
  @inlinable
  @inline(__always)
  func hasEqualBits(_ other: Elements, at index: Int) -> Bool {
    let one = unsafe UnsafeRawPointer(base + index)
    let another = unsafe UnsafeRawPointer(other.base + index)
    let stride = MemoryLayout<Element>.stride
    var difference: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= stride {
      difference |=
        unsafe one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        ^ another.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    if offset &+ 4 <= stride {
      difference |= unsafe UInt64(
        one.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          ^ another.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      offset &+= 4
    }
    while offset < stride {
      difference |= unsafe UInt64(
        one.load(fromByteOffset: offset, as: UInt8.self)
          ^ another.load(fromByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
    return difference == 0
  }
}
