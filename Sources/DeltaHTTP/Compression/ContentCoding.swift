import CZlib
import CollectionService
import HTTP1

/// A coding that answers can have (RFC 9110 §8.4.1).
///
/// Both real ones are containers of the same deflated blocks, so that what is deflated for one is
/// deflated for the other.
enum ContentCoding: UInt8, Sendable {
  case identity
  /// RFC 1952.
  case gzip
  /// RFC 1950, as RFC 9110 §8.4.1.2 has it.
  case deflate

  /// Texts shorter than this are sent as they are: the head would outweigh what is saved.
  static let textBytesMin = 860

  /// Its name in `Content-Encoding`; nil for the absence of one.
  var name: String? {
    switch self {
    case .identity: nil
    case .gzip: "gzip"
    case .deflate: "deflate"
    }
  }

  /// The bytes before the blocks: no name, no time, so that equal contents have equal bytes.
  var head: [UInt8] {
    switch self {
    case .identity: []
    case .gzip: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    case .deflate: [0x78, 0x9C]
    }
  }

  /// The last block, which is empty, and the trailer.
  func tail(_ text: TextSummary) -> [UInt8] {
    switch self {
    case .identity: []
    case .gzip:
      [3, 0] + text.crc32.littleEndianBytes
        + UInt32(truncatingIfNeeded: text.count).littleEndianBytes
    case .deflate: [3, 0] + text.adler32.littleEndianBytes.reversed()
    }
  }
}

extension TextSummary {
  /// Of no text.
  static let empty = TextSummary(count: 0, crc32: 0, adler32: 1)

  /// Of a text.
  init(_ text: [UInt8]) {
    self.init(
      count: text.count, crc32: UInt32(truncatingIfNeeded: unsafe crc32_z(0, text, text.count)),
      adler32: UInt32(truncatingIfNeeded: unsafe adler32_z(1, text, text.count)))
  }

  /// Of a text with another behind it, without looking at either.
  mutating func append(_ other: TextSummary) {
    crc32 = UInt32(
      truncatingIfNeeded: crc32_combine(uLong(crc32), uLong(other.crc32), other.count))
    adler32 = UInt32(
      truncatingIfNeeded: adler32_combine(uLong(adler32), uLong(other.adler32), other.count))
    count += other.count
  }
}

extension UInt32 {
  fileprivate var littleEndianBytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}

extension ContentCoding {
  /// The codings that a request's body has, in the order that they were applied.
  ///
  /// - Throws: `unsupported-media-type`, with the codings there are (RFC 9110 §15.5.16), for another,
  ///   or for too many.
  static func undone(_ request: HTTPRequest) throws(Problem) -> [ContentCoding] {
    var codings: [ContentCoding] = []
    for element in listElements(request.fields("content-encoding")) {
      switch lowercased(element) {
      case "identity": continue
      case "gzip", "x-gzip": codings.append(.gzip)
      case "deflate": codings.append(.deflate)
      default: throw .unsupportedCoding
      }
    }
    guard codings.count <= BodyInflater.codingsMax else { throw .unsupportedCoding }
    return codings
  }
}
