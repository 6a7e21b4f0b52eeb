/// A growable output buffer whose memory is reused.
///
/// A leaner `[UInt8]` for the path of every response: appending is a check and a copy. The unsafe
/// code is sound because the buffer is the only owner of its memory, positions never exceed
/// `count`, `count` never exceeds `capacity`, and no pointer outlives a call.
@safe
public struct OutputBuffer: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  /// The number of bytes.
  public private(set) var count = 0

  /// Creates an empty buffer.
  public init(capacity: Int) {
    precondition(capacity > 0, "capacity \(capacity)")
    unsafe start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
  }

  deinit { unsafe start.deallocate() }

  /// Whether the buffer is empty.
  public var isEmpty: Bool { count == 0 }

  /// Removes all bytes and keeps at most `capacityMax` bytes of memory.
  public mutating func removeAll(keepingCapacityMax capacityMax: Int) {
    count = 0
    guard capacity > capacityMax else { return }
    resize(to: max(1, capacityMax))
  }

  /// Calls a closure with the bytes.
  public func withBytes<R>(_ body: (Span<UInt8>) -> R) -> R {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return unsafe bytes.withMemoryRebound(to: UInt8.self) { body(unsafe $0.span) }
  }

  /// Appends the bytes of an array.
  @inline(__always)
  public mutating func append(_ bytes: [UInt8]) {
    append(bytes.span)
  }

  /// Appends bytes.
  public mutating func append(_ bytes: Span<UInt8>) {
    reserve(bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      guard let from = source.baseAddress else { return }
      unsafe (start + count).copyMemory(from: from, byteCount: source.count)
    }
    count &+= bytes.count
  }

  /// Appends a text.
  public mutating func append(_ text: StaticString) {
    let size = text.utf8CodeUnitCount
    reserve(size)
    unsafe (start + count).copyMemory(from: text.utf8Start, byteCount: size)
    count &+= size
  }

  /// Appends a non-negative number in decimal.
  public mutating func append(decimal number: Int) {
    var rest = UInt(number)
    var digits = 1
    var power: UInt = 10
    while digits < 19, rest >= power {
      digits += 1
      power *= 10
    }
    reserve(digits)
    for position in stride(from: count &+ digits &- 1, through: count, by: -1) {
      unsafe start.storeBytes(
        of: 0x30 &+ UInt8(truncatingIfNeeded: rest % 10), toByteOffset: position, as: UInt8.self)
      rest /= 10
    }
    count &+= digits
  }

  /// Appends a non-negative number in hexadecimal.
  public mutating func append(hexadecimal number: Int) {
    let digits = max(1, (Int.bitWidth - number.leadingZeroBitCount + 3) / 4)
    reserve(digits)
    for shift in stride(from: 4 * (digits - 1), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: number &>> shift & 0xF)
      let character = digit < 10 ? 0x30 &+ digit : 0x57 &+ digit
      unsafe start.storeBytes(of: character, toByteOffset: count, as: UInt8.self)
      count &+= 1
    }
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if capacity &- count < more { resize(to: max(2 * capacity, count + more)) }
  }

  private mutating func resize(to size: Int) {
    let target = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe target.copyMemory(from: start, byteCount: count)
    unsafe start.deallocate()
    unsafe start = target
    capacity = size
  }
}
