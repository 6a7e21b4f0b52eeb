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
struct DigestInput {
  private var bytes: [UInt8]

  init(lineage: String, itemCount: Int) {
    bytes = Array(lineage.utf8)
    bytes.reserveCapacity(itemCount * 24 + 64)
  }

  mutating func append(section idHash: UInt64, header: ContentHash, itemCount: Int) {
    append(idHash)
    append(header)
    append(UInt64(itemCount))
  }

  mutating func append(item idHash: UInt64, content: ContentHash) {
    append(idHash)
    append(content)
  }

  mutating func append(meta: ContentHash?) {
    bytes.append(meta == nil ? 0 : 1)
    if let meta { append(meta) }
  }

  /// The list inside the item just appended; an item without one has nothing here.
  mutating func append(listOf count: Int) { append(UInt64(count)) }

  var contentHash: ContentHash { hash128(bytes) }

  var digest: ContentDigest {
    let hash = contentHash
    return ContentDigest(high: hash.high, low: UInt32(truncatingIfNeeded: hash.low))
  }

  private mutating func append(_ hash: ContentHash) {
    append(hash.high)
    append(hash.low)
  }

  private mutating func append(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
