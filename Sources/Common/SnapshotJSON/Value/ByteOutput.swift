#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An output buffer of fixed capacity; appending beyond it traps.
@safe struct ByteOutput: ~Copyable {
  private let start: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  private let capacity: Int

  fileprivate init(_ start: UnsafeMutableBufferPointer<UInt8>) {
    unsafe self.start = start
    capacity = start.count
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    precondition(count < capacity, "no room behind \(count) bytes")
    unsafe start[count] = byte
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= capacity &- count, "no room behind \(count) bytes")
    unsafe bytes.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
    count &+= bytes.count
  }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append($0.span) }
  }

  /// Appends a copy of bytes already in the output.
  mutating func append(copyOf range: Range<Int>) {
    precondition(range.upperBound <= count && range.count <= capacity - count, "\(range)")
    unsafe rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[range]))
    count += range.count
  }

  @inline(__always)
  func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
    return body(unsafe UnsafeBufferPointer(rebasing: start[range]).span)
  }

  func text(_ range: Range<Int>) -> String {
    withBytes(range) { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  func isEqual(_ lhs: Range<Int>, _ rhs: Range<Int>) -> Bool {
    precondition(max(lhs.upperBound, rhs.upperBound) <= count, "\(lhs) \(rhs)")
    guard lhs.count == rhs.count else { return false }
    guard let base = unsafe start.baseAddress else { return true }
    return unsafe memcmp(base + lhs.lowerBound, base + rhs.lowerBound, lhs.count) == 0
  }

  private var raw: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start) }

  private var rest: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(start)[count...])
  }
}

extension [UInt8] {
  /// Creates an array of the bytes that `body` appends, at most `capacity`.
  init(capacity: Int, filledBy body: (inout ByteOutput) -> Void) {
    unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
      var output = unsafe ByteOutput(buffer)
      body(&output)
      count = output.count
    }
  }
}
