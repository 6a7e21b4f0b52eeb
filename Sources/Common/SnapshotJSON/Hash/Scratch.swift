/// A growable buffer that is reused without being zeroed or shrunk.
///
/// Unlike an array, it has a single owner and no reference count, so appending a byte costs a
/// comparison and a store.
@safe struct Scratch<Element: BitwiseCopyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    unsafe start = .allocate(capacity: capacity)
  }

  deinit { unsafe start.deallocate() }

  var isEmpty: Bool { count == 0 }

  @inline(__always)
  subscript(index: Int) -> Element {
    assert(0..<count ~= index, "element \(index) of \(count)")
    return unsafe start[index]
  }

  @inline(__always)
  func withElements<Result>(_ range: Range<Int>, _ body: (Span<Element>) -> Result) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
    return body(
      unsafe UnsafeBufferPointer(start: start + range.lowerBound, count: range.count).span)
  }

  /// Removes all but the first `count` elements.
  mutating func truncate(to count: Int) {
    precondition(0...self.count ~= count, "\(count) of \(self.count)")
    self.count = count
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    reserve(1)
    unsafe start[count] = element
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ elements: Span<Element>) {
    let added = elements.count
    reserve(added)
    unsafe elements.withUnsafeBufferPointer { elements in
      guard let source = elements.baseAddress else { return }
      unsafe (start + count).update(from: source, count: added)
    }
    count &+= added
  }

  /// The number of elements in a block.
  static var blockSize: Int { 64 }

  /// Appends the first `count` elements of a block, whose size is known to the compiler.
  @inline(__always)
  mutating func append(block: Span<Element>, count added: Int) {
    assert(block.count == Self.blockSize && 0...block.count ~= added, "\(added) of \(block.count)")
    reserve(Self.blockSize)
    unsafe block.withUnsafeBufferPointer { block in
      guard let source = block.baseAddress else { return }
      unsafe (start + count).initialize(from: source, count: Self.blockSize)
    }
    count &+= added
  }

  /// Sorts the elements from an index on; few elements by insertion, which is best if nearly
  /// sorted.
  ///
  /// It is not `mutating`, so that the comparison may access the type that contains this buffer.
  func sort(from base: Int, _ isBefore: (Element, Element) -> Bool) {
    precondition(0...count ~= base, "\(base) of \(count)")
    var elements = unsafe UnsafeMutableBufferPointer(start: start + base, count: count - base)
    guard elements.count <= 24 else { return unsafe elements.sort(by: isBefore) }
    for sorted in stride(from: 1, to: elements.count, by: 1) {
      let element = unsafe elements[sorted]
      var at = sorted
      while at > 0, isBefore(element, unsafe elements[at &- 1]) {
        unsafe elements[at] = unsafe elements[at &- 1]
        at &-= 1
      }
      unsafe elements[at] = element
    }
  }

  @inline(__always)
  private mutating func reserve(_ length: Int) {
    if capacity &- count < length { grow(length) }
  }

  @inline(never)
  private mutating func grow(_ length: Int) {
    capacity = max(capacity * 2, count + length)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    unsafe larger.update(from: start, count: count)
    unsafe start.deallocate()
    unsafe start = larger
  }
}
