import Glibc
import SnapshotJSON

/// The contents of one version: the writer's own bytes, minified, and where each piece is in them.
///
/// Items are addressed by their flat index, section after section. A version that was read beside
/// the one before shares its buffer, and has what is new in a tail.
public struct Contents: Sendable {
  struct Place {
    var offset: UInt32
    var count: UInt32

    init(offset: Int, count: Int) {
      self.offset = UInt32(offset)
      self.count = UInt32(count)
    }

    init(_ slice: Snapshot.Slice) { self.init(offset: slice.offset, count: slice.count) }
  }

  let buffer: [UInt8]
  /// What came later; offsets go on here from the buffer's end.
  let tail: [UInt8]
  let itemPlaces: [Place]
  let headerPlaces: [Place]
  let metaPlace: Place?
  /// Whether the buffer is that of the version before.
  let sharesBuffer: Bool

  /// The contents of a snapshot; its buffer is shared, not copied.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot, nothing left out.
  ///   - hasMeta: Whether its `meta` counts; `null` does not.
  init(_ snapshot: Snapshot, hasMeta: Bool = true) {
    self.init(
      buffer: snapshot.buffer, itemPlaces: snapshot.items.map { Place($0.json) },
      headerPlaces: snapshot.sections.map { Place($0.header) },
      metaPlace: hasMeta ? snapshot.meta.map(Place.init) : nil)
  }

  init(
    buffer: [UInt8], tail: [UInt8] = [], itemPlaces: [Place], headerPlaces: [Place],
    metaPlace: Place?, sharesBuffer: Bool = false
  ) {
    self.buffer = buffer
    self.tail = tail
    self.itemPlaces = itemPlaces
    self.headerPlaces = headerPlaces
    self.metaPlace = metaPlace
    self.sharesBuffer = sharesBuffer
  }

  /// No contents: for those who want structures only.
  static let none = Contents(buffer: [], itemPlaces: [], headerPlaces: [], metaPlace: nil)

  /// About how much memory they take.
  public var byteCount: Int {
    buffer.count + tail.count + 8 * (itemPlaces.count + headerPlaces.count)
  }

  /// The bytes of all items, of the sections' headers and of `meta`, as limits count them.
  ///
  /// - Complexity: O(n) in the items.
  public var contentByteCount: Int {
    itemPlaces.reduce(0) { $0 + Int($1.count) } + headerPlaces.reduce(0) { $0 + Int($1.count) }
      + Int(metaPlace?.count ?? 0)
  }

  /// The bytes that it does not share with the version that it was read beside.
  var ownByteCount: Int { tail.count + (sharesBuffer ? 0 : buffer.count) }

  /// The number of items.
  public var itemCount: Int { itemPlaces.count }

  /// An item's JSON object.
  public func item(at flatIndex: Int) -> ArraySlice<UInt8> { bytes(itemPlaces[flatIndex]) }

  /// A section's JSON object, without its items.
  public func header(ofSection index: Int) -> ArraySlice<UInt8> { bytes(headerPlaces[index]) }

  /// The collection's own content beside the sections.
  public var meta: ArraySlice<UInt8>? { metaPlace.map(bytes) }

  /// A section's JSON object with its items.
  func section(_ index: Int, items: Range<Int>) -> [UInt8] {
    // A header always has a member, its id: so there is something to put a comma behind.
    var json = Array(header(ofSection: index).dropLast())
    json.append(contentsOf: ",\"items\":[".utf8)
    for flat in items {
      if flat > items.lowerBound { json.append(UInt8(ascii: ",")) }
      json.append(contentsOf: item(at: flat))
    }
    json.append(contentsOf: "]}".utf8)
    return json
  }

  /// The bytes at a place.
  func bytes(_ place: Place) -> ArraySlice<UInt8> {
    let (offset, count) = (Int(place.offset), Int(place.count))
    if offset < buffer.count { return buffer[offset..<offset + count] }
    return tail[offset - buffer.count..<offset - buffer.count + count]
  }
}

extension Contents {
  /// Checks the contents against the limit of a collection.
  ///
  /// - Returns: Their bytes.
  /// - Throws: `limitPassed`.
  @discardableResult
  func checkedByteCount(_ limits: ServiceLimits) throws(ServiceError) -> Int {
    let count = contentByteCount
    guard count <= limits.collectionBytesMax else { throw .limitPassed(.contents(limits)) }
    return count
  }
}

extension Contents {
  /// The items of contents, for those who compare many of them.
  struct Items {
    fileprivate let buffer: UnsafePointer<UInt8>
    fileprivate let bufferCount: Int
    fileprivate let tail: UnsafePointer<UInt8>
    fileprivate let places: UnsafeBufferPointer<Place>

    var count: Int { places.count }

    @inline(__always)
    func byteCount(_ item: Int) -> Int { Int(places[item].count) }

    /// Whether an item has the very bytes that an item of other contents has.
    @inline(__always)
    func isSame(_ item: Int, as other: Items, _ otherItem: Int) -> Bool {
      let (mine, theirs) = (bytes(item), other.bytes(otherItem))
      let count = byteCount(item)
      // Contents that share a buffer mostly share their items.
      return count == other.byteCount(otherItem)
        && (mine == theirs || memcmp(mine, theirs, count) == 0)
    }

    /// Whether an item has these very bytes.
    func isItem(_ item: Int, _ bytes: Span<UInt8>) -> Bool {
      byteCount(item) == bytes.count
        && bytes.withUnsafeBytes { other in
          other.baseAddress.map { memcmp(self.bytes(item), $0, other.count) == 0 } ?? true
        }
    }

    /// An item's bytes.
    @inline(__always)
    func buffer(_ item: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(start: bytes(item), count: byteCount(item))
    }

    @inline(__always)
    func bytes(_ item: Int) -> UnsafePointer<UInt8> {
      let offset = Int(places[item].offset)
      return offset < bufferCount ? buffer + offset : tail + (offset - bufferCount)
    }
  }

  /// Gives access to the items, as long as `body` runs; nil when there are none.
  func withItems<R>(_ body: (Items) -> R) -> R? {
    buffer.withUnsafeBufferPointer { buffer in
      tail.withUnsafeBufferPointer { tail in
        itemPlaces.withUnsafeBufferPointer { places in
          // An empty array may have no address; then no place is in it either.
          (buffer.baseAddress ?? tail.baseAddress).map { start in
            body(
              Items(
                buffer: start, bufferCount: buffer.count, tail: tail.baseAddress ?? start,
                places: places))
          }
        }
      }
    }
  }
}

/// Puts contents together piece by piece, sections with their items in order.
struct ContentsBuilder {
  /// What pieces may be kept of; none for contents in one buffer of their own.
  private let base: Contents?
  /// Whether the base is the contents of the version before.
  private let isBaseKept: Bool
  private var bytes: [UInt8] = []
  private var items: [Contents.Place] = []
  private var headers: [Contents.Place] = []
  private var meta: Contents.Place?

  /// Contents in a buffer of their own.
  init(byteCount: Int) {
    base = nil
    isBaseKept = false
    bytes.reserveCapacity(byteCount)
  }

  /// Contents that share the buffer of others, and have what is added in their tail.
  init(sharing base: Contents, addedBytes: Int, itemCount: Int, isBaseKept: Bool) {
    self.base = base
    self.isBaseKept = isBaseKept
    bytes.reserveCapacity(base.tail.count + addedBytes)
    bytes.append(contentsOf: base.tail)
    items.reserveCapacity(itemCount)
  }

  mutating func add(header json: ArraySlice<UInt8>) { headers.append(add(json)) }

  mutating func add(item json: ArraySlice<UInt8>) { items.append(add(json)) }

  mutating func add(meta json: ArraySlice<UInt8>) { meta = add(json) }

  /// Adds a header, unless the base has it at the same index.
  mutating func keepOrAdd(header json: ArraySlice<UInt8>) {
    let index = headers.count
    if let base, index < base.headerPlaces.count, base.header(ofSection: index) == json {
      headers.append(base.headerPlaces[index])
    } else {
      add(header: json)
    }
  }

  /// Adds `meta`, unless the base has it.
  mutating func keepOrAdd(meta json: ArraySlice<UInt8>) {
    if let base, base.meta == json { meta = base.metaPlace } else { add(meta: json) }
  }

  /// Takes items of the base as they are.
  mutating func keep(items range: Range<Int>) {
    if let base { items.append(contentsOf: base.itemPlaces[range]) }
  }

  var contents: Contents {
    Contents(
      buffer: base?.buffer ?? bytes, tail: base == nil ? [] : bytes, itemPlaces: items,
      headerPlaces: headers, metaPlace: meta, sharesBuffer: isBaseKept)
  }

  private mutating func add(_ json: ArraySlice<UInt8>) -> Contents.Place {
    defer { bytes.append(contentsOf: json) }
    return Contents.Place(offset: (base?.buffer.count ?? 0) + bytes.count, count: json.count)
  }
}
