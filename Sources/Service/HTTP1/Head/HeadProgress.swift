/// The state of reading the head of one request.
///
/// Parses in place in the receive buffer or, when a head arrives in pieces, in a copy of the pieces
/// so far. Each byte is scanned once: `scanned` is where the search for the next line end resumes.
/// Positions are relative to the first byte given.
struct HeadProgress: Sendable {
  enum Outcome {
    /// The end of the head has not been received yet.
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

  /// Where the head begins: after an empty line that some clients send first (RFC 9112 §2.2).
  var base = 0
  var lineStart = 0
  var scanned = 0
  /// Where the field lines begin; 0 until the request line has been read.
  var fieldsStart = 0

  var method = HTTPMethod.get
  var version = HTTPVersion.http11
  var path: Range<Int> = 0..<0
  var query: Range<Int>?
  var authority: Range<Int>?

  /// The fields' positions, `slotCount` of which are in use; the buffer is kept between heads.
  var slots: [FieldSlot] = []
  var slotCount = 0

  var hostSeen = false
  var declaredLength: Int?
  var coding = TransferCoding.none
  var expectation = Expectation.none
  var asksClose = false
  var asksKeepAlive = false

  /// Resets the state but keeps the buffer of field positions.
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

  /// Reads all complete lines.
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
    // RFC 9112 §2.2: a server should skip at least one empty line before a request. We skip one.
    if line.isEmpty, base == 0 {
      base = lineStart
      return
    }
    try readRequestLine(bytes, line, limits)
    fieldsStart = lineStart
  }

  /// Checks an unfinished line, so that one that is too long or not HTTP is refused early.
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

  /// Refuses what cannot start a request line, such as a TLS handshake.
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

  /// The most bytes of a request line besides its target: the method, the version and two spaces.
  static let requestLineOverhead = 64
}
