import DeltaEngine
import SnapshotJSON

/// Hashes the input of a digest incrementally.
///
/// `@safe`: `count` never exceeds the bytes of `piece`, which only this file writes to.
@safe struct DigestInput: ~Copyable {
  private var hash = HashStream()
  private let piece: UnsafeMutableRawPointer
  private var count = 0

  /// The number of items in the buffer, at 24 bytes each.
  private static let pieceItems = 256
  private static let pieceBytes = pieceItems * 24

  init(lineage: String) {
    unsafe piece = .allocate(byteCount: Self.pieceBytes, alignment: 8)
    unsafe Array(lineage.utf8).withUnsafeBytes { unsafe hash.add($0) }
  }

  deinit { unsafe piece.deallocate() }

  mutating func append(section idHash: UInt64, header: ContentHash, itemCount: Int) {
    append(item: idHash, content: header)
    append(UInt64(itemCount))
  }

  mutating func append(item idHash: UInt64, content: ContentHash) {
    append(idHash)
    append(content.high)
    append(content.low)
  }

  mutating func append(_ items: [StructureItem], _ ids: IDTable) {
    flush()
    var first = 0
    while first < items.count {
      let end = min(first + Self.pieceItems, items.count)
      unsafe ids.writeDigestHashes(of: items, first..<end, into: piece)
      for item in items[first..<end] {
        store(item.content.high, at: count + 8)
        store(item.content.low, at: count + 16)
        count += 24
      }
      flush()
      first = end
    }
  }

  mutating func append(meta: ContentHash?) {
    flush()
    unsafe withUnsafeBytes(of: UInt8(meta == nil ? 0 : 1)) { unsafe hash.add($0) }
    guard let meta else { return }
    append(meta.high)
    append(meta.low)
  }

  mutating func digest() -> ContentDigest {
    flush()
    let hash = hash.hash
    return ContentDigest(high: hash.high, low: UInt32(truncatingIfNeeded: hash.low))
  }

  @inline(__always)
  private mutating func append(_ value: UInt64) {
    if count == Self.pieceBytes { flush() }
    store(value, at: count)
    count += 8
  }

  @inline(__always)
  private func store(_ value: UInt64, at offset: Int) {
    unsafe piece.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  private mutating func flush() {
    unsafe hash.add(UnsafeRawBufferPointer(start: piece, count: count))
    count = 0
  }
}
