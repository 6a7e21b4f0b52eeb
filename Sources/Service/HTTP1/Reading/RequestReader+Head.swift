struct PartialHead: Sendable {
  var bytes: [UInt8]
  var progress: HeadProgress
}

extension RequestReader {
  mutating func readHead(
    _ bytes: Span<UInt8>, _ position: inout Int, _ scratch: inout ReaderScratch
  ) throws(RequestError) -> RequestEvent {
    guard position < bytes.count else { return .incomplete }
    let rest = bytes.extracting(position...)
    switch try scratch.progress.advance(rest, limits: scratch.limits) {
    case .incomplete:
      state = .head(PartialHead(bytes: rest.copied(), progress: scratch.progress))
      scratch.progress.reset()
      position = bytes.count
      return .incomplete
    case .complete(let end):
      position += end
      let event = try finishHead(rest, end, scratch.progress, scratch.limits)
      scratch.progress.reset()
      return event
    }
  }

  /// Continues a head that began in earlier bytes.
  mutating func readOn(
    _ head: consuming PartialHead, _ bytes: Span<UInt8>, _ position: inout Int,
    _ scratch: inout ReaderScratch
  ) throws(RequestError) -> RequestEvent {
    state = .ready
    let before = head.bytes.count
    bytes.extracting(position...).append(to: &head.bytes)
    var progress = HeadProgress()
    swap(&progress, &head.progress)
    switch try progress.advance(head.bytes.span, limits: scratch.limits) {
    case .incomplete:
      swap(&progress, &head.progress)
      state = .head(head)
      position = bytes.count
      return .incomplete
    case .complete(let end):
      position += end - before
      return try finishHead(head.bytes.span, end, progress, scratch.limits)
    }
  }

  private mutating func finishHead(
    _ bytes: Span<UInt8>, _ end: Int, _ progress: borrowing HeadProgress, _ limits: RequestLimits
  ) throws(RequestError) -> RequestEvent {
    let framing = try progress.framing(limits)
    let request = HTTPRequest(progress, bytes.extracting(progress.base..<end))
    switch framing {
    case .none:
      return .request(request)
    case .length(let length):
      state = .body(PendingBody(request: request, framing: .length(length)))
    case .chunked:
      state = .body(PendingBody(request: request, framing: .chunks(ChunkProgress())))
    }
    return .head(request)
  }
}

extension HTTPRequest {
  /// Creates a request from the bytes of a head and the positions found in them.
  init(_ progress: borrowing HeadProgress, _ bytes: Span<UInt8>) {
    var index = HeadIndex()
    let base = progress.base
    index.path = progress.path.from(base)
    index.query = progress.query?.from(base)
    index.authority = progress.authority?.from(base)
    index.declaredLength = progress.declaredLength
    index.fieldsOffset = bytes.count
    index.fieldCount = progress.slotCount
    self.init(
      method: progress.method, version: progress.version,
      storage: .head(bytes, progress.slots.span.extracting(first: progress.slotCount), index))
    keepsAlive = progress.keepsAlive
    expectsContinue = progress.expectsContinue
  }
}

extension Range<Int> {
  /// The range relative to another origin.
  @inline(__always)
  fileprivate func from(_ base: Int) -> Range<Int> { (lowerBound &- base)..<(upperBound &- base) }
}
