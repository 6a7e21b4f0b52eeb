/// A growing buffer of bytes that is filled again and again without being zeroed or shrunk.
final class ByteBuffer {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 1024) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  func removeAll() { count = 0 }

  @inline(__always)
  func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count &+= 1
  }

  @inline(__always)
  func append(_ source: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length)
    (start + count).update(from: source, count: length)
    count &+= length
  }

  /// Lets `body` write up to `length` bytes; it returns how many it wrote.
  func append(upTo length: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    reserve(length)
    count += body(start + count)
  }

  @inline(__always)
  private func reserve(_ length: Int) {
    if capacity &- count < length { grow(length) }
  }

  @inline(never)
  private func grow(_ length: Int) {
    capacity = max(capacity * 2, count + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
