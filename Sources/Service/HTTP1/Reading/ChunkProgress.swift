/// How far a chunked body has been read (RFC 9112 §7.1).
struct ChunkProgress: Sendable {
  enum Step {
    case size
    case `extension`
    case sizeEnd
    case data
    case dataEnd
    case dataFeed
    case trailerLine
    case trailerName
    case trailerValue
    case trailerFeed
    case lastFeed
  }

  var step = Step.size
  /// The size while it is read, then the rest of the chunk, in bytes.
  var remaining = 0
  var digits = 0
  var total = 0
  /// Where the extensions of this chunk have been read to.
  var place = ChunkExtension.end
  var extensionBytes = 0
  var trailerBytes = 0

  /// The most hexadecimal digits of a size, including leading zeros.
  static let digitsMax = 16
}
