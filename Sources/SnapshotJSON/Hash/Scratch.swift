/// A growing buffer that is filled again and again without being zeroed or shrunk.
///
/// Unlike an array it has one owner and no reference count, so that a byte costs a compare and a
/// store in the loops that do little else.
struct Scratch<Element: BitwiseCopyable>: ~Copyable {
  private(set) var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(UnsafeBufferPointer(start: start, count: count))
  }

  /// Forgets the elements behind the first `count`.
  mutating func truncate(to count: Int) { self.count = count }

  @inline(__always)
  mutating func append(_ element: Element) {
    reserve(1)
    start[count] = element
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ source: UnsafePointer<Element>, _ length: Int) {
    reserve(length)
    (start + count).update(from: source, count: length)
    count &+= length
  }

  /// Lets `body` write up to `length` elements; it returns how many it wrote.
  mutating func append(upTo length: Int, _ body: (UnsafeMutablePointer<Element>) -> Int) {
    reserve(length)
    count += body(start + count)
  }

  @inline(__always)
  private mutating func reserve(_ length: Int) {
    if capacity &- count < length { grow(length) }
  }

  @inline(never)
  private mutating func grow(_ length: Int) {
    capacity = max(capacity * 2, count + length)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
