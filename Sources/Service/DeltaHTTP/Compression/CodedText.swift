import CollectionService
import HTTP1
import VersionedCollections

/// Encodes content piece by piece; pieces that are already deflated are passed through.
///
/// Between pieces it keeps only the checksum so far, so that a long-lived stream needs no zlib
/// state.
struct CodedText: Sendable {
  let coding: ContentCoding
  private var summary = TextSummary.empty

  init(_ coding: ContentCoding) { self.coding = coding }

  /// Encodes a piece and returns its bytes.
  mutating func append(_ piece: EncodedText) -> [UInt8] {
    guard coding != .identity else { return piece.bytes }
    if let inflated = piece.inflated {
      summary.append(inflated)
      return piece.bytes
    }
    summary.append(TextSummary(piece.bytes))
    return Deflater.store(piece.bytes)
  }

  /// Returns the bytes that end the content.
  func end() -> [UInt8] { coding.tail(summary) }
}

extension HTTPBody {
  /// Creates a body of pieces in a content coding; none may be deflated if it is `identity`.
  init(_ pieces: [EncodedText], _ coding: ContentCoding) {
    guard coding != .identity else {
      self = pieces.count == 1 ? .bytes(pieces[0].bytes) : .segments(pieces.map(\.bytes))
      return
    }
    // If no piece is deflated yet, they are short: deflate them together.
    let pieces =
      pieces.contains { $0.inflated != nil }
      ? pieces : [Deflater.deflate(Array(pieces.map(\.bytes).joined()))]
    var text = CodedText(coding)
    self = .segments([coding.head] + pieces.map { text.append($0) } + [text.end()])
  }
}
