import Glibc
package import SnapshotJSON

/// The contents of a version: the writer's minified JSON, and the place of each piece in it.
///
/// Items are addressed by flat index, in section order. A version read with items elided shares the
/// buffer of the previous version and keeps what is new in a tail.
public struct Contents: Sendable {
  package struct Place {
    var offset: UInt32
    package var count: UInt32

    package init(offset: Int, count: Int) {
      self.offset = UInt32(offset)
      self.count = UInt32(count)
    }

    package init(_ slice: Snapshot.Slice) { self.init(offset: slice.offset, count: slice.count) }
  }

  let buffer: [UInt8]
  /// Bytes added later; their offsets continue after the end of `buffer`.
  var tail: [UInt8] = []
  let itemPlaces: [Place]
  let headerPlaces: [Place]
  let metaPlace: Place?
  /// Whether the buffer belongs to the previous version.
  var sharesBuffer = false

  package static let none = Contents(buffer: [], itemPlaces: [], headerPlaces: [], metaPlace: nil)

  /// The approximate size in bytes.
  public var byteCount: Int {
    buffer.count + tail.count + 8 * (itemPlaces.count + headerPlaces.count)
  }

  /// The memory that it takes in bytes, with the room that its arrays have to grow.
  var capacityBytes: Int {
    buffer.capacity + tail.capacity
      + MemoryLayout<Place>.stride * (itemPlaces.capacity + headerPlaces.capacity)
  }

  /// The bytes of all items, section headers and `meta`, as limits count them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  public var contentByteCount: Int {
    itemPlaces.reduce(0) { $0 + Int($1.count) } + headerPlaces.reduce(0) { $0 + Int($1.count) }
      + Int(metaPlace?.count ?? 0)
  }

  /// The bytes that are not shared with the previous version.
  var ownByteCount: Int { tail.count + (sharesBuffer ? 0 : buffer.count) }

  /// Whether the buffer is the same memory as that of other contents.
  func hasBuffer(of other: Contents) -> Bool {
    unsafe buffer.withUnsafeBufferPointer { mine in
      unsafe other.buffer.withUnsafeBufferPointer { unsafe mine.baseAddress == $0.baseAddress }
    }
  }

  /// The number of items.
  public var itemCount: Int { itemPlaces.count }

  /// An item's JSON object.
  public func item(at flatIndex: Int) -> ArraySlice<UInt8> { bytes(itemPlaces[flatIndex]) }

  /// A section's JSON object, without its items.
  public func header(ofSection index: Int) -> ArraySlice<UInt8> { bytes(headerPlaces[index]) }

  /// Whether a section's JSON object is available.
  package func hasHeader(ofSection index: Int) -> Bool {
    index < headerPlaces.count && headerPlaces[index].count > 0
  }

  /// The JSON of `meta`, if any.
  public var meta: ArraySlice<UInt8>? { metaPlace.map(bytes) }

  package func bytes(_ place: Place) -> ArraySlice<UInt8> {
    let (offset, count) = (Int(place.offset), Int(place.count))
    if offset < buffer.count { return buffer[offset..<offset + count] }
    return tail[offset - buffer.count..<offset - buffer.count + count]
  }
}

extension Contents {
  /// Creates the contents of a snapshot without elided items; a `meta` of `null` does not count.
  package init(_ snapshot: Snapshot, hasMeta: Bool = true) {
    self.init(
      buffer: snapshot.buffer.fitted, itemPlaces: snapshot.items.map { Place($0.json) },
      headerPlaces: snapshot.sections.map { Place($0.header) },
      metaPlace: hasMeta ? snapshot.meta.map(Place.init) : nil)
  }

  /// Throws if the contents exceed the limit of a collection.
  ///
  /// - Returns: Their size in bytes.
  /// - Throws: `limitPassed`.
  @discardableResult
  package func checkedByteCount(_ limits: ServiceLimits) throws(ServiceError) -> Int {
    let count = contentByteCount
    guard count <= limits.collectionBytesMax else { throw .limitPassed(.contents(limits)) }
    return count
  }
}

extension [UInt8] {
  /// The bytes, copied if their memory has much more room, as that for the white space and the escapes of a text.
  fileprivate var fitted: [UInt8] {
    guard capacity - count > count / 8 + 64 else { return self }
    var copy: [UInt8] = []
    copy.reserveCapacity(count)
    copy.append(contentsOf: self)
    return copy
  }
}

extension Contents {
  /// Pointers to the items, for comparing many of them.
  ///
  /// `@safe`: they are only made by `withItems`, for as long as it keeps the memory, and each place
  /// lies in it; an index is checked.
  @safe struct Items {
    fileprivate let buffer: UnsafePointer<UInt8>
    fileprivate let bufferCount: Int
    fileprivate let tail: UnsafePointer<UInt8>
    fileprivate let places: UnsafeBufferPointer<Place>

    var count: Int { unsafe places.count }

    @inline(__always)
    private func place(_ item: Int) -> Place {
      precondition(0..<count ~= item, "item \(item) of \(count)")
      return unsafe places[item]
    }

    @inline(__always)
    func byteCount(_ item: Int) -> Int { Int(place(item).count) }

    /// Whether an item is byte-identical to an item of other contents.
    @inline(__always)
    func isSame(_ item: Int, as other: Items, _ otherItem: Int) -> Bool {
      let (mine, theirs) = unsafe (bytes(item), other.bytes(otherItem))
      let count = byteCount(item)
      // Contents that share a buffer share most of their items.
      guard count == other.byteCount(otherItem) else { return false }
      return unsafe mine == theirs || memcmp(mine, theirs, count) == 0
    }

    /// Whether an item has exactly these bytes.
    @inline(__always)
    func isItem(_ item: Int, _ bytes: Span<UInt8>) -> Bool {
      guard byteCount(item) == bytes.count else { return false }
      return unsafe bytes.withUnsafeBytes { other in
        guard let start = other.baseAddress else { return true }
        return unsafe memcmp(self.bytes(item), start, other.count) == 0
      }
    }

    @inline(__always)
    func buffer(_ item: Int) -> UnsafeBufferPointer<UInt8> {
      unsafe UnsafeBufferPointer(start: bytes(item), count: byteCount(item))
    }

    @inline(__always)
    private func bytes(_ item: Int) -> UnsafePointer<UInt8> {
      let offset = Int(place(item).offset)
      return unsafe offset < bufferCount ? buffer + offset : tail + (offset - bufferCount)
    }
  }

  /// Calls `body` with access to the items, which must not escape; returns nil if there are no
  /// bytes.
  func withItems<R>(_ body: (Items) -> R) -> R? {
    unsafe buffer.withUnsafeBufferPointer { buffer in
      unsafe tail.withUnsafeBufferPointer { tail in
        unsafe itemPlaces.withUnsafeBufferPointer { places in
          // An empty array may not have an address; in that case no place refers to it.
          unsafe (buffer.baseAddress ?? tail.baseAddress).map { start in
            unsafe body(
              Items(
                buffer: start, bufferCount: buffer.count, tail: tail.baseAddress ?? start,
                places: places))
          }
        }
      }
    }
  }
}

/// Builds contents piece by piece; sections and their items must be added in order.
struct ContentsBuilder {
  /// Contents from which pieces can be kept; nil for contents with their own buffer.
  private let base: Contents?
  private var bytes: [UInt8] = []
  private var items: [Contents.Place] = []
  private var headers: [Contents.Place] = []
  private var meta: Contents.Place?

  /// Creates a builder of contents with their own buffer.
  init(byteCount: Int) {
    base = nil
    bytes.reserveCapacity(byteCount)
  }

  /// Creates a builder of contents that share a base's buffer and add to its tail.
  init(sharing base: Contents, addedBytes: Int, itemCount: Int) {
    self.base = base
    bytes.reserveCapacity(base.tail.count + addedBytes)
    bytes.append(contentsOf: base.tail)
    items.reserveCapacity(itemCount)
  }

  mutating func add(header json: ArraySlice<UInt8>) { headers.append(add(json)) }

  mutating func add(item json: ArraySlice<UInt8>) { items.append(add(json)) }

  mutating func add(meta json: ArraySlice<UInt8>) { meta = add(json) }

  /// Adds a header, unless the base has the same one at the same index.
  mutating func keepOrAdd(header json: ArraySlice<UInt8>) {
    let index = headers.count
    if let base, index < base.headerPlaces.count, base.header(ofSection: index) == json {
      headers.append(base.headerPlaces[index])
    } else {
      add(header: json)
    }
  }

  /// Adds `meta`, unless the base has the same.
  mutating func keepOrAdd(meta json: ArraySlice<UInt8>) {
    if let base, base.meta == json { meta = base.metaPlace } else { add(meta: json) }
  }

  /// Adds an item of the base.
  mutating func keep(item: Int) {
    if let base { items.append(base.itemPlaces[item]) }
  }

  /// Adds a range of items of the base.
  mutating func keep(items range: Range<Int>) {
    if let base { items.append(contentsOf: base.itemPlaces[range]) }
  }

  var contents: Contents {
    Contents(
      buffer: base?.buffer ?? bytes, tail: base == nil ? [] : bytes, itemPlaces: items,
      headerPlaces: headers, metaPlace: meta, sharesBuffer: base != nil)
  }

  private mutating func add(_ json: ArraySlice<UInt8>) -> Contents.Place {
    defer { bytes.append(contentsOf: json) }
    return Contents.Place(offset: (base?.buffer.count ?? 0) + bytes.count, count: json.count)
  }
}
