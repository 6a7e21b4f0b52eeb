/// How far the head of one request has been read.
///
/// It works on the bytes of the head from its first byte on, either in place in what was just
/// received or, when a head arrives in pieces, in a copy of what came so far. Every line is looked
/// at once: `scanned` says where the search for a line's end goes on. Positions are relative to the
/// first byte given.
struct HeadProgress: Sendable {
  /// What a call found.
  enum Outcome {
    /// The head's end is not there yet.
    case incomplete
    /// The head ends before this position.
    case complete(end: Int)
  }

  /// How the body is framed (RFC 9112 §6.3).
  enum Framing {
    case none
    case length(Int)
    case chunked
  }

  /// Where the head begins: behind an empty line that some senders put in front (RFC 9112 §2.2).
  var base = 0
  var lineStart = 0
  var scanned = 0
  /// Where the field lines begin; 0 while the request line is not there.
  var fieldsStart = 0

  var method = HTTPMethod.get
  var version = HTTPVersion.http11
  var path: Range<Int> = 0..<0
  var query: Range<Int>?
  var authority: Range<Int>?

  /// Places for as many fields as there may be, once there was any; `slotCount` of them are used.
  var slots: [FieldSlot] = []
  var slotCount = 0

  var hostSeen = false
  var declaredLength: Int?
  var coding = TransferCoding.none
  var expectation = Expectation.none
  var asksClose = false
  var asksKeepAlive = false

  /// Starts over, and keeps the buffer of the fields' places.
  mutating func reset() {
    base = 0
    lineStart = 0
    scanned = 0
    fieldsStart = 0
    query = nil
    authority = nil
    slotCount = 0
    hostSeen = false
    declaredLength = nil
    coding = .none
    expectation = .none
    asksClose = false
    asksKeepAlive = false
  }

  /// Reads as many lines as there are.
  mutating func advance(
    _ bytes: Span<UInt8>, limits: RequestLimits
  ) throws(RequestError) -> Outcome {
    while let feed = bytes.lineFeed(from: scanned) {
      if fieldsStart == 0 { try checkFirstByte(bytes) }
      guard feed > lineStart, unsafe bytes[unchecked: feed &- 1] == 0x0D else {
        throw .malformed(.bareLineFeed)
      }
      let line = lineStart..<(feed &- 1)
      lineStart = feed &+ 1
      scanned = lineStart
      if fieldsStart == 0 {
        try readFirstLine(bytes, line, limits)
      } else if line.isEmpty {
        try checkHeaderSize(lineStart, limits)
        return .complete(end: lineStart)
      } else {
        try checkHeaderSize(lineStart, limits)
        try readField(bytes, line, limits)
      }
    }
    scanned = bytes.count
    try checkUnfinishedLine(bytes, limits)
    return .incomplete
  }

  private mutating func readFirstLine(
    _ bytes: Span<UInt8>, _ line: Range<Int>, _ limits: RequestLimits
  ) throws(RequestError) {
    // RFC 9112 §2.2: at least one empty line before a request is skipped; one it is.
    if line.isEmpty, base == 0 {
      base = lineStart
      return
    }
    try readRequestLine(bytes, line, limits)
    fieldsStart = lineStart
  }

  /// Refuses as soon as it is known: what has no end yet may already be too long or no request.
  private func checkUnfinishedLine(
    _ bytes: Span<UInt8>, _ limits: RequestLimits
  ) throws(RequestError) {
    if fieldsStart != 0 {
      return try checkHeaderSize(bytes.count, limits)
    }
    guard bytes.count > lineStart else { return }
    try checkFirstByte(bytes)
    // The last byte may be the CR that ends the line.
    if bytes.count - lineStart - 1 > limits.targetBytesMax + Self.requestLineOverhead {
      throw .targetTooLong(limit: limits.targetBytesMax)
    }
  }

  /// What starts with another byte is not HTTP: a TLS greeting, for one.
  private func checkFirstByte(_ bytes: Span<UInt8>) throws(RequestError) {
    let byte = bytes[lineStart]
    guard ByteClass.token.contains(byte) || byte == 0x0D || byte == 0x0A else {
      throw .malformed(.requestLine)
    }
  }

  private func checkHeaderSize(_ end: Int, _ limits: RequestLimits) throws(RequestError) {
    if end - fieldsStart > limits.headerBytesMax {
      throw .headerTooLarge(limit: limits.headerBytesMax)
    }
  }

  /// The longest that a method with its space, and a version with its own, may make a request line.
  static let requestLineOverhead = 64
}
