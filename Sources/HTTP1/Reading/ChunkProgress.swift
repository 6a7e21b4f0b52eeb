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
  /// The size being read, then what is left of the chunk.
  var remaining = 0
  var digits = 0
  var total = 0
  var extensionBytes = 0
  var trailerBytes = 0

  /// The most hexadecimal digits of a size, zeros in front included.
  static let digitsMax = 16
}
