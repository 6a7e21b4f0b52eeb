import DeltaEngine
import SnapshotJSON

/// 96 bits over a whole version: its ids, contents and order, salted with the lineage.
///
/// Stored with the version and never recomputed, so that a later release may digest otherwise.
public struct ContentDigest: Hashable, Sendable {
  /// The upper 64 bits.
  public let high: UInt64
  /// The lower 32 bits.
  public let low: UInt32

  /// Puts the halves together.
  public init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// The sixteen characters of base64url that stand in a token (RFC 4648 §5).
  public var text: String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var characters: [UInt8] = []
    characters.reserveCapacity(16)
    for index in 0..<16 {
      let shift = 90 - index * 6
      let bits =
        shift >= 32
        ? high >> UInt64(shift - 32)
        : high << UInt64(32 - shift) | UInt64(low) >> UInt64(shift)
      characters.append(alphabet[Int(bits & 63)])
    }
    return String(decoding: characters, as: UTF8.self)
  }
}

/// Gathers what a digest stands for, in order.
struct DigestInput: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var count = 0
  private var capacity: Int

  init(lineage: String, itemCount: Int) {
    let lineage = Array(lineage.utf8)
    capacity = itemCount * 24 + lineage.count + 64
    start = .allocate(byteCount: capacity, alignment: 8)
    start.copyMemory(from: lineage, byteCount: lineage.count)
    count = lineage.count
  }

  deinit { start.deallocate() }

  mutating func append(section idHash: UInt64, header: ContentHash, itemCount: Int) {
    append(item: idHash, content: header)
    append(UInt64(itemCount))
  }

  mutating func append(item idHash: UInt64, content: ContentHash) {
    append(idHash)
    append(content.high)
    append(content.low)
  }

  /// Items without lists.
  mutating func append(_ items: [StructureItem], _ ids: IDTable) {
    reserve(24 * items.count)
    ids.writeDigestHashes(of: items, into: start + count)
    for item in items {
      start.storeBytes(of: item.content.high.littleEndian, toByteOffset: count + 8, as: UInt64.self)
      start.storeBytes(of: item.content.low.littleEndian, toByteOffset: count + 16, as: UInt64.self)
      count += 24
    }
  }

  mutating func append(meta: ContentHash?) {
    reserve(1)
    start.storeBytes(of: meta == nil ? 0 : 1, toByteOffset: count, as: UInt8.self)
    count += 1
    guard let meta else { return }
    append(meta.high)
    append(meta.low)
  }

  /// The list inside the item just appended; an item without one has nothing here.
  mutating func append(listOf count: Int) { append(UInt64(count)) }

  var contentHash: ContentHash {
    hash128(UnsafeRawBufferPointer(start: start, count: count), seed: 0)
  }

  var digest: ContentDigest {
    let hash = contentHash
    return ContentDigest(high: hash.high, low: UInt32(truncatingIfNeeded: hash.low))
  }

  @inline(__always)
  private mutating func append(_ value: UInt64) {
    reserve(8)
    start.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
    count += 8
  }

  @inline(__always)
  private mutating func reserve(_ length: Int) {
    if capacity - count < length { grow(length) }
  }

  @inline(never)
  private mutating func grow(_ length: Int) {
    capacity = max(capacity * 2, count + length)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    larger.copyMemory(from: start, byteCount: count)
    start.deallocate()
    start = larger
  }
}
