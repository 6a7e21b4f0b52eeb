extension RequestReader {
  mutating func readHead(
    _ bytes: Span<UInt8>, _ position: inout Int, _ scratch: inout ReaderScratch
  ) throws(RequestError) -> RequestEvent {
    guard piece.isEmpty else { return try readPieces(bytes, &position, &scratch) }
    guard position < bytes.count else { return .incomplete }
    let rest = bytes.extracting(position...)
    swap(&progress.slots, &scratch.slots)
    switch try progress.advance(rest, limits: scratch.limits) {
    case .incomplete:
      piece = rest.copied()
      position = bytes.count
      return .incomplete
    case .complete(let end):
      position += end
      return try finishHead(rest, end: end, &scratch)
    }
  }

  /// Goes on with a head that began in earlier bytes.
  private mutating func readPieces(
    _ bytes: Span<UInt8>, _ position: inout Int, _ scratch: inout ReaderScratch
  ) throws(RequestError) -> RequestEvent {
    let before = piece.count
    let rest = bytes.extracting(position...)
    var whole: [UInt8] = []
    swap(&whole, &piece)
    unsafe rest.withUnsafeBufferPointer { unsafe whole.append(contentsOf: $0) }
    guard case .complete(let end) = try progress.advance(whole.span, limits: scratch.limits) else {
      swap(&whole, &piece)
      position = bytes.count
      return .incomplete
    }
    position += end - before
    return try finishHead(whole.span, end: end, &scratch)
  }

  /// Makes the request of a head that is whole.
  private mutating func finishHead(
    _ bytes: Span<UInt8>, end: Int, _ scratch: inout ReaderScratch
  ) throws(RequestError) -> RequestEvent {
    let framing = try progress.framing(scratch.limits)
    let request = HTTPRequest(progress, bytes.extracting(progress.base..<end))
    progress.reset(&scratch)
    switch framing {
    case .none:
      return .request(request)
    case .length(let length):
      phase = .fixedBody
      bodyRemaining = length
    case .chunked:
      phase = .chunkedBody
      chunks = ChunkProgress()
    }
    pending = request
    discards = false
    return .head(request)
  }
}

extension HeadProgress {
  /// Starts over, and gives back the buffer of the fields' places.
  mutating func reset(_ scratch: inout ReaderScratch) {
    slots.removeAll(keepingCapacity: true)
    swap(&slots, &scratch.slots)
    self = HeadProgress()
  }
}

extension HTTPRequest {
  /// Takes over what was found in a head's bytes.
  init(_ progress: borrowing HeadProgress, _ bytes: Span<UInt8>) {
    self.init(method: progress.method, version: progress.version)
    let base = progress.base
    func offsets(_ range: Range<Int>) -> Range<Int> {
      (range.lowerBound - base)..<(range.upperBound - base)
    }
    pathRange = offsets(progress.path)
    queryRange = progress.query.map(offsets)
    authorityRange = progress.authority.map(offsets)
    declaredLength = progress.declaredLength
    keepsAlive = progress.keepsAlive
    expectsContinue = progress.expectsContinue
    storage = Self.storage(bytes, progress.slots)
    fieldsOffset = bytes.count
    fieldCount = progress.slots.count
  }
}
