import CZlib
import CollectionService
import VersionedCollections

/// A content coding of responses (RFC 9110 §8.4.1).
enum ContentCoding: UInt8, Sendable {
  case identity
  /// RFC 1952.
  case gzip

  /// The smallest text that is encoded, in bytes; below it, headers outweigh the savings.
  static let textBytesMin = 860

  /// The name in `Content-Encoding`; `nil` for `identity`.
  var name: String? {
    switch self {
    case .identity: nil
    case .gzip: "gzip"
    }
  }

  /// The container's header, without a name or time, so that equal contents have equal bytes.
  var head: [UInt8] {
    switch self {
    case .identity: []
    case .gzip: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    }
  }

  /// The empty last block and the container's trailer.
  func tail(_ text: TextSummary) -> [UInt8] {
    switch self {
    case .identity: []
    case .gzip:
      [3, 0] + text.crc32.littleEndianBytes
        + UInt32(truncatingIfNeeded: text.count).littleEndianBytes
    }
  }
}

extension TextSummary {
  static let empty = TextSummary(count: 0, crc32: 0)

  init(_ text: [UInt8]) {
    self.init(
      count: text.count, crc32: UInt32(truncatingIfNeeded: unsafe crc32_z(0, text, text.count)))
  }

  /// Combines the summary with that of the text that follows, without reading either text.
  mutating func append(_ other: TextSummary) {
    crc32 = UInt32(
      truncatingIfNeeded: crc32_combine(uLong(crc32), uLong(other.crc32), other.count))
    count += other.count
  }
}

extension UInt32 {
  fileprivate var littleEndianBytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
