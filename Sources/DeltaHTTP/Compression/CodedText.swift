import CollectionService
import HTTP1

/// A content in a coding, put together piece by piece; deflated pieces are taken over as they are.
///
/// What it keeps between pieces is the checksum so far: a stream that lasts for minutes needs no
/// state of zlib.
struct CodedText: Sendable {
  let coding: ContentCoding
  private var summary = TextSummary.empty

  init(_ coding: ContentCoding) { self.coding = coding }

  /// The bytes of a piece in the coding.
  mutating func append(_ piece: EncodedText) -> [UInt8] {
    guard coding != .identity else { return piece.bytes }
    if let inflated = piece.inflated {
      summary.append(inflated)
      return piece.bytes
    }
    summary.append(TextSummary(piece.bytes))
    return Deflater.store(piece.bytes)
  }

  /// The bytes after the last piece.
  func end() -> [UInt8] { coding.tail(summary) }
}

extension HTTPBody {
  /// A content of pieces, in a coding.
  ///
  /// - Parameters:
  ///   - pieces: The content; none of them is deflated if the coding is `identity`.
  ///   - coding: The coding.
  init(_ pieces: [EncodedText], _ coding: ContentCoding) {
    guard coding != .identity else {
      self = pieces.count == 1 ? .bytes(pieces[0].bytes) : .segments(pieces.map(\.bytes))
      return
    }
    // Short as it is, it is worth less than its checksum: deflated as one.
    let pieces =
      pieces.contains { $0.inflated != nil }
      ? pieces : [Deflater.deflate(Array(pieces.map(\.bytes).joined()))]
    var text = CodedText(coding)
    self = .segments([coding.head] + pieces.map { text.append($0) } + [text.end()])
  }
}
