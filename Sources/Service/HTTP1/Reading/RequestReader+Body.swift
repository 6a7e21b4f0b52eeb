struct PendingBody: Sendable {
  /// How the end of the body is found, and how much of it has been read.
  enum Framing {
    /// The number of bytes still expected.
    case length(Int)
    case chunks(ChunkProgress)
  }

  var request: HTTPRequest
  var framing: Framing
  var received = 0
  var discards = false
  var decoder: (any BodyDecoder)?

  /// Appends bytes to the content, unless the body is being discarded.
  mutating func keep(
    _ bytes: Span<UInt8>, in content: inout [UInt8]
  ) throws(RequestError) {
    received += bytes.count
    guard !discards, !bytes.isEmpty else { return }
    guard let decoder else { return bytes.append(to: &content) }
    try decoder.decode(bytes, into: &content)
  }

  /// Spare capacity behind the content, so that a parser may read a few bytes beyond its end.
  private static let spareCapacity = 32

  /// The most bytes that one call may consume.
  var quota: Int { decoder == nil || discards ? .max : RequestReader.decodedBytesMax }

  /// Reads the next bytes of the body; returns whether it is complete.
  mutating func read(
    _ bytes: Span<UInt8>, _ position: inout Int, _ limits: RequestLimits,
    into content: inout [UInt8]
  ) throws(RequestError) -> Bool {
    switch framing {
    case .length(let remaining):
      // Reserving memory is free until it is written.
      if content.isEmpty, !discards, decoder == nil {
        content.reserveCapacity(remaining + Self.spareCapacity)
      }
      let count = min(remaining, bytes.count - position, quota)
      try keep(bytes.extracting(position..<(position + count)), in: &content)
      position += count
      framing = .length(remaining - count)
      return remaining == count
    case .chunks(var chunks):
      let isDone = try readChunks(&chunks, bytes, &position, limits, into: &content)
      framing = .chunks(chunks)
      return isDone
    }
  }
}

extension RequestReader {
  mutating func readOn(
    _ body: consuming PendingBody, _ bytes: Span<UInt8>, _ position: inout Int,
    _ limits: RequestLimits
  ) throws(RequestError) -> RequestEvent {
    state = .ready
    guard try body.read(bytes, &position, limits, into: &content) else {
      state = .body(body)
      return .incomplete
    }
    guard !body.discards else { return .discarded }
    try body.decoder?.finish()
    swap(&body.request.body, &content)
    return .request(body.request)
  }
}
